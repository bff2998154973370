import { useRef } from 'react';
import type { SitePicture } from '../../../../contract/operator/site.ts';
import { clearSitePicture, siteUploads } from './site.ts';
import { RowActions } from '../ConsoleTable.tsx';
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

/** One picture of the site: the saved one or the chosen one, with its actions. */
export function SitePictureCard({ picture, name, about, url }: SitePictureCardProps) {
  const upload = siteUploads[picture];
  const current = useStore(upload.$upload);
  const input = useRef<HTMLInputElement>(null);
  const src = current.state === 'empty' ? url : current.preview;
  const problem = current.state === 'sending' ? null : current.problem;
  return (
    <li className="panel console-tile">
      <h3 className="text-base">{name}</h3>
      <p className="text-sm text-muted">{about}</p>
      <p className="grid h-30 place-items-center rounded-[4px] bg-tint p-3">
        {src === null ? (
          'ありません'
        ) : (
          <img className="max-h-24 max-w-full object-contain" src={src} alt={`${name}の画像`} />
        )}
      </p>
      <PictureInput ref={input} onChoose={upload.choose} />
      <div role="alert">
        <FieldError id={`${picture}-error`} error={problem ?? undefined} />
      </div>
      {current.state === 'sending' && <PictureProgress share={current.share} />}
      <RowActions
        className="flex flex-wrap gap-2"
        of={name}
        actions={[
          current.state === 'empty'
            ? { text: '画像を選ぶ', label: 'の画像を選ぶ', act: () => input.current?.click() }
            : { text: 'やめる', label: 'の変更をやめる', act: upload.clear },
          ...(current.state === 'empty' && url !== null
            ? [{ text: '外す…', label: 'を外す…', act: () => clearSitePicture(picture, name) }]
            : []),
          ...(current.state === 'chosen'
            ? [{ text: '保存する', label: 'を保存する', isMain: true, act: upload.send }]
            : []),
        ]}
      />
    </li>
  );
}
