import { useEffect, useRef } from 'react';
import { formatLength, formatPosition } from '../../../contract/sounds/durations.ts';
import { isExtended } from '../../browser/extended-host.ts';
import { canSetVolume } from '../../browser/volume.ts';
import { soundPath } from '../../lib/paths.ts';
import { type Track, toPlayAdvice } from '../../browser/tracks.ts';
import {
  $isLevelled,
  $isLooping,
  $playTime,
  $playback,
  $track,
  closePlayer,
  playNext,
  playPrevious,
  startPlayer,
  toggleLevel,
  toggleLoop,
  togglePlayback,
} from '../../stores/player/player.ts';
import { WaveShape, Waveform } from '../sounds/Waveform.tsx';
import { Icon } from '../ui/Icon.tsx';
import { VolumeSlider } from './VolumeSlider.tsx';
import { useStore } from '../ui/use-store.ts';

/** The site's player: a bar at the bottom that survives navigations. */
export function PlayerBar() {
  useEffect(startPlayer, []);
  const track = useStore($track, null);
  return track && <Bar track={track} />;
}

function Bar({ track }: { track: Track }) {
  const { state } = useStore($playback);
  const isPlaying = state === 'playing' || state === 'loading';
  const hasVolume = canSetVolume();
  return (
    <section id="player" tabIndex={-1} className="player" aria-label="プレーヤー">
      <div className="player-inner">
        <div className="player-art aspect-square w-full overflow-hidden rounded-control bg-tint [grid-area:art]">
          {track.thumbnail === null ? (
            <WaveShape wave={track.wave} className="p-1 text-field" />
          ) : (
            <img className="size-full object-cover" src={track.thumbnail} alt="" />
          )}
        </div>
        <div className="min-w-0 px-2 [grid-area:text]">
          <PlayerTitle track={track} />
          {state === 'failed' ? (
            <p role="alert" className="line-clamp-2 text-xs leading-snug text-danger">
              再生できませんでした
              <span className="hidden md:inline">。{toPlayAdvice(track.src)}</span>
            </p>
          ) : (
            <p className="pointer-events-none truncate text-xs text-muted">{track.artist}</p>
          )}
        </div>
        <div className="flex items-center [grid-area:keys]">
          <button type="button" className="icon-button" aria-label="前のサウンド" onClick={playPrevious}>
            <Icon name="previous" />
          </button>
          <button
            type="button"
            className="icon-button player-play bg-ink text-paper hover:bg-accent hover:text-on-accent"
            aria-label={isPlaying ? '一時停止' : '再生'}
            onClick={togglePlayback}
          >
            <Icon name={isPlaying ? 'pause' : 'play'} />
          </button>
          <button type="button" className="icon-button" aria-label="次のサウンド" onClick={playNext}>
            <Icon name="next" />
          </button>
        </div>
        <div className="player-line">
          <Times track={track} />
          <LoopButton className="narrow-only" />
          {hasVolume ? <Menu /> : <CloseButton className="narrow-only" />}
        </div>
        <div className="player-extra">
          <LoopButton />
          {hasVolume && (
            <div className="player-roomy">
              <LevelButton />
              <VolumeSlider />
            </div>
          )}
          <CloseButton />
        </div>
      </div>
    </section>
  );
}

function PlayerTitle({ track: { id, title } }: { track: Track }) {
  return isExtended() ? (
    <a className="player-title truncate text-sm font-bold hover:underline" href={soundPath(id)}>
      {title}
    </a>
  ) : (
    <p className="truncate text-sm font-bold">{title}</p>
  );
}

function Times({ track }: { track: Track }) {
  const { currentSec, durationSec } = useStore($playTime);
  const totalSec = durationSec || track.durationSec;
  return (
    <>
      <span className="tabular min-w-9 flex-none text-right text-xs text-muted">
        {formatPosition(currentSec, totalSec)}
      </span>
      <div className="h-11 min-w-0 flex-1 [&_svg]:py-0.5">
        <Waveform soundId={track.id} wave={track.wave} title={track.title} durationSec={track.durationSec} />
      </div>
      <span className="tabular min-w-9 flex-none text-xs text-muted">{formatLength(totalSec)}</span>
    </>
  );
}

/** Controls that do not fit into the bar. */
function Menu() {
  const isLevelled = useStore($isLevelled);
  const menu = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // iOS before 18.3 leaves a popover open when someone taps beside it.
    const close = ({ target }: Event) => {
      if (!(target as Element).closest('.player-menu, .player-more')) menu.current?.hidePopover();
    };
    document.addEventListener('pointerdown', close);
    return () => document.removeEventListener('pointerdown', close);
  }, []);
  return (
    <>
      <button
        type="button"
        className="icon-button player-more"
        aria-label="プレーヤーのメニュー"
        popoverTarget="player-menu"
      >
        <Icon name="chevron" className="size-6 rotate-180" />
      </button>
      <div ref={menu} id="player-menu" popover="auto" className="panel player-menu">
        <button type="button" className="toggle" aria-pressed={isLevelled} onClick={toggleLevel}>
          <Icon name="level" />
          音量をそろえる
        </button>
        <VolumeSlider />
        <button type="button" className="narrow-only" onClick={closePlayer}>
          <Icon name="close" />
          プレーヤーを閉じる
        </button>
      </div>
    </>
  );
}

function CloseButton({ className = '' }: { className?: string }) {
  return (
    <button
      type="button"
      className={`icon-button ${className}`}
      aria-label="プレーヤーを閉じる"
      onClick={closePlayer}
    >
      <Icon name="close" />
    </button>
  );
}

/** Whether sounds play at one loudness. */
function LevelButton() {
  const isLevelled = useStore($isLevelled);
  return (
    <button
      type="button"
      className="icon-button toggle"
      aria-label="音量をそろえる"
      title="音量をそろえる"
      aria-pressed={isLevelled}
      onClick={toggleLevel}
    >
      <Icon name="level" />
    </button>
  );
}

function LoopButton({ className = '' }: { className?: string }) {
  const isLooping = useStore($isLooping);
  return (
    <button
      type="button"
      className={`icon-button toggle ${className}`}
      aria-label="リピート"
      aria-pressed={isLooping}
      onClick={toggleLoop}
    >
      <Icon name="loop" />
    </button>
  );
}
