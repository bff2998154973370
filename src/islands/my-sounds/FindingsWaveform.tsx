import { toPlayLabel } from '../../lib/playing.ts';
import type { SoundFindings } from '../../../contract/sounds/sound-findings.ts';
import { UNTITLED, type Sound } from '../../../contract/sounds/sounds.ts';
import { toWave } from '../../lib/wave.ts';
import { $playingId, pausePlayback } from '../../stores/player/player.ts';
import { Waveform } from '../sounds/Waveform.tsx';
import { Icon } from '../ui/Icon.tsx';
import { FindingMarks } from './FindingMarks.tsx';
import type { Finding } from './finding-texts.ts';
import { playSoundFrom } from './play-sound-from.ts';
import { useStore } from '../ui/use-store.ts';

interface FindingsWaveformProps {
  sound: Sound;
  peaks: string | undefined;
  findings: SoundFindings;
  list: readonly Finding[];
}

/** The waveform with a mark at each finding; the marks differ in shape, and the legend names them. */
export function FindingsWaveform({ sound, peaks, findings, list }: FindingsWaveformProps) {
  const isPlaying = useStore($playingId) === sound.id;
  const title = sound.title || UNTITLED;
  const durationMs = sound.duration_ms ?? 0;
  return (
    <div className="grid gap-1">
      <div className="flex items-center gap-2">
        {sound.file_url && (
          <button
            type="button"
            className="icon-button"
            aria-label={toPlayLabel(title, isPlaying)}
            onClick={() => (isPlaying ? pausePlayback() : playSoundFrom(sound.id, 0))}
          >
            <Icon name={isPlaying ? 'pause' : 'play'} />
          </button>
        )}
        <div className="finding-wave">
          <div className="h-12">
            <Waveform
              soundId={sound.id}
              wave={toWave(peaks)}
              title={title}
              durationSec={durationMs / 1000}
              onStart={(_, fromSec) => playSoundFrom(sound.id, fromSec)}
            />
          </div>
          {durationMs > 0 && <FindingMarks findings={findings} list={list} durationMs={durationMs} />}
        </div>
      </div>
      {list.length > 0 && durationMs > 0 && (
        <ul className="finding-legend" aria-hidden="true">
          {list.map(({ kind, name }) => (
            <li key={kind}>
              <span className={`finding-sign is-${kind}`} />
              {name}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
