import type { StaffAction } from '../../../contract/operator.ts';
import { formatTime } from './times.ts';

/** What the staff did last with a member. */
export function MemberActions({ actions }: { actions: readonly StaffAction[] }) {
  return (
    <section aria-labelledby="member-actions">
      <h3 id="member-actions" className="text-lg">
        運営者の操作
      </h3>
      {actions.length === 0 ? (
        <p className="text-muted">記録はありません。</p>
      ) : (
        <div className="console-scroll" tabIndex={0} role="region" aria-label="運営者の操作の表">
          <table className="console-table">
            <thead>
              <tr>
                <th scope="col">日時</th>
                <th scope="col">担当</th>
                <th scope="col">操作</th>
                <th scope="col">メモ</th>
              </tr>
            </thead>
            <tbody>
              {actions.map(({ id, at, staff, action, note }) => (
                <tr key={id}>
                  <td className="tabular whitespace-nowrap">{formatTime(at)}</td>
                  <td>{staff ?? '自動'}</td>
                  <td lang="en">{action}</td>
                  <td>
                    <bdi>{note}</bdi>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}
