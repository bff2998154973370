import { followOverlays } from '../islands/overlays/load.ts';
import { logOut as leave } from '../stores/account/account.ts';

/** Logs out on a press on a button of the shell, on pages without islands as well. */
export function logOut(): void {
  followOverlays();
  leave();
}
