import { useStore } from '@nanostores/react';
import type { SoundType } from '../../../contract/genres.ts';
import { formatBytes, speakDuration } from '../../lib/format.ts';
import {
  $uploads,
  type SoundUpload,
  type UploadProgress,
  cancelUpload,
  retryAllUploads,
  retryUpload,
} from '../../stores/sound-upload.ts';
import { Icon } from '../ui/Icon.tsx';

/** The files on their way, and those that did not arrive. */
export function UploadQueue({ types }: { types: readonly SoundType[] }) {
  const uploads = useStore($uploads);
  const failed = uploads.filter(({ progress }) => progress.state === 'failed');
  const canRetry = failed.filter(({ progress }) => progress.state === 'failed' && progress.canRetry);
  const underWay = uploads.length - failed.length;
  return (
    <>
      <p className="sr-only" role="status">
        {underWay > 0 && `${underWay}件をアップロードしています。`}
        {failed.length > 0 && `${failed.length}件をアップロードできませんでした。`}
      </p>
      {uploads.length > 0 && (
        <div className="own-queue">
          <ul aria-label="アップロード中のファイル">
            {uploads.map((upload) => (
              <UploadRow
                key={upload.id}
                upload={upload}
                typeName={types.find(({ id }) => id === upload.typeId)?.name}
              />
            ))}
          </ul>
          {canRetry.length > 1 && (
            <button type="button" className="button justify-self-end" onClick={retryAllUploads}>
              失敗した{canRetry.length}件をもう一度送る
            </button>
          )}
        </div>
      )}
    </>
  );
}

function UploadRow({ upload, typeName }: { upload: SoundUpload; typeName: string | undefined }) {
  const { id, file, progress } = upload;
  const hasFailed = progress.state === 'failed';
  const sentBytes = progress.state === 'sending' ? progress.sentBytes : 0;
  return (
    <li className="own-queue-row">
      <div className="own-queue-text">
        <p className="flex items-baseline gap-2">
          <span className="truncate font-semibold">{file.name}</span>
          {typeName !== undefined && <span className="flex-none text-sm text-muted">{typeName}</span>}
        </p>
        {progress.state === 'failed' ? (
          progress.reasons.map((reason) => (
            <p key={reason} className="form-error">
              <Icon name="warning" className="size-5 flex-none" />
              {reason}
            </p>
          ))
        ) : (
          <>
            <progress
              className="picture-progress"
              max={file.size}
              value={sentBytes}
              aria-label={`${file.name}の送信の進み具合`}
            />
            <p className="tabular text-sm text-muted">{describeProgress(progress, file.size)}</p>
          </>
        )}
      </div>
      <div className="ml-auto flex flex-none gap-1">
        {hasFailed && progress.canRetry && (
          <button
            type="button"
            className="button"
            aria-label={`${file.name}を再試行`}
            onClick={() => retryUpload(id)}
          >
            再試行
          </button>
        )}
        <button
          type="button"
          className="icon-button"
          aria-label={hasFailed ? `${file.name}を一覧から消す` : `${file.name}のアップロードをキャンセル`}
          title={hasFailed ? '一覧から消す' : 'キャンセル'}
          onClick={() => cancelUpload(id)}
        >
          <Icon name="close" className="size-5" />
        </button>
      </div>
    </li>
  );
}

/** How much has left, how fast, and how long it will take. */
function describeProgress(progress: Exclude<UploadProgress, { state: 'failed' }>, sizeBytes: number): string {
  if (progress.state === 'waiting') return `${formatBytes(sizeBytes)}・順番を待っています`;
  const { sentBytes, bytesPerSec } = progress;
  if (sentBytes >= sizeBytes) return `${formatBytes(sizeBytes)}・仕上げています…`;
  const sent = `${sentBytes === 0 ? '0 KB' : formatBytes(sentBytes)} / ${formatBytes(sizeBytes)}`;
  if (bytesPerSec === null) return sent;
  const left = speakDuration(Math.ceil((sizeBytes - sentBytes) / bytesPerSec));
  return `${sent}・${formatBytes(bytesPerSec)}/秒・残り${left}`;
}
