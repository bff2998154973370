/** Where a sound's bytes lie in storage; `audioKey` is their SHA-256, hexadecimal. */
export function toSoundKey(audioKey: string): string {
  return `sounds/${audioKey}`;
}

/** Where one width of a picture lies in storage. */
export function toPictureKey(key: string, width: number): string {
  return `pictures/${key}/${width}.webp`;
}
