import { formatLength } from '../../../contract/sounds/durations.ts';
import { toSrcset } from '../../../contract/site/pictures.ts';
import { CARD_PICTURE_SIZES } from '../../lib/picture-sizes.ts';
import { toPlayAdvice } from '../../browser/tracks.ts';
import { $failedIds } from '../../stores/player/player.ts';
import { Icon } from '../ui/Icon.tsx';
import { startFromCard } from './start-from-card.ts';
import { WaveShape, Waveform } from './Waveform.tsx';
import { useStore } from '../ui/use-store.ts';

interface CardPictureProps {
  url: string | null;
  /** Shown if there is no picture. */
  wave: string;
}

/** A card's thumbnail. /sounds preloads its first one in its head (PicturePreload.astro). */
export function CardPicture({ url, wave }: CardPictureProps) {
  return url ? (
    <img
      data-thumbnail=""
      className="size-full object-cover"
      src={url}
      srcSet={toSrcset(url, 'thumbnail')}
      sizes={CARD_PICTURE_SIZES}
      alt=""
      loading="lazy"
      decoding="async"
    />
  ) : (
    <WaveShape wave={wave} className="p-4 text-field sm:p-8" />
  );
}

interface CardWaveProps {
  soundId: string;
  wave: string;
  title: string;
  /** 0: unknown. */
  durationMs: number;
}

/** A card's waveform, which starts the sound, and the duration. */
export function CardWave({ soundId, wave, title, durationMs }: CardWaveProps) {
  return (
    <div className="card-wave flex items-center gap-2">
      <div className="h-11 flex-1 [&_svg]:py-1.5" data-island="wave">
        <Waveform
          soundId={soundId}
          wave={wave}
          title={title}
          durationSec={durationMs / 1000}
          onStart={startFromCard}
        />
      </div>
      {durationMs > 0 && (
        <span className="tabular text-xs text-muted">{formatLength(durationMs / 1000)}</span>
      )}
    </div>
  );
}

interface CardTextProps {
  id: string;
  src: string;
  text: string;
}

/** A card's description, or why its sound did not play. */
export function CardText({ id, src, text }: CardTextProps) {
  return useStore($failedIds).has(id) ? (
    <p role="status" className="flex items-center gap-1 text-sm text-danger">
      <Icon name="warning" className="size-4 flex-none" />
      再生できませんでした。{toPlayAdvice(src)}
    </p>
  ) : (
    <p className="card-text line-clamp-2">{text}</p>
  );
}
