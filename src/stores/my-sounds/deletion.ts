import { atom } from 'nanostores';
import { deleteSound } from '../../../contract/own-sounds.ts';
import type { Sound } from '../../../contract/sounds.ts';
import { callApi } from '../../api/browser.ts';
import { $ownSounds, refreshSounds } from './my-sounds.ts';
import { tellSoundFailure } from './failures.ts';
import { $queue, $trackId } from '../player/player.ts';
import { closePlayer } from '../player/actions.ts';
import { onMemberGone } from '../session/session.ts';
import { showToast } from '../overlays/overlays.ts';

export type Deletion =
  | { readonly state: 'closed' }
  | { readonly state: 'asking' | 'deleting'; readonly sound: Pick<Sound, 'id' | 'title' | 'filename'> };

const CLOSED: Deletion = { state: 'closed' };

/** The sound that is to go, and how far that is. */
export const $deletion = atom<Deletion>(CLOSED);

/** Counts up with each member: what one deletes is nothing to the next. */
let memberCount = 0;
onMemberGone(() => {
  memberCount += 1;
  leaveDeletion();
});

export function askDeletion(sound: Pick<Sound, 'id' | 'title' | 'filename'>): void {
  if ($deletion.get().state === 'closed') $deletion.set({ state: 'asking', sound });
}

/** Nothing closes it while the host is at work. */
export function closeDeletion(): void {
  if ($deletion.get().state === 'asking') $deletion.set(CLOSED);
}

/** Closes the dialog with its page; the host goes on. */
export function leaveDeletion(): void {
  $deletion.set(CLOSED);
}

/** Deletes for good. Never throws: how it went is told as spec §8 says. */
export async function confirmDeletion(): Promise<void> {
  const known = $deletion.get();
  if (known.state !== 'asking') return;
  const { sound } = known;
  const deleting: Deletion = { state: 'deleting', sound };
  const member = memberCount;
  $deletion.set(deleting);
  try {
    await callApi(deleteSound, { params: { id: sound.id } });
  } catch (error) {
    tellSoundFailure(error);
    if ($deletion.get() === deleting) $deletion.set({ state: 'asking', sound });
    return;
  }
  if (memberCount !== member) return;
  if ($deletion.get() === deleting) $deletion.set(CLOSED);
  $ownSounds.get()?.remove(sound.id);
  dropFromPlayer(sound.id);
  refreshSounds();
  showToast('success', 'サウンドが正常に削除されました');
}

/** Its file is gone: the player would stumble over it. */
function dropFromPlayer(id: string): void {
  if ($trackId.get() === id) closePlayer();
  else $queue.set($queue.get().filter((track) => track.id !== id));
}
