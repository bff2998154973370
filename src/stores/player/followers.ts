import { followPlayer } from './media-session.ts';
import { followPlays } from './plays.ts';
import { followSeekable } from './seekable.ts';

/** Starts what observes the player from its first sound on. */
export function startFollowers(audio: HTMLAudioElement, actions: Parameters<typeof followPlayer>[1]): void {
  followSeekable(audio);
  followPlayer(audio, actions);
  followPlays();
}
