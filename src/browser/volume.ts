let canSet: boolean | undefined;

/** Whether pages can set the volume. On iOS only the keys of the device can, which is also how iOS is recognised here. */
export function canSetVolume(): boolean {
  if (canSet === undefined) {
    const probe = document.createElement('audio');
    probe.volume = 0.5;
    canSet = probe.volume < 1;
  }
  return canSet;
}
