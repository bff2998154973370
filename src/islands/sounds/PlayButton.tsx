import { toPlayLabel } from '../../lib/playing.ts';
import { Icon } from '../ui/Icon.tsx';

/**
 * Starts and pauses a sound. It has no handler: `src/scripts/early-islands.ts` listens on the whole page, so the button works
 * before hydration, and the player store updates its icon and label.
 */
export function PlayButton({
  src,
  title,
  className = 'play-button',
}: {
  src: string;
  title: string;
  className?: string;
}) {
  return (
    <button
      type="button"
      className={className}
      data-play={src}
      data-label={title}
      aria-label={toPlayLabel(title, false)}
    >
      <Icon name="play" />
      <Icon name="pause" />
    </button>
  );
}
