import { toPlayAdvice } from '../../lib/tracks.ts';
import { useShared } from '../../lib/use-shared.ts';
import { $failedIds } from '../../stores/player/player.ts';

const NONE: ReadonlySet<string> = new Set();

/** Says on a sound's page that its file did not play. */
export function PlayFailure({ soundId, src }: { soundId: string; src: string }) {
  return (
    useShared($failedIds, NONE).has(soundId) && (
      <p role="alert" className="text-danger">
        再生できませんでした。{toPlayAdvice(src)}
      </p>
    )
  );
}
