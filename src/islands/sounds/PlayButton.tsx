import { Icon } from '../ui/Icon.tsx';

/**
 * Starts and pauses a sound. It has no handler of its own: `src/scripts/early.ts` listens for the
 * whole page, so it works before hydration, and the player store keeps its sign and label true.
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
      aria-label={`${title}を再生`}
    >
      <Icon name="play" />
      <Icon name="pause" />
    </button>
  );
}
