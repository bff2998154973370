/** What the inline scripts (`src/scripts/early*.ts`) share with the scripts that load. */
export interface Early {
  /** The sound started before the player had loaded. */
  audio: HTMLAudioElement | null;
  /** The play button that started it. */
  button: HTMLElement | null;
  /** Takes presses on play buttons over once the player has loaded. */
  press: ((button: HTMLElement) => void) | null;
  /** Shows on <html> who is logged in and whether there is something to play. */
  mark(): void;
  /** Where this address really leads, for members and for strangers; null where it leads itself. */
  divert(url: URL | Location): string | null;
  /** Whether this browser forbids storage: what is kept lasts as long as the page. */
  isForgetful: boolean;
  /**
   * Fetches a script and what it imports into the browser's cache. Rejects with a `TypeError` where there is no
   * connection, and says so; where a file is gone it reloads the page, or rejects with another error if it has
   * done so before.
   */
  fetchScript(url: string): Promise<unknown>;
  /** Shows the error box of spec §2, over the page or in place of what an element holds; there once a page had islands. */
  showError?(error: unknown, place?: Element): void;
}

declare global {
  interface Window {
    early?: Early;
  }
}
