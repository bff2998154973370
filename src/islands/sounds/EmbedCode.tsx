import { useRef } from 'react';
import { copyText } from '../../browser/copy-text.ts';
import { showToast } from '../../stores/overlays/overlays.ts';

/** The HTML of a sound's player for other sites, to be copied by the button or by hand. */
export function EmbedCode({ code }: { code: string }) {
  const field = useRef<HTMLTextAreaElement>(null);
  const copy = async () => {
    if (await copyText(code)) return showToast('success', '埋め込みコードをコピーしました');
    field.current?.select();
    return showToast('error', 'コピーできませんでした。選択された文字をコピーしてください。');
  };
  return (
    <div className="mt-2 grid max-w-[44em] justify-items-start gap-2">
      <textarea
        ref={field}
        className="field w-full text-xs"
        rows={4}
        readOnly
        spellCheck={false}
        aria-label="埋め込みコード"
        defaultValue={code}
      />
      <button type="button" className="button" data-replay="" onClick={() => void copy()}>
        コードをコピー
      </button>
    </div>
  );
}
