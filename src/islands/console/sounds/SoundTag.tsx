import type { SoundState } from '../../../../contract/operator/sounds.ts';
import { Icon } from '../../ui/Icon.tsx';
import { STATE_NAMES } from './sound-texts.ts';

/** The state of a sound, marked if it is not the artist's own choice. */
export function SoundTag({ state }: { state: SoundState }) {
  const isClosed = state !== 'public' && state !== 'private';
  return (
    <span className={isClosed ? 'member-tag is-closed' : 'member-tag'}>
      {isClosed && <Icon name="warning" className="size-4 flex-none" />}
      {STATE_NAMES[state]}
    </span>
  );
}
