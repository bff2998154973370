/** Checks whether an audio file may be sent (spec §5). The host checks its contents. */

/** 100 MB: more than 40 minutes at 320 kbit/s. */
export const AUDIO_BYTES_MAX = 100 * 1024 * 1024;
/** Longer files are not useful as material for films or games. */
export const AUDIO_DURATION_MS_MAX = 60 * 60 * 1000;
export const AUDIO_ACCEPT = '.mp3,.m4a,audio/mpeg,audio/x-m4a';
/** Spec §8. */
export const AUDIO_PROBLEM = 'Error: Please upload a valid .mp3 or .m4a file.';

/** The message for a sound that players could not recognise. */
export const AUDIO_TOO_SHORT = '音声が短すぎて再生できません。もう少し長い音声を選んでください。';

/** The types that spec §5 names. */
const TYPES = ['audio/mpeg', 'audio/x-m4a'] as const;
export type AudioType = (typeof TYPES)[number];

/** Other names of these types, which systems give files with these extensions (decision 172). */
const OTHER_NAMES: Readonly<Record<string, AudioType>> = {
  '.mp3 audio/mp3': 'audio/mpeg',
  '.m4a audio/mp4': 'audio/x-m4a',
  '.m4a audio/m4a': 'audio/x-m4a',
};

interface NamedType {
  readonly name: string;
  readonly type: string;
}

/** The type of an audio file by its name and media type, as spec §5 names it; undefined for all other files. */
export function findAudioType({ name, type }: NamedType): AudioType | undefined {
  const extension = /\.(?:mp3|m4a)$/i.exec(name)?.[0].toLowerCase();
  if (extension === undefined) return undefined;
  return TYPES.find((named) => named === type) ?? OTHER_NAMES[`${extension} ${type}`];
}

/** Whether both the name and the media type are those of MP3 or M4A (spec §5 accepts only these). */
export function isAudioFile(file: NamedType): boolean {
  return findAudioType(file) !== undefined;
}
