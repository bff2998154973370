import { toPlayAdvice } from '../../browser/tracks.ts';
import { $failedIds } from '../../stores/player/player.ts';
import { useStore } from '../ui/use-store.ts';

/** Says on a sound's page that its file did not play. */
export function PlayFailure({ soundId, src }: { soundId: string; src: string }) {
  return (
    useStore($failedIds).has(soundId) && (
      <p role="alert" className="text-danger">
        再生できませんでした。{toPlayAdvice(src)}
      </p>
    )
  );
}
