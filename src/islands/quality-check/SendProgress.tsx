import { formatBytes } from '../../lib/format.ts';

/** Progress of the whole application. After the last byte is sent, the host processes it. */
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
