import { useRef } from 'react';
import type { SitePicture } from '../../../../contract/operator/site.ts';
import { clearSitePicture, siteUploads } from './site.ts';
import { PictureInput } from '../../ui/PictureInput.tsx';
import { PictureProgress } from '../../ui/PictureProgress.tsx';
import { FieldError } from '../../ui/FieldFrame.tsx';
import { useStore } from '../../ui/use-store.ts';

interface SitePictureCardProps {
  picture: SitePicture;
  name: string;
  about: string;
  /** null: there is none. */
  url: string | null;
}

/** One picture of the site: the present one or the chosen one, and what can be done with it. */
export function SitePictureCard({ picture, name, about, url }: SitePictureCardProps) {
  const upload = siteUploads[picture];
  const known = useStore(upload.$upload);
  const input = useRef<HTMLInputElement>(null);
  const shown = known.state === 'empty' ? url : known.preview;
  const problem = known.state === 'sending' ? null : known.problem;
  return (
    <li className="panel console-tile">
      <h3 className="text-base">{name}</h3>
      <p className="text-sm text-muted">{about}</p>
      <p className="grid h-30 place-items-center rounded-[4px] bg-tint p-3">
        {shown === null ? (
          'ありません'
        ) : (
          <img className="max-h-24 max-w-full object-contain" src={shown} alt={`${name}の画像`} />
        )}
      </p>
      <PictureInput ref={input} onChoose={upload.choose} />
      <div role="alert">
        <FieldError id={`${picture}-error`} error={problem ?? undefined} />
      </div>
      {known.state === 'sending' && <PictureProgress share={known.share} />}
      <div className="flex flex-wrap gap-2">
        {known.state === 'empty' && (
          <button
            type="button"
            className="button"
            aria-label={`${name}の画像を選ぶ`}
            onClick={() => input.current?.click()}
          >
            画像を選ぶ
          </button>
        )}
        {known.state === 'empty' && url !== null && (
          <button
            type="button"
            className="button"
            aria-label={`${name}を外す…`}
            onClick={() => void clearSitePicture(picture, name)}
          >
            外す…
          </button>
        )}
        {known.state !== 'empty' && (
          <button
            type="button"
            className="button"
            aria-label={`${name}の変更をやめる`}
            onClick={upload.clear}
          >
            やめる
          </button>
        )}
        {known.state === 'chosen' && (
          <button
            type="button"
            className="button button-primary"
            aria-label={`${name}を保存する`}
            onClick={() => void upload.send()}
          >
            保存する
          </button>
        )}
      </div>
    </li>
  );
}
