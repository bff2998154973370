import { useEffect, useState } from 'react';
import type { Credit, CreditAction, GroupAction, HeldGroup } from '../../../../contract/operator/credits.ts';
import { formatCount, formatYen } from '../../../lib/format.ts';
import { followPasswordPrompt } from '../../../stores/account/account.ts';
import { ACTIONS, ConsoleTable, RowActions } from '../ConsoleTable.tsx';
import { DecisionDialog } from '../DecisionDialog.tsx';
import { Paged } from '../Paged.tsx';
import { CreditList } from './CreditList.tsx';
import { ACTION_TEXTS, formatDay, formatReason } from './credit-texts.ts';
import { type OpenGroup, decideGroup, decideOne, groups, openCredits, openGroup } from './credits.ts';
import { useStore } from '../../ui/use-store.ts';

/** What the dialog asks about. */
type Asked =
  | { readonly group: HeldGroup; readonly credit?: undefined; readonly action: GroupAction }
  | { readonly group: OpenGroup; readonly credit: Credit; readonly action: CreditAction };

/** Held credits by artist and day: decided together, or opened and decided one by one. */
export function CreditsPanel() {
  const { query: opened } = useStore(openCredits.$list);
  const [asked, setAsked] = useState<Asked | null>(null);
  useEffect(followPasswordPrompt, []);
  useEffect(() => void groups.load(), []);
  const subject = asked?.credit ?? asked?.group;
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
            columns={['日', 'アーティスト', '理由', { number: '件数' }, { number: '金額' }, ACTIONS]}
          >
            {items.map((group) => (
              <GroupRow
                key={`${group.day} ${group.artist_id}`}
                group={group}
                onAsk={(action) => setAsked({ group, action })}
              />
            ))}
          </ConsoleTable>
        )}
      </Paged>
      {opened && (
        <CreditList
          key={`${opened.day} ${opened.artist_id}`}
          group={opened}
          onAsk={(credit, action) => setAsked({ group: opened, credit, action })}
        />
      )}
      <DecisionDialog
        key={
          asked ? `${asked.action} ${asked.credit?.id ?? `${asked.group.day} ${asked.group.artist_id}`}` : ''
        }
        title={
          asked && subject
            ? `${asked.group.username} さんの${formatYen(subject.yen)}を${texts.verb}ますか？`
            : ''
        }
        note={asked ? toNote(asked) : ''}
        verb={texts.button}
        reasonLabel={asked?.action === 'approve' ? null : '理由（記録に残ります）'}
        isOpen={asked !== null}
        onClose={() => setAsked(null)}
        onSend={async (reason) => {
          if (asked === null) return;
          const isDone = asked.credit
            ? await decideOne(asked.credit, asked.action, reason)
            : await decideGroup(asked.group, asked.action, reason);
          if (isDone) setAsked(null);
        }}
      />
    </>
  );
}

function toNote(asked: Asked): string {
  const { group, action } = asked;
  const count = asked.credit ? '1件' : `${formatCount(asked.group.credits)}件すべて`;
  return `${formatDay(group.day)}のダウンロード${count}です。${ACTION_TEXTS[action].note}`;
}

interface GroupRowProps {
  group: HeldGroup;
  onAsk: (action: GroupAction) => void;
}

function GroupRow({ group, onAsk }: GroupRowProps) {
  return (
    <tr>
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
