import { useStore } from '@nanostores/react';
import { $deletion, closeDeletion, confirmDeletion } from '../../stores/my-sounds/my-sounds.ts';
import { Dialog } from '../ui/Dialog.tsx';

/** Asks before a sound is deleted permanently (spec §2). */
export function DeleteSoundDialog() {
  const deletion = useStore($deletion);
  const isDeleting = deletion.state === 'deleting';
  return (
    <Dialog
      isOpen={deletion.state !== 'closed'}
      isBlocked={isDeleting}
      titleId="delete-sound-title"
      onClose={closeDeletion}
    >
      <h2 id="delete-sound-title" className="text-lg">
        ファイルの削除
      </h2>
      {deletion.state !== 'closed' && (
        <>
          <p className="font-semibold">{deletion.sound.title || 'Untitled'}</p>
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
        <button
          type="button"
          className="button own-danger"
          aria-disabled={isDeleting || undefined}
          aria-busy={isDeleting || undefined}
          onClick={() => void confirmDeletion()}
        >
          {isDeleting ? '処理中...' : '削除'}
        </button>
      </div>
    </Dialog>
  );
}
