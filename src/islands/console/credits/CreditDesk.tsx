import { useEffect, useState } from 'react';
import type { Credit, CreditAction, HeldGroup } from '../../../../contract/operator/credits.ts';
import { formatCount, formatYen } from '../../../lib/format.ts';
import { useShared } from '../../../lib/use-shared.ts';
import { followPasswordPrompt } from '../../../stores/account/account.ts';
import { $groups, $openGroup, NO_GROUPS, decideGroup, decideOne, loadGroups, openGroup } from './credits.ts';
import { LoadFailure } from '../../ui/LoadFailure.tsx';
import { CreditList } from './CreditList.tsx';
import { DecisionDialog } from '../DecisionDialog.tsx';
import { ACTION_TEXTS, formatDay, formatReason } from './credit-texts.ts';

/** What the dialog asks about. */
type Asked = { readonly group: HeldGroup; readonly credit?: Credit; readonly action: CreditAction };

/** Held credits by artist and day: decided together, or opened and decided one by one. */
export function CreditDesk() {
  const { state, items, hasMore, isMore, error } = useShared($groups, NO_GROUPS);
  const opened = useShared($openGroup, null);
  const [asked, setAsked] = useState<Asked | null>(null);
  useEffect(followPasswordPrompt, []);
  useEffect(() => void loadGroups(), []);
  const subject = asked?.credit ?? asked?.group;
  const texts = ACTION_TEXTS[asked?.action ?? 'approve'];
  return (
    <>
      <p className="form-note mb-4">
        承認は、送金されるまで「取り消す」で戻せます（反対の仕訳を記録します）。却下と取り消しは戻せません。
      </p>
      {state === 'loading' && items.length === 0 && <p role="status">読み込んでいます…</p>}
      {state === 'failed' && (
        <LoadFailure
          title="保留中の報酬を読み込めませんでした"
          error={error}
          onRetry={() => void loadGroups(isMore)}
        />
      )}
      {state === 'ready' && items.length === 0 && <p className="form-note">保留中の報酬はありません。</p>}
      {items.length > 0 && (
        <div className="console-scroll" tabIndex={0} role="region" aria-label="保留中の報酬の表">
          <table className="console-table">
            <thead>
              <tr>
                <th scope="col">日</th>
                <th scope="col">アーティスト</th>
                <th scope="col">理由</th>
                <th scope="col" className="console-number">
                  件数
                </th>
                <th scope="col" className="console-number">
                  金額
                </th>
                <th scope="col">
                  <span className="sr-only">操作</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {items.map((group) => (
                <GroupRow
                  key={`${group.day} ${group.artist_id}`}
                  group={group}
                  onAsk={(action) => setAsked({ group, action })}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {hasMore && (
        <button
          type="button"
          className="button mt-4"
          aria-busy={state === 'loading' || undefined}
          onClick={() => void loadGroups(true)}
        >
          続きを表示
        </button>
      )}
      {opened && (
        <CreditList
          key={`${opened.group.day} ${opened.group.artist_id}`}
          opened={opened}
          onAsk={(credit, action) => setAsked({ group: opened.group, credit, action })}
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
          const { group, credit, action } = asked;
          const isDone = credit
            ? await decideOne(credit, action, reason)
            : action !== 'reverse' && (await decideGroup(group, action, reason));
          if (isDone) setAsked(null);
        }}
      />
    </>
  );
}

function toNote({ group, credit, action }: Asked): string {
  const count = credit ? '1件' : `${formatCount(group.credits)}件すべて`;
  return `${formatDay(group.day)}のダウンロード${count}です。${ACTION_TEXTS[action].note}`;
}

interface GroupRowProps {
  group: HeldGroup;
  onAsk: (action: 'approve' | 'reject') => void;
}

function GroupRow({ group, onAsk }: GroupRowProps) {
  const name = `${group.username} さんの${formatDay(group.day)}`;
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
        <div className="flex flex-wrap gap-2">
          <button
            type="button"
            className="button"
            aria-label={`${name}を開く`}
            onClick={() => void openGroup(group)}
          >
            開く
          </button>
          <button
            type="button"
            className="button"
            aria-label={`${name}を承認`}
            disabled={group.obstacle !== ''}
            onClick={() => onAsk('approve')}
          >
            承認…
          </button>
          <button
            type="button"
            className="button"
            aria-label={`${name}を却下`}
            onClick={() => onAsk('reject')}
          >
            却下…
          </button>
        </div>
      </td>
    </tr>
  );
}
