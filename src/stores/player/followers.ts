import { followPlayer } from './media-session.ts';
import { followPlays } from './plays.ts';

/** What follows the player from its first sound on. */
export function follow(actions: Parameters<typeof followPlayer>[0]): void {
  followPlayer(actions);
  followPlays();
}
