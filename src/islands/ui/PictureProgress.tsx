/** How much of a picture has left, from 0 to 1; once all of it has, the host is at work. */
export function PictureProgress({ share }: { share: number }) {
  const percent = Math.round(share * 100);
  return (
    <p className="grid gap-1 text-sm">
      <progress className="transfer-bar" max={100} value={percent} aria-label="送信の進み具合" />
      <span className="tabular">{percent < 100 ? `送信しています… ${percent}%` : '仕上げています…'}</span>
    </p>
  );
}
