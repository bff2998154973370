import { $canSeek } from './state.ts';

/** A file without byte ranges can only be played from its start, until the browser has enough of it. */
export function followSeekable(audio: HTMLAudioElement): void {
  const update = () => {
    const { readyState, seekable } = audio;
    const isLoaded = readyState > 0;
    $canSeek.set(!isLoaded || (seekable.length > 0 && seekable.end(seekable.length - 1) > 0));
  };
  for (const type of ['emptied', 'durationchange', 'progress', 'timeupdate'])
    audio.addEventListener(type, update);
  update();
}
