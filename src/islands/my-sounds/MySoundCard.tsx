import { UNTITLED, type Sound } from '../../../contract/sounds/sounds.ts';
import { formatCount } from '../../lib/format.ts';
import { isExtended } from '../../browser/extended-host.ts';
import { toTrackData } from '../../lib/card-sound.ts';
import { toWave } from '../../lib/wave.ts';
import { isOwnSound, openDeletion, openEditor } from '../../stores/my-sounds/my-sounds.ts';
import { SoundReportNotice } from '../reports/OwnReports.tsx';
import { CardPicture, CardWave } from '../sounds/CardParts.tsx';
import { PlayButton } from '../sounds/PlayButton.tsx';
import { SoundTitle } from '../sounds/SoundTitle.tsx';
import { Icon } from '../ui/Icon.tsx';
import { listFindings } from './finding-texts.ts';

/** An artist's own sound (spec §2): its figures, and buttons to edit and delete it. */
export function MySoundCard({ sound, artist }: { sound: Sound; artist: string }) {
  const title = sound.title || UNTITLED;
  const wave = toWave(sound.peaks);
  const durationMs = sound.duration_ms ?? 0;
  const findings = sound.findings ? listFindings(sound.findings, durationMs) : [];
  return (
    <article
      className="card"
      {...toTrackData(sound)}
      data-private={sound.is_published ? undefined : ''}
      aria-label={title}
    >
      <div className="card-picture">
        <CardPicture url={sound.thumbnail_url} wave={wave} />
        {!sound.is_published && (
          <span className="ai-badge inline-flex min-h-6 items-center gap-1">
            <Icon name="eye-off" className="size-4 flex-none" />
            {sound.hidden_reason === undefined ? (
              '非公開'
            ) : (
              <span className="break-keep">
                運営が
                <wbr />
                非公開
              </span>
            )}
          </span>
        )}
        {sound.file_url && <PlayButton src={sound.file_url} title={title} />}
      </div>
      <div className="card-body">
        <h3 className="text-[0.9375rem]">
          {/* A private sound has no public page. */}
          <SoundTitle
            id={sound.id}
            title={title}
            hasPage={sound.is_published && isExtended()}
            className="mb-0"
          />
        </h3>
        {/* For the player, which reads its tracks from the cards. */}
        <span data-artist="" hidden>
          {sound.artist_name || artist}
        </span>
        <CardWave soundId={sound.id} wave={wave} title={title} durationMs={durationMs} />
        <p
          className={`tabular flex flex-wrap gap-x-4 text-[0.8125rem] ${sound.is_published ? '' : 'text-muted'}`}
        >
          <span>ダウンロード: {formatCount(sound.download_count)}</span>
          <span>お気に入り: {formatCount(sound.favorite_count)}</span>
        </p>
        {sound.hidden_reason !== undefined && (
          <p className="own-finding">
            <Icon name="warning" className="mt-0.5 size-4 flex-none" />
            <span className="min-w-0 wrap-anywhere">非公開の理由：{sound.hidden_reason}</span>
          </p>
        )}
        {isExtended() && <SoundReportNotice soundId={sound.id} />}
        {findings.length > 0 && (
          <p className="own-finding">
            <Icon name="warning" className="mt-0.5 size-4 flex-none" />
            <span>気になる点：{findings.map(({ name }) => name).join('、')}</span>
          </p>
        )}
        {isOwnSound(sound, artist) && (
          <div className="mt-1 flex flex-wrap gap-2">
            {sound.is_editable && (
              <button
                type="button"
                className="button flex-1"
                aria-haspopup="dialog"
                aria-label={`${title}を編集`}
                onClick={() => openEditor(sound)}
              >
                <Icon name="edit" className="size-5" />
                編集
              </button>
            )}
            <button
              type="button"
              className="button flex-1"
              aria-haspopup="dialog"
              aria-label={`${title}を削除`}
              onClick={() => openDeletion([sound])}
            >
              <Icon name="trash" className="size-5" />
              削除
            </button>
          </div>
        )}
      </div>
    </article>
  );
}
