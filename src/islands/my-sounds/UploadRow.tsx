import { type RefObject, useLayoutEffect, useRef } from 'react';
import { AUDIO_ACCEPT } from '../../../contract/sounds/audio-files.ts';
import { speakDuration } from '../../../contract/sounds/durations.ts';
import { formatBytes } from '../../lib/format.ts';
import { cancelUpload, chooseAgain, findUpload, retryUpload } from '../../stores/uploads/uploads.ts';
import type { PauseCause, SoundUpload, UploadProgress } from '../../stores/uploads/uploads.ts';
import { FieldError } from '../ui/FieldFrame.tsx';
import { FileInput } from '../ui/FileInput.tsx';
import { Icon } from '../ui/Icon.tsx';

interface UploadRowProps {
  upload: SoundUpload;
  typeName: string | undefined;
}

/** One file of the queue: its progress, and the available actions. */
export function UploadRow({ upload, typeName }: UploadRowProps) {
  const { id, name, sizeBytes, progress } = upload;
  const isOver = progress.state === 'failed' || progress.state === 'missing';
  const row = useRef<HTMLLIElement>(null);
  useFocusOnRemove(row);
  return (
    <li ref={row} className="own-queue-row">
      <div className="own-queue-text">
        <p className="flex items-baseline gap-2">
          <span className="truncate font-semibold">{name}</span>
          {typeName !== undefined && <span className="flex-none text-sm text-muted">{typeName}</span>}
        </p>
        {progress.state === 'failed' ? (
          progress.reasons.map((reason) => <FieldError key={reason} error={reason} />)
        ) : (
          <>
            <progress
              className={`transfer-bar mt-2 mb-1 ${progress.state === 'sending' ? '' : 'is-still'}`}
              max={sizeBytes}
              value={toSentBytes(progress)}
              aria-label={`${name}の送信の進み具合`}
            />
            <p className="tabular flex flex-wrap gap-x-4 text-[0.875rem] text-muted">
              <span>{describeSize(progress, sizeBytes)}</span>
              <span className={progress.state === 'paused' ? 'font-semibold text-ink' : undefined}>
                {describeState(progress, sizeBytes)}
              </span>
            </p>
            {progress.state === 'missing' && <FieldError error={progress.problem} />}
          </>
        )}
      </div>
      <div className="ml-auto flex flex-none gap-1">
        {progress.state === 'failed' && progress.canRetry && (
          <button
            type="button"
            className="button"
            aria-label={`${name}を再試行`}
            onClick={() => {
              focusRow(row.current);
              retryUpload(id);
            }}
          >
            再試行
          </button>
        )}
        {progress.state === 'missing' && (
          <FileChooser id={id} name={name} onTaken={() => focusRow(row.current)} />
        )}
        {progress.state !== 'other-tab' && (
          <button
            type="button"
            className="icon-button own-queue-end"
            aria-label={isOver ? `${name}を一覧から消す` : `${name}のアップロードをキャンセル`}
            title={isOver ? '一覧から消す' : 'キャンセル'}
            onClick={() => cancelUpload(id)}
          >
            <Icon name="close" className="size-5" />
          </button>
        )}
      </div>
    </li>
  );
}

/** Focuses the button that exists for the whole lifetime of a row. */
export function focusRow(row: Element | null): void {
  row?.querySelector<HTMLElement>('.own-queue-end')?.focus();
}

/** A removed row passes focus to the next one, or to the element before the list. */
function useFocusOnRemove(ref: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const row = ref.current;
    return () => {
      if (!row?.contains(document.activeElement)) return;
      const neighbour = row.nextElementSibling ?? row.previousElementSibling;
      const panel = row.closest<HTMLElement>('[role=tabpanel]');
      const upload = panel?.querySelector<HTMLElement>('.own-upload');
      (neighbour?.querySelector<HTMLElement>('.own-queue-end') ?? upload ?? panel)?.focus();
    };
  }, [ref]);
}

interface FileChooserProps {
  id: string;
  name: string;
  /** The file was accepted, and the chooser is about to be removed. */
  onTaken: () => void;
}

/** Chooses the file to resume its upload. */
function FileChooser({ id, name, onTaken }: FileChooserProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <FileInput
        ref={input}
        label={`${name}の続きに使うファイル`}
        accept={AUDIO_ACCEPT}
        onChoose={([file]) => {
          if (file) chooseAgain(id, file);
          if (findUpload(id)?.progress.state !== 'missing') onTaken();
        }}
      />
      <button
        type="button"
        className="button"
        aria-label={`${name}：ファイルを選ぶ`}
        onClick={() => input.current?.click()}
      >
        ファイルを選ぶ
      </button>
    </>
  );
}

const PAUSES: Readonly<Record<PauseCause, string>> = {
  offline: '接続を待っています。つながると続きから送ります。',
  busy: 'サーバーが混み合っています。少し待って続きから送ります。',
  full: 'サーバーの空き容量を待っています。空きができると続きから送ります。',
};

type Going = Exclude<UploadProgress, { state: 'failed' }>;

function toSentBytes(progress: Going): number {
  return progress.state === 'waiting' ? 0 : progress.sentBytes;
}

/** Bytes sent, and the total. */
function describeSize(progress: Going, sizeBytes: number): string {
  const size = formatBytes(sizeBytes);
  if (progress.state === 'waiting' || progress.sentBytes >= sizeBytes) return size;
  return `${progress.sentBytes === 0 ? '0 KB' : formatBytes(progress.sentBytes)} / ${size}`;
}

/** Speed and remaining time, or what the upload waits for. */
function describeState(progress: Going, sizeBytes: number): string {
  switch (progress.state) {
    case 'waiting':
      return '順番を待っています';
    case 'paused':
      return PAUSES[progress.cause];
    case 'other-tab':
      return 'ほかのタブで処理しています';
    case 'missing':
      return '同じファイルを選ぶと、続きから送ります';
    case 'sending': {
      const { sentBytes, bytesPerSec } = progress;
      if (sentBytes >= sizeBytes) return '仕上げています…';
      if (bytesPerSec === null) return '';
      const left = speakDuration(Math.ceil((sizeBytes - sentBytes) / bytesPerSec));
      return `${formatBytes(bytesPerSec)}/秒・残り${left}`;
    }
  }
}
