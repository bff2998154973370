import { useEffect, useRef } from 'react';
import type { Watch } from '../../ads/watching.ts';
import { Dialog, focusFirst } from '../ui/Dialog.tsx';
import { Icon } from '../ui/Icon.tsx';
import { NoticeVideo } from './NoticeVideo.tsx';
import { useStore } from '../ui/use-store.ts';

/** The operator's notice over the whole page, until the user has watched or closed it. */
export function NoticeOverlay({ watch }: { watch: Watch }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const { notice, state, leftMs, totalMs, announcement, isAudible } = useStore(watch.$view);
  useEffect(() => dialog.current?.showModal(), []);
  const leftSec = Math.ceil(leftMs / 1000);
  return (
    <dialog
      ref={dialog}
      className="notice-overlay"
      aria-labelledby="notice-title"
      closedby="none"
      // Escape asks every time; browsers without closedby would close at the second press.
      onKeyDown={(event) => {
        // The Escape that answers the question also arrives here.
        if (event.key !== 'Escape' || state === 'asking') return;
        event.preventDefault();
        watch.ask();
      }}
      onCancel={(event) => {
        if (event.target === dialog.current) event.preventDefault();
      }}
      onClose={(event) => {
        if (event.target !== dialog.current || state === 'over') return;
        dialog.current.showModal();
        watch.ask();
      }}
    >
      <div className="flex flex-none items-center gap-4 p-1 pl-4">
        <h2 id="notice-title" className="text-sm">
          広告
        </h2>
        <p className="tabular ml-auto font-semibold">
          {state === 'opening' ? '読み込み中…' : `残り${leftSec}秒`}
        </p>
        <button type="button" className="icon-button" aria-label="閉じる" onClick={watch.ask}>
          <Icon name="close" />
        </button>
      </div>
      <progress
        className="transfer-bar"
        aria-label="広告が終わるまで"
        max={totalMs}
        value={totalMs - leftMs}
      />
      <div className="relative flex min-h-0 flex-1 flex-col items-center justify-center gap-4 p-4">
        {notice.kind === 'picture' ? (
          <img
            className="notice-overlay-picture"
            src={notice.url}
            alt={notice.text}
            onLoad={watch.begin}
            onError={watch.fail}
          />
        ) : (
          <NoticeVideo
            notice={notice}
            isPaused={state === 'paused' || state === 'asking'}
            isAudible={isAudible}
            onBegin={watch.begin}
            onFail={watch.fail}
            onAudible={watch.setAudible}
          />
        )}
      </div>
      <div className="flex flex-none flex-wrap justify-center gap-2 px-4 pb-4 empty:hidden">
        {notice.link !== null && (
          // Marked as paid for search engines, and without a referrer.
          <a
            className="button"
            href={notice.link}
            target="_blank"
            rel="noopener noreferrer nofollow sponsored"
          >
            {new URL(notice.link).host}
            <Icon name="external" className="size-4" />
            <span className="sr-only">(新しいタブで開きます)</span>
          </a>
        )}
      </div>
      <p role="status" className="sr-only">
        {announcement}
      </p>
      <Dialog isOpen={state === 'asking'} title="広告を閉じますか?" onClose={watch.resume}>
        <p>いま閉じると、ダウンロードは始まりません。あと{leftSec}秒で終わります。</p>
        <div className="dialog-actions">
          <button type="button" className="button" onClick={watch.giveUp}>
            閉じる
          </button>
          <button ref={focusFirst} type="button" className="button button-primary" onClick={watch.resume}>
            広告に戻る
          </button>
        </div>
      </Dialog>
    </dialog>
  );
}
