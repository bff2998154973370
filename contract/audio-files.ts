/** Checks whether an audio file may be sent (spec §5). The host checks its contents. */

/** 100 MB: more than 40 minutes at 320 kbit/s. */
export const AUDIO_BYTES_MAX = 100 * 1024 * 1024;
/** Longer files are not useful as material for films or games. */
export const AUDIO_DURATION_MS_MAX = 60 * 60 * 1000;
export const AUDIO_ACCEPT = '.mp3,.m4a,audio/mpeg,audio/x-m4a';
/** Spec §8. */
export const AUDIO_PROBLEM = 'Error: Please upload a valid .mp3 or .m4a file.';

const TYPES: ReadonlySet<string> = new Set(['audio/mpeg', 'audio/x-m4a']);

/** Whether both the name and the media type are those of MP3 or M4A (spec §5 accepts only these). */
export function isAudioFile({ name, type }: { readonly name: string; readonly type: string }): boolean {
  return /\.(?:mp3|m4a)$/i.test(name) && TYPES.has(type);
}
