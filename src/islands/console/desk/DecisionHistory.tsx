import type { ReviewHistory } from '../../../../contract/operator/operator.ts';
import type { Outcomes } from './outcomes.ts';
import { formatTime } from '../times.ts';

/** Earlier decisions on the same member. */
export function DecisionHistory({ history, outcomes }: { history: ReviewHistory; outcomes: Outcomes }) {
  return (
    <section className="border-t border-line pt-2" aria-labelledby="history-title">
      <h3 id="history-title" className="form-label">
        これまでの審査
      </h3>
      {history.length === 0 ? (
        <p className="text-sm text-muted">はじめての申請です。</p>
      ) : (
        <ul className="grid gap-2 text-sm">
          {history.map(({ state, decided_at, reason, decided_by }) => (
            <li key={decided_at}>
              {formatTime(decided_at)} {state === 'approved' ? outcomes.approve : outcomes.reject}
              {decided_by && `（${decided_by}）`}
              {reason && <p className="text-muted">{reason}</p>}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
