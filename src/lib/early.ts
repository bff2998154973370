/** Interface between the inline scripts (`src/scripts/early*.ts`) and the scripts that load later. */
export interface Early {
  /** The sound started before the player had loaded. */
  audio?: HTMLAudioElement;
  /** The play button that was pressed. */
  button?: HTMLElement;
  /** Handler of presses on play buttons, and on waveforms with a position, once the player has loaded. */
  press?: (button: HTMLElement, fromSec?: number) => void;
  /** Elements that were pressed before their script had loaded; `catalogue.ts` repeats the presses. */
  held?: HTMLElement[];
  /** Marks on <html> who is logged in and whether a queue exists. */
  mark(): void;
  /** Redirect target of an address, for members and for visitors; null if there is no redirect. */
  toRedirect(url: URL | Location): string | null;
  /** Whether this browser denies storage: stored values last only as long as the page. */
  isStorageOff?: boolean;
  /**
   * Fetches a script and its imports into the browser's cache. Without a connection, shows a notice and rejects with a
   * `TypeError`. If a file is gone, reloads the page, or rejects with another error if it has already done so.
   */
  fetchScript(url: string): Promise<unknown>;
  /**
   * Shows the error box of spec §2, over the page or in place of an element's content; defined once a page with islands
   * has loaded.
   */
  showError?(error: unknown, place?: Element): void;
}

declare global {
  interface Window {
    early?: Early;
  }
}
