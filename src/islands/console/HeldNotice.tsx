import { useShared } from '../../lib/use-shared.ts';
import { type Desk, UNDO_MS, type Waiting } from '../../stores/console/console.ts';
import type { Outcomes } from './outcomes.ts';

interface HeldNoticeProps<Entry extends Waiting> {
  desk: Pick<Desk<Entry, never>, '$held' | 'undo' | 'sendHeld'>;
  outcomes: Outcomes;
}

/** The last decision, while it can be taken back. */
export function HeldNotice<Entry extends Waiting>({ desk, outcomes }: HeldNoticeProps<Entry>) {
  const held = useShared(desk.$held, null);
  return (
    <div className="desk-held" role="status">
      {held && (
        <>
          <p>
            <bdi>{held.entry.username}</bdi> さんを
            {outcomes[held.action]}にします。{UNDO_MS / 1000}秒後に本人へ伝わります。
          </p>
          <button type="button" className="button" aria-keyshortcuts="Z" onClick={desk.undo}>
            <kbd className="desk-key">Z</kbd>
            取り消す
          </button>
          <button type="button" className="button" onClick={() => void desk.sendHeld()}>
            今すぐ確定
          </button>
        </>
      )}
    </div>
  );
}
