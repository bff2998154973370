import type { StaffAction } from '../../../../contract/operator/actions.ts';
import { ActionName } from './ActionName.tsx';
import { formatTime } from '../times.ts';

/** What the staff did last with a member or a sound. */
export function ActionLines({ actions }: { actions: readonly StaffAction[] }) {
  return (
    <section aria-labelledby="action-lines">
      <h3 id="action-lines" className="text-lg">
        運営者の操作
      </h3>
      {actions.length === 0 ? (
        <p className="text-muted">記録はありません。</p>
      ) : (
        <ul className="member-lines">
          {actions.map(({ id, at, staff, action, note }) => (
            <li key={id}>
              <ActionName action={action} />
              <span className="tabular text-sm text-muted">
                {formatTime(at)} ・ <bdi>{staff ?? '自動'}</bdi>
              </span>
              {note !== '' && <bdi className="w-full text-sm wrap-anywhere">{note}</bdi>}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
