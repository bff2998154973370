import { focusOnMount } from '../../ui/focus-on-mount.ts';
import { CREDIT_STATES, type Credit, type CreditAction } from '../../../../contract/operator/credits.ts';
import { formatYen } from '../../../lib/format.ts';
import { ACTIONS, ConsoleTable, RowActions } from '../ConsoleTable.tsx';
import { Paged } from '../../ui/Paged.tsx';
import { ChoiceOfAll, RowChoice } from '../RowChoice.tsx';
import { formatTime } from '../times.ts';
import { ACTION_TEXTS, STATE_NAMES, formatDay, formatReason } from './credit-texts.ts';
import { $chosenCredits, type OpenGroup, openCredits, openGroup } from './credits.ts';
import { useRowChoice } from '../../ui/use-row-choice.ts';
import { useStore } from '../../ui/use-store.ts';

interface CreditListProps {
  group: OpenGroup;
  onAsk: (credit: Credit, action: CreditAction) => void;
}

/** The credits of one artist and day, by state. */
export function CreditList({ group, onAsk }: CreditListProps) {
  const chosen = useStore($chosenCredits);
  const choose = (ids: readonly string[]) => $chosenCredits.set(ids);
  const toBox = useRowChoice(listOpen(useStore(openCredits.$list).items), chosen, choose);
  return (
    <section className="mt-8" aria-labelledby="group-title">
      <h2 id="group-title" className="text-lg" tabIndex={-1} ref={focusOnMount}>
        <bdi>{group.username}</bdi> さん、{formatDay(group.day)}
      </h2>
      <div className="my-3 flex flex-wrap gap-2">
        {CREDIT_STATES.map((each) => (
          <button
            key={each}
            type="button"
            className="chip"
            aria-pressed={each === group.listed}
            onClick={() => void openGroup(group, each)}
          >
            {STATE_NAMES[each]}
          </button>
        ))}
        <button type="button" className="button" onClick={openCredits.close}>
          閉じる
        </button>
      </div>
      <Paged list={openCredits} title="報酬を読み込めませんでした" empty="ありません。" more="続きを表示">
        {(credits) => (
          <ConsoleTable
            label="報酬の表"
            columns={[
              <ChoiceOfAll
                key="all"
                label="報酬をすべて選ぶ"
                all={listOpen(credits)}
                chosen={chosen}
                onChoose={choose}
              />,
              '日時',
              'サウンド',
              '理由',
              '端末・回線',
              { number: '金額' },
              ACTIONS,
            ]}
          >
            {credits.map((credit) => (
              <tr key={credit.id}>
                <RowChoice
                  label={`${formatTime(credit.created_at)}の報酬を選ぶ`}
                  disabled={credit.allowed.length === 0}
                  {...toBox(credit.id)}
                />
                <td className="tabular whitespace-nowrap">{formatTime(credit.created_at)}</td>
                <td>
                  <bdi>{credit.title === null ? '（削除済み）' : credit.title || '無題'}</bdi>
                </td>
                <td>
                  <bdi>{formatReason(credit.reason)}</bdi>
                  {credit.decided_by !== null && <p className="text-muted">{credit.decided_by}</p>}
                </td>
                <td className="console-id">
                  {credit.visitor} {credit.network}
                </td>
                <td className="console-number tabular">{formatYen(credit.yen)}</td>
                <td>
                  <RowActions
                    of=""
                    actions={credit.allowed.map((action) => ({
                      text: `${ACTION_TEXTS[action].name}…`,
                      act: () => onAsk(credit, action),
                    }))}
                  />
                </td>
              </tr>
            ))}
          </ConsoleTable>
        )}
      </Paged>
    </section>
  );
}

/** Ids of the credits about which something can be decided. */
function listOpen(credits: readonly Credit[]): string[] {
  return credits.filter(({ allowed }) => allowed.length > 0).map(({ id }) => id);
}
