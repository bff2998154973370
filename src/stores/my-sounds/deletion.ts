import { deleteSound } from '../../../contract/my-sounds.ts';
import type { Sound } from '../../../contract/sounds.ts';
import { callApi } from '../../api/browser.ts';
import { mySounds, refreshSounds } from './list.ts';
import { $queue, $trackId, closePlayer } from '../player/player.ts';
import { attempt } from '../shared/attempt.ts';
import { memberAtom } from '../shared/member-atom.ts';

export type Deletion =
  | { readonly state: 'closed' }
  | { readonly state: 'asking' | 'deleting'; readonly sound: Pick<Sound, 'id' | 'title' | 'filename'> };

const CLOSED: Deletion = { state: 'closed' };

/** The sound to delete, and the progress of the deletion. */
export const $deletion = memberAtom<Deletion>(CLOSED);

export function openDeletion(sound: Pick<Sound, 'id' | 'title' | 'filename'>): void {
  if ($deletion.get().state === 'closed') $deletion.set({ state: 'asking', sound });
}

/** The dialog cannot be closed while the host works. */
export function closeDeletion(): void {
  if ($deletion.get().state === 'asking') $deletion.set(CLOSED);
}

/** Closes the dialog when its page is left; the deletion continues. */
export function leaveDeletion(): void {
  $deletion.set(CLOSED);
}

/** Deletes permanently. Never throws: reports the result as spec §8 says. */
export async function confirmDeletion(): Promise<void> {
  const known = $deletion.get();
  if (known.state !== 'asking') return;
  const { sound } = known;
  const deleting: Deletion = { state: 'deleting', sound };
  $deletion.set(deleting);
  const isDeleted = await attempt(() => callApi(deleteSound, { params: { id: sound.id } }), {
    done: 'サウンドが正常に削除されました',
    toasts: 'keyed',
  });
  if ($deletion.get() === deleting) $deletion.set(isDeleted ? CLOSED : { state: 'asking', sound });
  if (!isDeleted) return;
  mySounds.remove(sound.id);
  removeFromPlayer(sound.id);
  refreshSounds();
}

/** Its file is deleted, so the player must not reach it. */
function removeFromPlayer(id: string): void {
  if ($trackId.get() === id) closePlayer();
  else $queue.set($queue.get().filter((track) => track.id !== id));
}
