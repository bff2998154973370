import { formatLength, formatPosition } from '../../../contract/sounds/durations.ts';
import { $playTime, $trackId } from '../../stores/player/player.ts';
import { useStore } from '../ui/use-store.ts';

/** A sound's duration; while it is the player's sound, its position as well. */
export function PlayClock({ soundId, durationSec }: { soundId: string; durationSec: number }) {
  const isCurrent = useStore($trackId) === soundId;
  const time = useStore($playTime);
  const totalSec = (isCurrent && time.durationSec) || durationSec;
  return (
    <span className="tabular hidden text-sm text-muted sm:inline">
      {isCurrent && `${formatPosition(time.currentSec, totalSec)} / `}
      {totalSec > 0 && formatLength(totalSec)}
    </span>
  );
}
