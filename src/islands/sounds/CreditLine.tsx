import { useRef } from 'react';
import { copyText } from '../../browser/copy-text.ts';
import { toCreditText } from '../../lib/credit-text.ts';
import { showToast } from '../../stores/overlays/overlays.ts';

/** A credit line, ready to paste. */
export function CreditLine({ title, artist, siteName }: { title: string; artist: string; siteName: string }) {
  const credit = toCreditText(title, artist, siteName);
  const line = useRef<HTMLSpanElement>(null);
  const copy = async () => {
    if (await copyText(credit)) return showToast('success', 'クレジットをコピーしました');
    if (line.current) getSelection()?.selectAllChildren(line.current);
    return showToast('error', 'コピーできませんでした。選択された文字をコピーしてください。');
  };
  return (
    <div className="flex max-w-[44em] flex-wrap items-center gap-3 rounded-control bg-tint px-4 py-2 text-sm">
      <p className="flex-[1_1_10rem]">
        <span className="block text-xs text-muted">クレジット表記</span>
        <span ref={line}>{credit}</span>
      </p>
      <button type="button" className="button flex-none" data-replay="" onClick={() => void copy()}>
        コピー
      </button>
    </div>
  );
}
