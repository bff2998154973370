import { MINUTE_MS } from '../../../contract/values/time-units.ts';
import {
  AUDIO_DURATION_MS_MAX,
  AUDIO_PROBLEM,
  AUDIO_TOO_SHORT,
} from '../../../contract/sounds/audio-files.ts';
import { describeUnsupported } from '../../../contract/sounds/audio-formats.ts';
import { UNTITLED } from '../../../contract/sounds/sounds.ts';
import { Problem } from '../../platform/http/problem.ts';
import { TooShortAudioError, UnsupportedAudioError, UnusableAudioError } from '../../media/audio/audio.ts';
import type { AudioFacts } from '../../media/audio/audio.ts';
import { SOUNDS_MAX, SOUND_BYTES_TOTAL_MAX } from './limits.ts';
import type { SoundSum } from './queries.ts';
import { SOUND_GRACE_DAYS } from '../catalogue/sound-rows.ts';

/** The result of `work`. An unsupported file is rejected with the reason as text for people. */
export async function rejectUnusableAudio<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof UnusableAudioError)) throw error;
    throw new Problem(400, { file: `${AUDIO_PROBLEM} ${toReason(error)}` });
  }
}

function toReason(error: UnusableAudioError): string {
  if (error instanceof UnsupportedAudioError) return describeUnsupported(error.format);
  if (error instanceof TooShortAudioError) return AUDIO_TOO_SHORT;
  return 'ファイルの中身がMP3でもM4A（AAC）でもないか、壊れています。';
}

export function refuseTooLong({ durationMs }: AudioFacts): void {
  if (durationMs > AUDIO_DURATION_MS_MAX) {
    throw new Problem(400, { file: `長さは${AUDIO_DURATION_MS_MAX / MINUTE_MS}分までです。` });
  }
}

export function refuseUploader(member: { is_verified: number; is_blocked: number } | undefined): void {
  if (member?.is_blocked === 1) {
    throw new Problem(403, 'アカウントが制限されているため、アップロードできません。');
  }
  if (member?.is_verified !== 1) {
    throw new Problem(403, 'アップロードするには、クオリティチェックの通過が必要です。');
  }
}

/** `newBytes` are added to the existing total. Sounds that wait for their erasure may take as much room again. */
export function refuseAboveQuota(
  { sounds, bytes, deleted }: SoundSum & { readonly deleted: SoundSum },
  newBytes: number,
): void {
  const isDeletedTooMuch =
    sounds + deleted.sounds >= 2 * SOUNDS_MAX || bytes + deleted.bytes + newBytes > 2 * SOUND_BYTES_TOTAL_MAX;
  if (sounds < SOUNDS_MAX && bytes + newBytes <= SOUND_BYTES_TOTAL_MAX && isDeletedTooMuch) {
    throw new Problem(409, {
      file: `削除したサウンドは、${SOUND_GRACE_DAYS}日後に完全に削除されます。それまでは、これ以上アップロードできません。`,
    });
  }
  if (sounds >= SOUNDS_MAX) {
    throw new Problem(409, {
      file: `アップロードできるのは${SOUNDS_MAX.toLocaleString('ja-JP')}件までです。使わないサウンドを削除してください。`,
    });
  }
  if (bytes + newBytes > SOUND_BYTES_TOTAL_MAX) {
    throw new Problem(409, {
      file: `アップロードできるのは合計${SOUND_BYTES_TOTAL_MAX / 1024 ** 3}GBまでです。使わないサウンドを削除してください。`,
    });
  }
}

export function duplicate({
  title,
  filename,
}: {
  readonly title: string;
  readonly filename: string;
}): Problem {
  const name = title || filename || UNTITLED;
  return new Problem(400, { file: `同じファイルがすでにアップロードされています（「${name}」）。` });
}
