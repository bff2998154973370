import { useEffect, useRef } from 'react';
import { $photograph, openPhotograph } from './identity.ts';
import { SealMessage } from './SealMessage.tsx';
import { useStore } from '../../ui/use-store.ts';

interface IdentityPhotographProps {
  id: string;
  /** 1 fits the width. */
  zoom: number;
  /** Quarter turns to the right. */
  turns: number;
}

/** The opened photograph of an ID, drawn from memory: it has no address that could be saved or shared. */
export function IdentityPhotograph({ id, zoom, turns }: IdentityPhotographProps) {
  const photograph = useStore($photograph);
  const picture = photograph.state === 'open' && photograph.id === id ? photograph.picture : null;
  return (
    <div className="panel desk-photograph" tabIndex={0} role="region" aria-label="本人確認書類">
      {picture && <Picture picture={picture} zoom={zoom} turns={turns} />}
      {photograph.state === 'closed' && (
        <p className="text-muted">鍵のファイルを選ぶと、ここに写真が表示されます。</p>
      )}
      {photograph.state === 'opening' && <p role="status">写真を開いています…</p>}
      {photograph.state === 'failed' && photograph.problem.kind === 'call' && (
        <div className="grid justify-items-center gap-2">
          <p role="status">写真を受け取れませんでした。</p>
          <button type="button" className="button" onClick={() => void openPhotograph(id)}>
            もう一度開く
          </button>
        </div>
      )}
      {photograph.state === 'failed' && photograph.problem.kind !== 'call' && (
        <SealMessage problem={photograph.problem} id={id} />
      )}
    </div>
  );
}

function Picture({ picture, zoom, turns }: Omit<IdentityPhotographProps, 'id'> & { picture: ImageBitmap }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const element = canvas.current;
    const context = element?.getContext('2d');
    if (!element || !context) return undefined;
    const { width, height } = picture;
    const isUpright = turns % 2 === 0;
    element.width = isUpright ? width : height;
    element.height = isUpright ? height : width;
    context.translate(element.width / 2, element.height / 2);
    context.rotate((turns * Math.PI) / 2);
    context.drawImage(picture, -width / 2, -height / 2);
    // Frees the pixels.
    return () => void (element.width = 0);
  }, [picture, turns]);
  return (
    <canvas
      ref={canvas}
      role="img"
      aria-label="本人確認書類の写真"
      className={zoom === 1 ? 'is-fitted' : undefined}
      style={{ width: `${zoom * 100}%` }}
    />
  );
}
