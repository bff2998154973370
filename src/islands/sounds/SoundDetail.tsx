import { useEffect } from 'react';
import { toSrcset } from '../../../contract/pictures.ts';
import type { Sound } from '../../../contract/sounds.ts';
import { formatClock } from '../../lib/format.ts';
import { artistPath } from '../../lib/paths.ts';
import { markPlayButtons, toPlayAdvice } from '../../lib/tracks.ts';
import { useShared } from '../../lib/use-shared.ts';
import { toWavePath } from '../../lib/wave.ts';
import { $failedIds, $playTime, $playingId, $trackId, startPlayer } from '../../stores/player/player.ts';
import type { PlayTime } from '../../stores/player/player.ts';
import { loadFavorites } from '../../stores/favorites/favorites.ts';
import { CreditLine } from './CreditLine.tsx';
import { DownloadButton } from './DownloadButton.tsx';
import { FavoriteButton } from './FavoriteButton.tsx';
import { PlayButton } from './PlayButton.tsx';
import { Avatar } from './SoundCard.tsx';
import { startFromCard } from './start-from-card.ts';
import { WaveShape, Waveform } from './Waveform.tsx';

const NONE: ReadonlySet<string> = new Set();
const STOPPED: PlayTime = { currentSec: 0, durationSec: 0 };

/** The head of a sound's page: picture, waveform and actions. */
export function SoundDetail({ sound, siteName }: { sound: Sound; siteName: string }) {
  useEffect(() => {
    startPlayer();
    loadFavorites();
    markPlayButtons($playingId.get());
  }, []);
  const hasFailed = useShared($failedIds, NONE).has(sound.id);
  const title = sound.title || 'Untitled';
  const wave = toWavePath(sound.peaks);
  const durationSec = (sound.duration_ms ?? 0) / 1000;
  return (
    <article
      className="grid gap-6 md:grid-cols-[280px_minmax(0,1fr)] md:gap-8"
      data-sound={sound.id}
      data-duration-ms={sound.duration_ms}
    >
      <div className="relative aspect-square w-full max-w-[280px] overflow-hidden rounded-card bg-tint">
        {sound.thumbnail_url ? (
          <img
            data-thumbnail=""
            className="size-full object-cover"
            src={sound.thumbnail_url}
            srcSet={toSrcset(sound.thumbnail_url, 'thumbnail')}
            sizes="280px"
            alt=""
            width={280}
            height={280}
          />
        ) : (
          <WaveShape wave={wave} className="p-8 text-field" />
        )}
        {sound.is_ai_generated && <span className="ai-badge">AI</span>}
      </div>
      <div className="flex min-w-0 flex-col gap-4">
        <div>
          <h1 data-title="" className="text-2xl md:text-3xl">
            {title}
          </h1>
          <a
            href={artistPath(sound.artist_name)}
            className="mt-2 inline-flex min-h-11 max-w-full items-center gap-2 hover:underline"
          >
            <Avatar name={sound.artist_name} picture={sound.user_profile_picture} />
            <span data-artist="" className="truncate">
              {sound.artist_name}
            </span>
          </a>
        </div>
        <div className="flex items-center gap-4">
          {sound.file_url && <PlayButton src={sound.file_url} title={title} className="play-button-large" />}
          <Waveform
            className="h-16 min-w-0 flex-1"
            soundId={sound.id}
            wave={wave}
            title={title}
            durationSec={durationSec}
            onStart={startFromCard}
          />
          <Clock soundId={sound.id} durationSec={durationSec} />
        </div>
        {hasFailed && (
          <p role="alert" className="text-danger">
            再生できませんでした。{toPlayAdvice(sound.file_url ?? '')}
          </p>
        )}
        <div className="flex flex-wrap items-center gap-2">
          <DownloadButton id={sound.id} title={title} artist={sound.artist_name} className="button-primary" />
          <FavoriteButton id={sound.id} title={title} />
        </div>
        {sound.description && <p className="max-w-[44em] whitespace-pre-line">{sound.description}</p>}
        <CreditLine title={title} artist={sound.artist_name} siteName={siteName} />
      </div>
    </article>
  );
}

function Clock({ soundId, durationSec }: { soundId: string; durationSec: number }) {
  const isCurrent = useShared($trackId, '') === soundId;
  const time = useShared($playTime, STOPPED);
  return (
    <span className="tabular hidden text-sm text-muted sm:inline">
      {isCurrent && `${formatClock(time.currentSec, durationSec)} / `}
      {formatClock(durationSec, durationSec)}
    </span>
  );
}
