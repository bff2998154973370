/** When an island is loaded: at once, with the first pointer or focus on it, or when a sound plays. */
export type When = 'load' | 'intent' | 'play';

/** Interface between the inline scripts (`src/scripts/early*.ts`) and the scripts that load later. */
export interface Early {
  /** The sound started before the player had loaded. */
  audio?: HTMLAudioElement;
  /** The position it was started at, in seconds, which iOS ignores at that time. */
  fromSec?: number | undefined;
  /** The play button that was pressed. */
  button?: HTMLElement;
  /** Handler of presses on play buttons, and on waveforms with a position, once the player has loaded. */
  press?: (button: HTMLElement, fromSec?: number) => void;
  /** Buttons pressed before their island, or the script of the shell, had loaded; `islands.ts` repeats the presses in their order. */
  readonly presses: HTMLElement[];
  /** Stores a press with what shows it, in place of its effect; not one with a key, which opens another tab. */
  queuePress(event: MouseEvent, button: HTMLElement): void;
  /** Set by the script of the shell, which handles all presses from then on. */
  hasShell?: boolean;
  /** Marks on <html> who is logged in and whether a queue exists. */
  mark(): void;
  /** Redirect target of an address, for members and for visitors; null if there is no redirect. */
  toRedirect(url: URL | Location): string | null;
  /** How pages and fragments are fetched after a member's own change (`own-changes.ts`). */
  cache?: RequestCache;
  /** Whether this browser denies storage: stored values last only as long as the page. */
  isStorageOff?: boolean;
}

declare global {
  interface Window {
    early?: Early;
  }
}
