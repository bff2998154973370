import type { ReviewedMember } from '../../../../contract/operator/members.ts';
import { formatYen } from '../../../lib/format.ts';
import { PAYOUT_STATES } from '../payouts/payout-states.ts';
import { formatTime } from '../times.ts';

/** The newest payout requests of a member. */
export function MemberPayouts({ payouts }: Pick<ReviewedMember, 'payouts'>) {
  return (
    <section aria-labelledby="member-payouts">
      <h3 id="member-payouts" className="text-lg">
        送金依頼
      </h3>
      {payouts.length === 0 ? (
        <p className="text-muted">送金の依頼はありません。</p>
      ) : (
        <ul className="member-lines">
          {payouts.map(({ id, amount, state, created_at, decided_at, reason }) => (
            <li key={id}>
              <span className="tabular font-semibold">{formatYen(amount)}</span>
              {state === 'requested' ? (
                <a className="link" href="/operator/payouts">
                  {PAYOUT_STATES[state]}
                </a>
              ) : (
                <span>{PAYOUT_STATES[state]}</span>
              )}
              <span className="tabular text-sm text-muted">
                {formatTime(created_at)}に依頼
                {decided_at !== null && ` ・ ${formatTime(decided_at)}に${PAYOUT_STATES[state]}`}
              </span>
              {reason !== '' && <bdi className="w-full text-sm wrap-anywhere">{reason}</bdi>}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
