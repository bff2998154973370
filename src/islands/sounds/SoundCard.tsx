import { UNTITLED } from '../../../contract/sounds/sounds.ts';
import { type CardSound, toTrackData } from '../../lib/card-sound.ts';
import { toInitial } from '../../lib/picture-sizes.ts';
import { artistPath, similarPath } from '../../lib/paths.ts';
import { toWave } from '../../lib/wave.ts';
import { CardPicture, CardText, CardWave } from './CardParts.tsx';
import { DownloadButton } from './DownloadButton.tsx';
import { FavoriteButton } from './FavoriteButton.tsx';
import { PlayButton } from './PlayButton.tsx';
import { SoundTitle } from './SoundTitle.tsx';

export interface SoundCardProps {
  sound: CardSound;
  /** Whether the sound has a page. */
  hasPage: boolean;
}

/**
 * The public sound card (spec §2) of every list of sounds. Pages render it as HTML once (`card-html.ts`); there, each
 * element with `data-island` is an island of its own (`card-islands.tsx`).
 */
export function SoundCard({ sound, hasPage }: SoundCardProps) {
  const title = sound.title || UNTITLED;
  const wave = toWave(sound.peaks);
  const durationMs = sound.duration_ms ?? 0;
  return (
    <article className="card group" {...toTrackData(sound)} aria-label={title}>
      <div className="card-picture">
        <CardPicture url={sound.thumbnail_url} wave={wave} />
        {sound.is_ai_generated && <span className="ai-badge">AI</span>}
        {sound.has_similar && hasPage && (
          <a className="card-similar" href={similarPath(sound.id)} aria-label={`${title}に似た音を探す`}>
            似た音を探す
          </a>
        )}
        {sound.file_url && <PlayButton src={sound.file_url} title={title} />}
      </div>
      <div className="card-body">
        <h3 className="text-[0.9375rem]">
          <SoundTitle id={sound.id} title={title} hasPage={hasPage} />
        </h3>
        <div className="-mb-2" data-island="text">
          <CardText id={sound.id} src={sound.file_url ?? ''} text={sound.description} />
        </div>
        <CardWave soundId={sound.id} wave={wave} title={title} durationMs={durationMs} />
        <div className="-mr-2 flex items-center">
          <a
            href={sound.artist_name === '' ? undefined : artistPath(sound.artist_name)}
            className="flex min-h-11 min-w-0 flex-1 items-center gap-2 text-sm hover:underline"
          >
            <Avatar name={sound.artist_name} picture={sound.user_profile_picture} />
            <span data-artist="" className="line-clamp-2">
              {sound.artist_name}
            </span>
          </a>
          <span className="contents" data-island="favorite">
            <FavoriteButton id={sound.id} title={title} />
          </span>
        </div>
        <span className="contents" data-island="download">
          <DownloadButton id={sound.id} title={title} artist={sound.artist_name} />
        </span>
      </div>
    </article>
  );
}

/** An artist's picture, or the first letter of the name. */
export function Avatar({ name, picture }: { name: string; picture: string | null }) {
  if (picture === null) {
    return (
      <span className="avatar" aria-hidden="true">
        {toInitial(name)}
      </span>
    );
  }
  return (
    <img className="avatar" src={picture} alt="" width={28} height={28} loading="lazy" decoding="async" />
  );
}
