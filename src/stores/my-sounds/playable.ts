import { findAudioType } from '../../../contract/sounds/audio-files.ts';

/** A browser that has not decided by then has at least started to read the file, which counts as yes. */
const ANSWER_MS_MAX = 5_000;

/** Whether this browser can play a file, by its head alone; true if it does not know the type. */
export function canPlayFile(file: File): Promise<boolean> {
  const audio = new Audio();
  if (audio.canPlayType(findAudioType(file) === 'audio/x-m4a' ? 'audio/mp4' : file.type) === '') {
    return Promise.resolve(true);
  }
  const url = URL.createObjectURL(file);
  return new Promise<boolean>((resolve) => {
    const timer = setTimeout(resolve, ANSWER_MS_MAX, true);
    const settle = (canPlay: boolean) => {
      clearTimeout(timer);
      resolve(canPlay);
    };
    audio.addEventListener('loadedmetadata', () => settle(true));
    audio.addEventListener('error', () => settle(false));
    audio.preload = 'metadata';
    audio.src = url;
  }).finally(() => {
    audio.removeAttribute('src');
    URL.revokeObjectURL(url);
  });
}
