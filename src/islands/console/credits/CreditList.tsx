import { useEffect, useRef } from 'react';
import { CREDIT_STATES, type Credit, type CreditAction } from '../../../../contract/operator/credits.ts';
import { formatYen } from '../../../lib/format.ts';
import { type OpenGroup, closeGroup, openGroup } from './credits.ts';
import { LoadFailure } from '../../ui/LoadFailure.tsx';
import { ACTION_TEXTS, STATE_NAMES, formatDay, formatReason } from './credit-texts.ts';
import { formatTime } from '../times.ts';

interface CreditListProps {
  opened: OpenGroup;
  onAsk: (credit: Credit, action: CreditAction) => void;
}

/** The credits of one artist and day, by state. */
export function CreditList({ opened, onAsk }: CreditListProps) {
  const { group, listed, state, items, hasMore, isMore, error } = opened;
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  return (
    <section className="mt-8 grid gap-3" aria-labelledby="group-title">
      <h2 id="group-title" className="text-lg" tabIndex={-1} ref={title}>
        <bdi>{group.username}</bdi> さん、{formatDay(group.day)}
      </h2>
      <div className="flex flex-wrap gap-2">
        {CREDIT_STATES.map((each) => (
          <button
            key={each}
            type="button"
            className="chip"
            aria-pressed={each === listed}
            onClick={() => void openGroup(group, each)}
          >
            {STATE_NAMES[each]}
          </button>
        ))}
        <button type="button" className="button" onClick={closeGroup}>
          閉じる
        </button>
      </div>
      {state === 'failed' && (
        <LoadFailure
          title="報酬を読み込めませんでした"
          error={error}
          onRetry={() => void openGroup(group, listed, isMore)}
        />
      )}
      {state === 'ready' && items.length === 0 && <p className="form-note">ありません。</p>}
      {items.length > 0 && (
        <div className="console-scroll" tabIndex={0} role="region" aria-label="報酬の表">
          <table className="console-table">
            <thead>
              <tr>
                <th scope="col">日時</th>
                <th scope="col">サウンド</th>
                <th scope="col">理由</th>
                <th scope="col">端末・回線</th>
                <th scope="col" className="console-number">
                  金額
                </th>
                <th scope="col">
                  <span className="sr-only">操作</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {items.map((credit) => (
                <tr key={credit.id}>
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
                    <div className="flex flex-wrap gap-2">
                      {credit.allowed.map((action) => (
                        <button
                          key={action}
                          type="button"
                          className="button"
                          onClick={() => onAsk(credit, action)}
                        >
                          {ACTION_TEXTS[action].name}…
                        </button>
                      ))}
                    </div>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {hasMore && (
        <button
          type="button"
          className="button justify-self-start"
          aria-busy={state === 'loading' || undefined}
          onClick={() => void openGroup(group, listed, true)}
        >
          続きを表示
        </button>
      )}
    </section>
  );
}
