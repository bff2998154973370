import { AUDIO_BYTES_MAX, findAudioType } from '../../contract/sounds/audio-files.ts';

/** Why an audio file's size is refused before sending; null if it is accepted. */
export function findAudioSizeProblem({ size }: Pick<File, 'size'>): string | null {
  if (size === 0) return 'ファイルが空です。別のファイルを選んでください。';
  if (size > AUDIO_BYTES_MAX) {
    return `1つのファイルは${AUDIO_BYTES_MAX / 1024 / 1024}MBまでです。小さくしてから選んでください。`;
  }
  return null;
}

/** Whether the browser can still read a chosen file: it may have been moved or changed since. */
export async function isReadable(file: File): Promise<boolean> {
  try {
    await file.slice(0, 1).arrayBuffer();
    return true;
  } catch {
    return false;
  }
}

/** Whether two chosen files are the same, by the properties that browsers expose. */
export function isSameFile(one: File, other: File): boolean {
  return one.name === other.name && one.size === other.size && one.lastModified === other.lastModified;
}

/** The file with the type that spec §5 names: a host may know no other name. */
export function withSpecType(file: File): File {
  const type = findAudioType(file) ?? file.type;
  if (type === file.type) return file;
  return new File([file], file.name, { type, lastModified: file.lastModified });
}
