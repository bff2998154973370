import { type DownloadView, answerDownload } from '../../stores/downloads/downloads.ts';
import { Dialog, focusFirst } from '../ui/Dialog.tsx';
import type { IconName } from '../../lib/icons.ts';
import { Icon } from '../ui/Icon.tsx';

interface Sheet {
  readonly text: string;
  readonly hint?: string;
  readonly no: string;
  /** Absent if there is nothing to continue. */
  readonly yes?: { readonly text: string; readonly icon: IconName };
  /** The button that most users want. */
  readonly isBackPrimary?: boolean;
}

const ASKING: Sheet = {
  text: '広告閲覧後、無料でダウンロードされます。',
  yes: { text: '広告を見てダウンロード', icon: 'download' },
  no: 'キャンセル',
};

/** The sheet's text in each state; other states show something else or nothing. */
const SHEETS: Readonly<Partial<Record<DownloadView['state'], Sheet>>> = {
  asking: ASKING,
  preparing: ASKING,
  ready: {
    text: '広告の準備ができました。',
    hint: '最後まで表示されると、ダウンロードが始まります。',
    yes: { text: '広告を表示する', icon: 'play' },
    no: 'キャンセル',
  },
  stuck: {
    text: '広告がまだ終わっていません。',
    hint: 'ここで閉じると、ダウンロードは始まりません。',
    yes: { text: '広告を閉じる', icon: 'close' },
    no: '広告に戻る',
    isBackPrimary: true,
  },
  dismissed: {
    text: 'ダウンロードは始まっていません。',
    hint: '広告が最後まで表示されなかったためです。',
    yes: { text: 'もう一度見る', icon: 'play' },
    no: 'やめる',
  },
  settling: {
    text: '表示した時間を確認しています。',
    hint: 'あと少しお待ちください。閉じても、確認が終わるとダウンロードが始まります。',
    no: '閉じる',
  },
};

/** The questions of a download (spec §2, §8). */
export function DownloadSheet({ view }: { view: DownloadView | null }) {
  const sheet = view ? SHEETS[view.state] : undefined;
  return (
    <Dialog
      // A new question takes focus like a new dialog; agreeing to one is not a new question.
      key={view?.state === 'preparing' ? 'asking' : view?.state}
      isOpen={sheet !== undefined}
      titleId="download-text"
      onClose={() => answerDownload(false)}
    >
      {view && sheet && (
        <>
          <p className="text-sm text-muted">
            {view.sound.title} / {view.sound.artist}
          </p>
          <h2 id="download-text" className="text-lg">
            {sheet.text}
          </h2>
          {sheet.hint && <p>{sheet.hint}</p>}
          <p role="status">{view.state === 'preparing' && '広告を読み込んでいます…'}</p>
          <Answers sheet={sheet} isBusy={view.state === 'preparing'} />
        </>
      )}
    </Dialog>
  );
}

function Answers({ sheet: { no, yes, isBackPrimary = false }, isBusy }: { sheet: Sheet; isBusy: boolean }) {
  const toClass = (isFirst: boolean) => `button ${isFirst ? 'button-primary' : ''}`;
  return (
    <div className="dialog-actions">
      <button
        ref={isBackPrimary ? focusFirst : null}
        type="button"
        className={toClass(isBackPrimary)}
        onClick={() => answerDownload(false)}
      >
        {no}
      </button>
      {yes && (
        <button
          ref={isBackPrimary ? null : focusFirst}
          type="button"
          className={toClass(!isBackPrimary)}
          aria-busy={isBusy || undefined}
          aria-disabled={isBusy || undefined}
          onClick={() => {
            if (!isBusy) answerDownload(true);
          }}
        >
          <Icon name={yes.icon} className="size-5" />
          {yes.text}
        </button>
      )}
    </div>
  );
}
