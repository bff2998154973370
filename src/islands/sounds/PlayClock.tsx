import { formatLength, formatPosition } from '../../../contract/durations.ts';
import { useShared } from '../../lib/use-shared.ts';
import { $playTime, $trackId } from '../../stores/player/player.ts';
import type { PlayTime } from '../../stores/player/player.ts';

const STOPPED: PlayTime = { currentSec: 0, durationSec: 0 };

/** A sound's duration; while it is the player's sound, its position as well. */
export function PlayClock({ soundId, durationSec }: { soundId: string; durationSec: number }) {
  const isCurrent = useShared($trackId, '') === soundId;
  const time = useShared($playTime, STOPPED);
  const totalSec = (isCurrent && time.durationSec) || durationSec;
  return (
    <span className="tabular hidden text-sm text-muted sm:inline">
      {isCurrent && `${formatPosition(time.currentSec, totalSec)} / `}
      {totalSec > 0 && formatLength(totalSec)}
    </span>
  );
}
