import type { KeyboardEvent, MouseEvent } from 'react';
import { useRef } from 'react';
import { speakPosition } from '../../../contract/sounds/durations.ts';
import { WAVE_HEIGHT, WAVE_WIDTH, drawInto } from '../../lib/wave-drawing.ts';
import { $canSeek, $playTime, $trackId, jump, seekTo } from '../../stores/player/player.ts';
import { useStore } from '../ui/use-store.ts';

interface WaveformProps {
  soundId: string;
  /** See `toWave`. */
  wave: string;
  title: string;
  durationSec: number;
  /** Starts the sound at a position if it is not the player's current one. */
  onStart?: (element: Element, fromSec: number) => void;
}

/** A sound's waveform, as large as its parent. It shows the playback position and seeks. */
export function Waveform(props: WaveformProps) {
  const isCurrent = useStore($trackId) === props.soundId;
  return isCurrent ? <PlayingWaveform {...props} /> : <StillWaveform {...props} />;
}

function StillWaveform({ wave, durationSec, onStart }: WaveformProps) {
  const start = (event: MouseEvent) => onStart?.(event.currentTarget, toShare(event) * durationSec);
  return (
    <div className="relative size-full">
      <WaveShape wave={wave} className="cursor-pointer text-wave" onClick={start} />
    </div>
  );
}

function PlayingWaveform({ wave, title, durationSec }: WaveformProps) {
  const time = useStore($playTime);
  const canSeek = useStore($canSeek);
  const dragging = useRef(false);
  const total = time.durationSec || durationSec;
  const share = total > 0 ? Math.min(1, time.currentSec / total) : 0;
  const seek = (event: MouseEvent) => seekTo(toShare(event) * total);
  return (
    <div
      className={`relative size-full ${canSeek ? 'cursor-pointer' : ''} [touch-action:pan-y] rounded`}
      role="slider"
      tabIndex={0}
      aria-label={`${title}の再生位置`}
      aria-disabled={!canSeek || undefined}
      title={canSeek ? undefined : 'このサウンドの再生位置は変えられません'}
      aria-valuemin={0}
      aria-valuemax={Math.round(total)}
      aria-valuenow={Math.round(time.currentSec)}
      aria-valuetext={`${speakPosition(time.currentSec, total)} / ${speakPosition(total, total)}`}
      onKeyDown={(event) => moveByKey(event, total)}
      onPointerDown={(event) => {
        if (event.button !== 0 || !canSeek) return;
        dragging.current = true;
        event.currentTarget.setPointerCapture(event.pointerId);
        seek(event);
      }}
      onPointerMove={(event) => {
        if (dragging.current) seek(event);
      }}
      onPointerUp={() => (dragging.current = false)}
      onPointerCancel={() => (dragging.current = false)}
    >
      <WaveShape wave={wave} className="text-wave" />
      <div
        className="pointer-events-none absolute inset-0"
        style={{ clipPath: `inset(0 ${((1 - share) * 100).toFixed(2)}% 0 0)` }}
      >
        <WaveShape wave={wave} className="text-accent" />
      </div>
    </div>
  );
}

const draw = (path: Element | null) => {
  if (path) drawInto(path);
};

interface WaveShapeProps {
  wave: string;
  className?: string;
  onClick?: ((event: MouseEvent) => void) | undefined;
}

/** The player reads the waveform from the card (`readTrack`). `early-islands.ts` draws those in the page's HTML. */
export function WaveShape({ wave, className = '', onClick }: WaveShapeProps) {
  return (
    <svg
      className={`block size-full ${className}`}
      viewBox={`0 0 ${WAVE_WIDTH} ${WAVE_HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      onClick={onClick}
    >
      <path
        key={wave}
        ref={draw}
        suppressHydrationWarning
        fill="none"
        stroke="currentColor"
        strokeWidth={2}
        data-wave={wave}
      />
    </svg>
  );
}

function toShare(event: MouseEvent): number {
  const box = event.currentTarget.getBoundingClientRect();
  return box.width > 0 ? Math.min(1, Math.max(0, (event.clientX - box.left) / box.width)) : 0;
}

/** The keys of a slider (WAI-ARIA); elsewhere the site's arrow keys do the same. */
function moveByKey(event: KeyboardEvent, totalSec: number): void {
  if (event.key === 'ArrowRight' || event.key === 'ArrowUp') jump(1);
  else if (event.key === 'ArrowLeft' || event.key === 'ArrowDown') jump(-1);
  else if (event.key === 'Home') seekTo(0);
  else if (event.key === 'End') seekTo(Math.max(0, totalSec - 1));
  else return;
  event.preventDefault();
  event.stopPropagation();
}
