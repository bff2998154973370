import { showToast } from '../../stores/toasts.ts';

/** A credit ready to paste: who uses a sound should have to write nothing. */
export function CreditLine({ title, artist, siteName }: { title: string; artist: string; siteName: string }) {
  const credit = `「${title}」 ${artist}(${siteName})`;
  const copy = () =>
    void navigator.clipboard.writeText(credit).then(
      () => showToast('success', 'クレジットをコピーしました'),
      () => showToast('error', 'コピーできませんでした。文字を選んでコピーしてください。'),
    );
  return (
    <div className="flex max-w-[44em] flex-wrap items-center gap-2 rounded-control bg-tint px-4 py-2 text-sm">
      <span className="text-muted">クレジット表記</span>
      <span className="min-w-0 flex-1 basis-48">{credit}</span>
      <button type="button" className="button" data-replay="" onClick={copy}>
        コピー
      </button>
    </div>
  );
}
