import { UNTITLED } from '../../../contract/sounds/sounds.ts';
import { formatCount } from '../../lib/format.ts';
import { $deletion, closeDeletion, confirmDeletion } from '../../stores/my-sounds/my-sounds.ts';
import { BusyButton } from '../ui/BusyButton.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { useStore } from '../ui/use-store.ts';

/** Asks before sounds are deleted permanently (spec §2). */
export function DeleteSoundDialog() {
  const deletion = useStore($deletion);
  const isDeleting = deletion.state === 'deleting';
  return (
    <Dialog
      isOpen={deletion.state !== 'closed'}
      isBlocked={isDeleting}
      title="ファイルの削除"
      onClose={closeDeletion}
    >
      {deletion.state !== 'closed' && (
        <>
          <p className="line-clamp-6 font-semibold">
            {deletion.sounds.length > 1 && `${formatCount(deletion.sounds.length)}件：`}
            {deletion.sounds.map(({ title }) => title || UNTITLED).join('、')}
          </p>
          <p>ファイルと、それに関連するデータ（サムネイル、お気に入りなど）は完全に削除されます。</p>
        </>
      )}
      <div className="dialog-actions">
        <button
          type="button"
          className="button"
          aria-disabled={isDeleting || undefined}
          onClick={closeDeletion}
        >
          戻る
        </button>
        <BusyButton className="button own-danger" isBusy={isDeleting} onClick={() => void confirmDeletion()}>
          削除
        </BusyButton>
      </div>
    </Dialog>
  );
}
