/**
 * Sets the position of a medium, in seconds. iOS ignores one that is set before it has read the head of the file, so it is
 * set again then.
 */
export function startAt(media: HTMLMediaElement, sec: number): void {
  media.currentTime = sec;
  if (media.readyState > 0) return;
  const { src } = media;
  media.addEventListener(
    'loadedmetadata',
    () => {
      if (media.src === src && Math.abs(media.currentTime - sec) > 0.1) media.currentTime = sec;
    },
    { once: true },
  );
}
