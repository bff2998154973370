import { useEffect, useState } from 'react';
import type { Credit, CreditAction, GroupAction, HeldGroup } from '../../../../contract/operator/credits.ts';
import { formatCount, formatYen } from '../../../lib/format.ts';
import { ACTIONS, ConsoleTable, RowActions } from '../ConsoleTable.tsx';
import { DecisionDialog } from '../DecisionDialog.tsx';
import { Paged } from '../../ui/Paged.tsx';
import { ChoiceOfAll, RowChoice } from '../RowChoice.tsx';
import { ChosenCredits } from './ChosenCredits.tsx';
import { CreditList } from './CreditList.tsx';
import { ACTION_TEXTS, formatDay, formatReason } from './credit-texts.ts';
import {
  $chosenGroups,
  decideCredits,
  decideGroups,
  groups,
  openCredits,
  openGroup,
  toKey,
} from './credits.ts';
import { type RowBox, useRowChoice } from '../../ui/use-row-choice.ts';
import { useStore } from '../../ui/use-store.ts';

/** What the dialog asks about. */
export type Asked =
  | { readonly groups: readonly HeldGroup[]; readonly credits?: undefined; readonly action: GroupAction }
  | { readonly credits: readonly Credit[]; readonly action: CreditAction };

/** Held credits by artist and day: decided together, or opened and decided one by one. */
export function CreditsPanel() {
  const { query: opened } = useStore(openCredits.$list);
  const chosen = useStore($chosenGroups);
  const choose = (keys: readonly string[]) => $chosenGroups.set(keys);
  const toBox = useRowChoice(useStore(groups.$list).items.map(toKey), chosen, choose);
  const [asked, setAsked] = useState<Asked | null>(null);
  useEffect(() => void groups.load(), []);
  const texts = ACTION_TEXTS[asked?.action ?? 'approve'];
  return (
    <>
      <p className="form-note mb-4">
        承認は、送金されるまで「取り消す」で戻せます（反対の仕訳を記録します）。却下と取り消しは戻せません。
      </p>
      <Paged
        list={groups}
        title="保留中の報酬を読み込めませんでした"
        empty="保留中の報酬はありません。"
        more="続きを表示"
      >
        {(items) => (
          <ConsoleTable
            label="保留中の報酬の表"
            columns={[
              <ChoiceOfAll
                key="all"
                label="保留中の報酬をすべて選ぶ"
                all={items.map(toKey)}
                chosen={chosen}
                onChoose={choose}
              />,
              '日',
              'アーティスト',
              '理由',
              { number: '件数' },
              { number: '金額' },
              ACTIONS,
            ]}
          >
            {items.map((group) => (
              <GroupRow
                key={toKey(group)}
                group={group}
                box={toBox(toKey(group))}
                onAsk={(action) => setAsked({ groups: [group], action })}
              />
            ))}
          </ConsoleTable>
        )}
      </Paged>
      {opened && (
        <CreditList
          key={toKey(opened)}
          group={opened}
          onAsk={(credit, action) => setAsked({ credits: [credit], action })}
        />
      )}
      <ChosenCredits isAsking={asked !== null} onAsk={setAsked} />
      <DecisionDialog
        key={asked ? `${asked.action} ${listKeys(asked).join(' ')}` : ''}
        title={asked ? `${toSubject(asked)}を${texts.verb}ますか？` : ''}
        effect={asked ? toEffect(asked) : ''}
        verb={texts.button}
        reasonLabel={asked?.action === 'approve' ? null : '理由（記録に残ります）'}
        isOpen={asked !== null}
        onClose={() => setAsked(null)}
        onSend={async (reason) => {
          if (asked === null) return;
          const isDone = asked.credits
            ? await decideCredits(asked.credits, asked.action, reason)
            : await decideGroups(asked.groups, asked.action, reason);
          if (isDone) setAsked(null);
        }}
      />
    </>
  );
}

function listKeys(asked: Asked): string[] {
  return asked.credits ? asked.credits.map(({ id }) => id) : asked.groups.map(toKey);
}

function toSubject(asked: Asked): string {
  const rows = asked.credits ?? asked.groups;
  const yen = formatYen(rows.reduce((sum, row) => sum + row.yen, 0));
  const names = new Set(asked.credits ? [] : asked.groups.map(({ username }) => username));
  const name = asked.credits ? openCredits.$list.get().query?.username : [...names][0];
  return names.size > 1 ? `${names.size}人の${yen}` : `${name} さんの${yen}`;
}

function toEffect(asked: Asked): string {
  const { effect } = ACTION_TEXTS[asked.action];
  if (asked.credits) return `ダウンロード${formatCount(asked.credits.length)}件です。${effect}`;
  const days = [...new Set(asked.groups.map(({ day }) => day))].map(formatDay);
  const count = asked.groups.reduce((sum, { credits }) => sum + credits, 0);
  return `${days.join('、')}のダウンロード${formatCount(count)}件すべてです。${effect}`;
}

interface GroupRowProps {
  group: HeldGroup;
  box: RowBox;
  onAsk: (action: GroupAction) => void;
}

function GroupRow({ group, box, onAsk }: GroupRowProps) {
  return (
    <tr>
      <RowChoice label={`${group.username} さんの${formatDay(group.day)}を選ぶ`} {...box} />
      <td className="tabular whitespace-nowrap">{formatDay(group.day)}</td>
      <td>
        <bdi className="font-semibold">{group.username}</bdi>
        {group.obstacle && <p className="text-danger">{group.obstacle}</p>}
      </td>
      <td>
        {group.reasons.map(({ reason, credits }) => (
          <p key={reason}>
            {formatReason(reason)}（{formatCount(credits)}件）
          </p>
        ))}
      </td>
      <td className="console-number tabular">{formatCount(group.credits)}</td>
      <td className="console-number tabular font-semibold">{formatYen(group.yen)}</td>
      <td>
        <RowActions
          of={`${group.username} さんの${formatDay(group.day)}を`}
          actions={[
            { text: '開く', act: () => openGroup(group, 'held') },
            { text: '承認…', label: '承認', isOff: group.obstacle !== '', act: () => onAsk('approve') },
            { text: '却下…', label: '却下', act: () => onAsk('reject') },
          ]}
        />
      </td>
    </tr>
  );
}
