import type { CardSound } from '../../lib/card-sound.ts';
import { artistPath } from '../../lib/paths.ts';
import { toPlayAdvice } from '../../lib/tracks.ts';
import { useShared } from '../../lib/use-shared.ts';
import { toWavePath } from '../../lib/wave.ts';
import { $failedIds } from '../../stores/player/player.ts';
import { Icon } from '../ui/Icon.tsx';
import { CardPicture, CardWave } from './CardParts.tsx';
import { DownloadButton } from './DownloadButton.tsx';
import { FavoriteButton } from './FavoriteButton.tsx';
import { PlayButton } from './PlayButton.tsx';
import { SoundTitle } from './SoundTitle.tsx';

const NONE: ReadonlySet<string> = new Set();

interface SoundCardProps {
  sound: CardSound;
  isFirst: boolean;
  /** Whether the sound has a page. */
  hasPage: boolean;
}

/** The public sound card (spec §2) of every list of sounds. */
export function SoundCard({ sound, isFirst, hasPage }: SoundCardProps) {
  const hasFailed = useShared($failedIds, NONE).has(sound.id);
  const title = sound.title || 'Untitled';
  const wave = toWavePath(sound.peaks);
  const durationMs = sound.duration_ms ?? 0;
  return (
    <article
      className="card group"
      data-sound={sound.id}
      data-duration-ms={durationMs || undefined}
      aria-label={title}
    >
      <div className="card-picture">
        <CardPicture url={sound.thumbnail_url} wave={wave} isFirst={isFirst} />
        {sound.is_ai_generated && <span className="ai-badge">AI</span>}
        {sound.file_url && <PlayButton src={sound.file_url} title={title} />}
      </div>
      <div className="card-body">
        <h3 className="text-[15px]">
          <SoundTitle id={sound.id} title={title} hasPage={hasPage} />
        </h3>
        {hasFailed ? (
          <p role="status" className="flex items-center gap-1 text-sm text-danger">
            <Icon name="warning" className="size-4 flex-none" />
            再生できませんでした。{toPlayAdvice(sound.file_url ?? '')}
          </p>
        ) : (
          <p className="line-clamp-2 min-h-[1.5em] text-[13px] leading-normal text-muted">
            {sound.description}
          </p>
        )}
        <CardWave soundId={sound.id} wave={wave} title={title} durationMs={durationMs} />
        <div className="flex items-center gap-1">
          <a
            href={sound.artist_name === '' ? undefined : artistPath(sound.artist_name)}
            className="flex min-h-11 min-w-0 flex-1 items-center gap-2 text-sm hover:underline"
          >
            <Avatar name={sound.artist_name} picture={sound.user_profile_picture} />
            <span data-artist="" className="truncate">
              {sound.artist_name}
            </span>
          </a>
          <FavoriteButton id={sound.id} title={title} />
        </div>
        <DownloadButton id={sound.id} title={title} artist={sound.artist_name} />
      </div>
    </article>
  );
}

/** An artist's picture, or the first letter of the name. */
export function Avatar({ name, picture }: { name: string; picture: string | null }) {
  if (picture === null) {
    return (
      <span className="avatar" aria-hidden="true">
        {[...name][0] ?? ''}
      </span>
    );
  }
  return (
    <img className="avatar" src={picture} alt="" width={28} height={28} loading="lazy" decoding="async" />
  );
}
