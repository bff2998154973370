import { useRef } from 'react';
import { $volume, VOLUME_STEP, setVolume } from '../../stores/player/player.ts';
import { Icon } from '../ui/Icon.tsx';
import { useStore } from '../ui/use-store.ts';

export function VolumeSlider() {
  const volume = useStore($volume);
  const audible = useRef(1);
  return (
    <div className="flex items-center">
      <button
        type="button"
        className="icon-button"
        aria-label="ミュート"
        aria-pressed={volume === 0}
        onClick={() => {
          if (volume > 0) audible.current = volume;
          setVolume(volume > 0 ? 0 : audible.current);
        }}
      >
        <Icon name={volume === 0 ? 'muted' : 'volume'} />
      </button>
      <input
        type="range"
        className="h-11 w-24 accent-accent"
        aria-label="音量"
        min={0}
        max={1}
        step={VOLUME_STEP}
        value={volume}
        aria-valuetext={`${Math.round(volume * 100)}%`}
        onChange={(event) => setVolume(event.currentTarget.valueAsNumber)}
      />
    </div>
  );
}
