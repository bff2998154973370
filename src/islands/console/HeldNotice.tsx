import { useShared } from '../../lib/use-shared.ts';
import { $held, UNDO_MS, sendHeld, undo } from '../../stores/console/console.ts';

/** The last decision, while it can be taken back. */
export function HeldNotice() {
  const held = useShared($held, null);
  return (
    <div className="desk-held" role="status">
      {held && (
        <>
          <p>
            <bdi>{held.application.username}</bdi> さんを
            {held.action === 'approve' ? '合格' : '不合格'}にします。{UNDO_MS / 1000}秒後に本人へ伝わります。
          </p>
          <button type="button" className="button" aria-keyshortcuts="Z" onClick={undo}>
            <kbd className="desk-key">Z</kbd>
            取り消す
          </button>
          <button type="button" className="button" onClick={() => void sendHeld()}>
            今すぐ確定
          </button>
        </>
      )}
    </div>
  );
}
