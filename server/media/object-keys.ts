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

/** Storage key of a piece of an upload. */
export function toPieceKey(id: string): string {
  return `upload-pieces/${id}`;
}

/** Storage key of the sealed image of an ID. A prefix of its own: `/media` serves nothing under it. */
export function toPersonalInfoImageKey(submissionId: string): string {
  return `personal-info/${submissionId}`;
}

/** Storage key of the data key of this image, sealed to the staff's public key. */
export function toDataKeyKey(submissionId: string): string {
  return `personal-info-keys/${submissionId}`;
}
