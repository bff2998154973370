import { type RefObject, useEffect, useRef, useState } from 'react';
import { startAt } from '../../../browser/start-at.ts';
import type { ReviewFile } from '../../../../contract/operator/operator.ts';

export interface Audition {
  /** The slot of the file that was played last. */
  readonly slot: number | null;
  readonly isPlaying: boolean;
  readonly positionMs: number;
  /** Plays a file; from its beginning unless a position is given. */
  play(slot: number, fromMs?: number): void;
  /** Pauses, or continues with the file played last or the first one. */
  toggle(): void;
  skip(byMs: number): void;
}

/** Plays the files of an application, one at a time, in the element of the returned ref. */
export function useAudition(
  files: readonly ReviewFile[],
): readonly [RefObject<HTMLAudioElement | null>, Audition] {
  const audio = useRef<HTMLAudioElement | null>(null);
  const [slot, setSlot] = useState<number | null>(null);
  const [isPlaying, setPlaying] = useState(false);
  const [positionMs, setPosition] = useState(0);
  useEffect(() => {
    const element = audio.current;
    if (!element) return undefined;
    const update = () => {
      setPlaying(!element.paused);
      setPosition(element.currentTime * 1000);
    };
    const types = ['play', 'pause', 'timeupdate', 'ended', 'seeked'];
    for (const type of types) element.addEventListener(type, update);
    return () => {
      for (const type of types) element.removeEventListener(type, update);
      // Ends the transfer as well: a decision deletes the file.
      element.removeAttribute('src');
      element.load();
    };
  }, []);

  function play(wanted: number, fromMs = 0): void {
    const url = files.find((file) => file.slot === wanted)?.url;
    const element = audio.current;
    if (!element || !url) return;
    if (element.getAttribute('src') !== url) element.src = url;
    startAt(element, fromMs / 1000);
    setSlot(wanted);
    // Refused by the browser before the first press on the page; the button remains.
    element.play().catch(() => setPlaying(false));
  }

  const audition: Audition = {
    slot,
    isPlaying,
    positionMs,
    play,
    toggle() {
      const element = audio.current;
      if (!element) return;
      if (slot === null) play(files[0]?.slot ?? 1);
      else if (element.paused) element.play().catch(() => setPlaying(false));
      else element.pause();
    },
    skip(byMs) {
      const element = audio.current;
      if (element && slot !== null) element.currentTime = Math.max(0, element.currentTime + byMs / 1000);
    },
  };
  return [audio, audition];
}
