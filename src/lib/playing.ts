/** What the inline script and the player have in common, so that nothing changes when the player takes over. */

/** The label of a play button. */
export function toPlayLabel(title: string, isPlaying: boolean): string {
  return `${title}を${isPlaying ? '一時停止' : '再生'}`;
}

/** The volume of an element, 0 to 1. `gain` brings a sound to the common loudness, where that is wanted and known. */
export function toElementVolume(volume: number, gain: number | undefined, isLevelled: boolean): number {
  return volume * (isLevelled ? (gain ?? 1) : 1);
}
