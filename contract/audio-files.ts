/** What counts as an audio file that may be sent (spec §5); what is inside, the host finds out. */

/** 100 MB: over forty minutes at 320 kbit/s. */
export const AUDIO_BYTES_MAX = 100 * 1024 * 1024;
/** Longer ones are no material for anybody's film or game. */
export const AUDIO_DURATION_MS_MAX = 60 * 60 * 1000;
export const AUDIO_ACCEPT = '.mp3,.m4a,audio/mpeg,audio/x-m4a';
/** Spec §8. */
export const AUDIO_PROBLEM = 'Error: Please upload a valid .mp3 or .m4a file.';

const TYPES: ReadonlySet<string> = new Set(['audio/mpeg', 'audio/x-m4a']);

/** Whether both the name and the type say MP3 or M4A (spec §5: only these). */
export function isAudioFile({ name, type }: { readonly name: string; readonly type: string }): boolean {
  return /\.(?:mp3|m4a)$/i.test(name) && TYPES.has(type);
}
