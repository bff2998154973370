import { useRef } from 'react';
import { toWave } from '../../lib/wave.ts';
import { chooseThumbnail, findProblem } from '../../stores/my-sounds/my-sounds.ts';
import type { SoundEditing } from '../../stores/my-sounds/my-sounds.ts';
import { WaveShape } from '../sounds/Waveform.tsx';
import { Icon } from '../ui/Icon.tsx';
import { PictureInput } from '../ui/PictureInput.tsx';
import { PictureProgress } from '../ui/PictureProgress.tsx';
import { EditRow } from './EditRow.tsx';
import { useFileDrop } from '../ui/use-file-drop.ts';

/** The thumbnail: a click replaces it and previews it before it is sent (spec §2). */
export function ThumbnailField({ editing }: { editing: SoundEditing }) {
  const { thumbnail, savedThumbnail, peaks, saving } = editing;
  const input = useRef<HTMLInputElement>(null);
  const picture = thumbnail?.preview ?? savedThumbnail;
  const isSending = saving?.fields.includes('thumbnail') === true;
  const problem = findProblem(editing, 'thumbnail');
  const drop = useFileDrop(saving === null ? ([file]) => file && chooseThumbnail(file) : null);
  return (
    <EditRow editing={editing} field="thumbnail" label="サムネイル">
      <div className="sound-thumbnail" data-over={drop.isOver || undefined} {...drop.handlers}>
        <button
          type="button"
          id="sound-thumbnail"
          className="picture-frame sound-thumbnail-frame"
          aria-label="サムネイルの画像を選ぶ"
          data-wrong={problem === null ? undefined : ''}
          aria-describedby={problem === null ? undefined : 'sound-thumbnail-error'}
          aria-disabled={saving !== null || undefined}
          onClick={() => input.current?.click()}
        >
          {picture ? (
            <img src={picture} alt={thumbnail ? '選んだ画像' : '今のサムネイル'} />
          ) : (
            <WaveShape wave={toWave(peaks)} className="p-4 text-field" />
          )}
          <span className="picture-button sound-thumbnail-sign" aria-hidden="true">
            <Icon name="camera" className="size-5" />
          </span>
        </button>
        <div className="sound-thumbnail-text">
          <p className="form-hint">.jpg、.jpeg、.png で 10MB まで</p>
          {thumbnail && !isSending && <p>まだ保存していません。</p>}
          {isSending && <PictureProgress share={saving?.share ?? 0} />}
        </div>
      </div>
      <PictureInput ref={input} onChoose={chooseThumbnail} />
    </EditRow>
  );
}
