import { useRef } from 'react';
import type { SoundType } from '../../../contract/sounds/genres.ts';
import { $uploads, retryAllUploads } from '../../stores/uploads/uploads.ts';
import type { SoundUpload, UploadProgress } from '../../stores/uploads/uploads.ts';
import { UploadRow, focusRow } from './UploadRow.tsx';
import { useStore } from '../ui/use-store.ts';

/** The files being uploaded, and those that failed. */
export function UploadQueue({ types }: { types: readonly SoundType[] }) {
  const uploads = useStore($uploads);
  const list = useRef<HTMLUListElement>(null);
  const canRetry = uploads.filter(({ progress }) => progress.state === 'failed' && progress.canRetry);
  return (
    <>
      <p className="sr-only" role="status">
        {describeQueue(uploads)}
      </p>
      {uploads.length > 0 && (
        <div className="panel own-queue">
          <ul ref={list} aria-label="アップロード中のファイル">
            {uploads.map((upload) => (
              <UploadRow
                key={upload.id}
                upload={upload}
                typeName={types.find(({ id }) => id === upload.typeId)?.name}
              />
            ))}
          </ul>
          {canRetry.length > 1 && (
            <button
              type="button"
              className="button justify-self-end"
              onClick={() => {
                focusRow(list.current);
                retryAllUploads();
              }}
            >
              失敗した{canRetry.length}件をもう一度送る
            </button>
          )}
        </div>
      )}
    </>
  );
}

/** Announced text: it changes with a file's state, not with every byte. */
function describeQueue(uploads: readonly SoundUpload[]): string {
  const count = (...states: UploadProgress['state'][]) =>
    uploads.filter(({ progress }) => states.includes(progress.state)).length;
  const tell = (many: number, text: string) => (many > 0 ? `${many}件${text}` : '');
  return [
    tell(count('waiting', 'sending'), 'をアップロードしています。'),
    tell(count('paused'), 'が再開を待っています。'),
    tell(count('other-tab'), 'をほかのタブで処理しています。'),
    tell(count('missing'), 'は同じファイルを選ぶと続きから送ります。'),
    tell(count('failed'), 'をアップロードできませんでした。'),
  ].join('');
}
