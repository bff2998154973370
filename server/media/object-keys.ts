/** Storage key of a sound; `audioKey` is the SHA-256 of its bytes, hexadecimal. */
export function toSoundKey(audioKey: string): string {
  return `sounds/${audioKey}`;
}

/** Storage key of one width of a picture. */
export function toPictureKey(key: string, width: number): string {
  return `pictures/${key}/${width}.webp`;
}

/** Storage key of a file of a notice; `hash` is the SHA-256 of its bytes, hexadecimal. */
export function toNoticeKey(id: string, hash: string): string {
  return `notices/${id}/${hash}`;
}
