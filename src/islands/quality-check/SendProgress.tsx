import { formatBytes } from '../../lib/format.ts';

/** How far the application as a whole has come; once all of it has left, the host looks at it. */
export function SendProgress({ share, totalBytes }: { share: number; totalBytes: number }) {
  const percent = Math.floor(Math.min(share, 1) * 100);
  return (
    <div className="grid gap-1 text-sm">
      <progress className="transfer-bar" max={100} value={percent} aria-label="送信の進み具合" />
      <p className="tabular">
        {percent === 100
          ? 'すべて送りました。ファイルを確かめています…'
          : `${formatBytes(share * totalBytes)} / ${formatBytes(totalBytes)}（${percent}%）`}
      </p>
    </div>
  );
}
