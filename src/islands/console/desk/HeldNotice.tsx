import type { Desk, Waiting } from './desk.ts';
import { UNDO_MS } from './held.ts';
import type { Outcomes } from './outcomes.ts';
import { useStore } from '../../ui/use-store.ts';

interface HeldNoticeProps<Entry extends Waiting> {
  desk: Pick<Desk<Entry, never>, '$held' | 'undo' | 'sendHeld'>;
  outcomes: Outcomes;
}

/** The decisions that can be taken back, newest first; each one for its own time. */
export function HeldNotice<Entry extends Waiting>({ desk, outcomes }: HeldNoticeProps<Entry>) {
  const held = useStore(desk.$held);
  const newest = held.at(-1);
  return (
    <div className={newest ? 'panel desk-held' : undefined}>
      <div role="status" aria-atomic="false" aria-label="まだ取り消せる判断">
        <ul className="desk-held-list">
          {held.toReversed().map(({ entry: { id, username }, action }) => (
            <li key={id}>
              <p>
                <bdi>{username}</bdi> さんを
                {outcomes[action]}にします。{UNDO_MS / 1000}秒後に本人へ伝わります。
              </p>
              <button
                type="button"
                className="button"
                aria-keyshortcuts={id === newest?.entry.id ? 'Z' : undefined}
                onClick={() => desk.undo(id)}
              >
                {id === newest?.entry.id && <kbd className="desk-key">Z</kbd>}
                取り消す<span className="sr-only">：{username} さん</span>
              </button>
            </li>
          ))}
        </ul>
      </div>
      {newest && (
        <div className="desk-held-end">
          <p className="desk-hint">ページを離れると、すぐに確定します。</p>
          <button type="button" className="button" onClick={() => void desk.sendHeld()}>
            {held.length > 1 ? 'すべて今すぐ確定' : '今すぐ確定'}
          </button>
        </div>
      )}
    </div>
  );
}
