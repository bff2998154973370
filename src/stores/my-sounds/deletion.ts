import { deleteSound } from '../../../contract/sounds/my-sounds.ts';
import type { Sound } from '../../../contract/sounds/sounds.ts';
import { callApi } from '../../api/browser.ts';
import { mySounds, refreshSounds } from './list.ts';
import { $queue, $trackId, closePlayer } from '../player/player.ts';
import { showToast } from '../overlays/overlays.ts';
import { attemptEach } from '../shared/attempt-each.ts';
import { memberAtom } from '../shared/member-atom.ts';

type DeletedSound = Pick<Sound, 'id' | 'title' | 'filename'>;

export type Deletion =
  | { readonly state: 'closed' }
  | { readonly state: 'asking' | 'deleting'; readonly sounds: readonly DeletedSound[] };

const CLOSED: Deletion = { state: 'closed' };

/** The sounds to delete, and the progress of the deletion. */
export const $deletion = memberAtom<Deletion>(CLOSED);

export function openDeletion(sounds: readonly DeletedSound[]): void {
  if ($deletion.get().state === 'closed') $deletion.set({ state: 'asking', sounds });
}

/** The dialog cannot be closed while the host works. */
export function closeDeletion(): void {
  if ($deletion.get().state === 'asking') $deletion.set(CLOSED);
}

/** Closes the dialog when its page is left; the deletion continues. */
export function leaveDeletion(): void {
  $deletion.set(CLOSED);
}

/** Deletes permanently, one after another until one is refused. Never throws: reports the result as spec §8 says. */
export async function confirmDeletion(): Promise<void> {
  const current = $deletion.get();
  if (current.state !== 'asking') return;
  const deleting: Deletion = { state: 'deleting', sounds: current.sounds };
  $deletion.set(deleting);
  const deleted = new Set<string>();
  const isDone = await attemptEach(
    current.sounds,
    async ({ id }) => {
      await callApi(deleteSound, { params: { id } });
      deleted.add(id);
      mySounds.remove(id);
      removeFromPlayer(id);
    },
    { toasts: 'keyed' },
  );
  const left = current.sounds.filter(({ id }) => !deleted.has(id));
  if ($deletion.get() === deleting) $deletion.set(isDone ? CLOSED : { state: 'asking', sounds: left });
  if (isDone) showToast('success', 'サウンドが正常に削除されました');
  if (deleted.size > 0) refreshSounds();
}

/** Its file is deleted, so the player must not reach it. */
function removeFromPlayer(id: string): void {
  if ($trackId.get() === id) closePlayer();
  else $queue.set($queue.get().filter((track) => track.id !== id));
}
