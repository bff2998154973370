/** The part of a picture that has been sent, from 0 to 1; at 1 the host processes it. */
export function PictureProgress({ share }: { share: number }) {
  const percent = Math.round(share * 100);
  return (
    <p className="grid gap-1 text-sm">
      <progress className="transfer-bar" max={100} value={percent} aria-label="送信の進み具合" />
      <span className="tabular">{percent < 100 ? `送信しています… ${percent}%` : '仕上げています…'}</span>
    </p>
  );
}
