/** What the inline script of `src/scripts/early.ts` shares with the player store. */
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
}

declare global {
  interface Window {
    early?: Early;
  }
}
