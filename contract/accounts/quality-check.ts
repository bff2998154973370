import * as v from 'valibot';
import { AUDIO_BYTES_MAX } from '../sounds/audio-files.ts';
import { defineEndpoint } from '../calls/endpoint.ts';
import { orElse } from '../calls/wire.ts';

/** Spec §2: 1曲目 to 6曲目. */
export const QUALITY_CHECK_SLOTS = ['file_1', 'file_2', 'file_3', 'file_4', 'file_5', 'file_6'] as const;
export type QualityCheckSlot = (typeof QUALITY_CHECK_SLOTS)[number];
/** Spec §5: the first slots must be filled, at least this many. */
export const QUALITY_CHECK_FILES_MIN = 3;
/** Spec §8. */
export const TOO_FEW_FILES = 'ファイルを3つ以上アップロードしてください';
/** Spec §9: displayed file names are truncated to this many characters. */
export const FILE_NAME_SHOWN_MAX = 30;

export const ApplicationAcceptedSchema = orElse(
  v.object({ detail: v.string(), status: v.string() }),
  undefined,
);

/** Submits an unverified member's application (spec §7): files, the member's own id, and sound types by id. */
export const applyForQualityCheck = defineEndpoint({
  method: 'POST',
  path: '/api/account/upload-quality-check/',
  form: {
    files: QUALITY_CHECK_SLOTS,
    fileBytesMax: AUDIO_BYTES_MAX,
    texts: ['user_id', 'types'],
    lists: ['types'],
  },
  reply: ApplicationAcceptedSchema,
  refuses: [400, 403, 409, 413, 507],
});

/**
 * A file name for display (spec §9): the first characters and an ellipsis if it was longer. macOS writes が as two code
 * points, which must count as one and stay together.
 */
export function cutFileName(name: string): string {
  const composed = name.normalize('NFC');
  const characters = [...composed];
  return characters.length <= FILE_NAME_SHOWN_MAX
    ? composed
    : `${characters.slice(0, FILE_NAME_SHOWN_MAX).join('')}…`;
}
