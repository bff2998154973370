import { Readable } from 'node:stream';
import { MINUTE_MS } from '../../../../contract/values/time-units.ts';
import {
  AUDIO_DURATION_MS_MAX,
  AUDIO_PROBLEM,
  AUDIO_TOO_SHORT,
} from '../../../../contract/sounds/audio-files.ts';
import { describeUnsupported } from '../../../../contract/sounds/audio-formats.ts';
import {
  QUALITY_CHECK_FILES_MIN,
  QUALITY_CHECK_SLOTS,
  TOO_FEW_FILES,
} from '../../../../contract/accounts/quality-check.ts';
import type { QualityCheckSlot } from '../../../../contract/accounts/quality-check.ts';
import { Problem } from '../../../platform/http/problem.ts';
import type { Form, FormFile } from '../../../platform/http/form.ts';
import {
  TooShortAudioError,
  UnsupportedAudioError,
  UnusableAudioError,
  withCleanAudio,
  withCleanBytes,
} from '../../../media/audio/audio.ts';
import type { AudioFacts } from '../../../media/audio/audio.ts';
import type { Storage } from '../../../platform/storage/port.ts';

/** A file of an application as received. */
export interface SentFile {
  readonly name: QualityCheckSlot;
  /** 1 to 6. */
  readonly slot: number;
  readonly file: FormFile;
}

export interface CheckedFile extends SentFile {
  readonly facts: AudioFacts;
  /** Size of the stored file. */
  readonly sizeBytes: number;
  /** Hash of the sound without its tags, in hex, so that a copy under another name is recognised. */
  readonly sha256: string;
}

/**
 * The files of a form by slot. Throws `Problem` 400 for required files that are missing (spec §5). Browsers send an
 * empty field as a file without name and bytes.
 */
export function requireFiles({ files }: Form): SentFile[] {
  const sent = QUALITY_CHECK_SLOTS.flatMap((name, index) => {
    const file = files.get(name);
    return file === undefined || (file.sizeBytes === 0 && file.filename === '')
      ? []
      : [{ name, slot: index + 1, file }];
  });
  const missing = QUALITY_CHECK_SLOTS.slice(0, QUALITY_CHECK_FILES_MIN).filter(
    (name) => !sent.some((each) => each.name === name),
  );
  if (missing.length > 0) {
    throw new Problem(400, Object.fromEntries(missing.map((name) => [name, TOO_FEW_FILES])));
  }
  return sent;
}

/**
 * Checks the content of each file of a member. Throws `Problem` 400 that names every slot whose file is neither MP3 nor M4A, too
 * long, or the same as another; `Busy` when too many are waiting.
 */
export async function checkFiles(sent: readonly SentFile[], owner: string): Promise<CheckedFile[]> {
  const checked: CheckedFile[] = [];
  const problems: Record<string, string> = {};
  for (const each of sent) {
    const found = await checkFile(each, owner);
    const twin = typeof found !== 'string' && checked.find(({ sha256 }) => sha256 === found.sha256);
    if (typeof found === 'string') problems[each.name] = `${AUDIO_PROBLEM} ${found}`;
    else if (twin) problems[each.name] = `${AUDIO_PROBLEM} ${twin.slot}曲目と同じファイルです。`;
    else checked.push(found);
  }
  if (Object.keys(problems).length > 0) throw new Problem(400, problems);
  return checked;
}

/** Stores only the sound, without tags, pictures and anything executable. Throws `Busy`. */
export function storeFile(storage: Storage, key: string, { file }: SentFile, owner: string): Promise<void> {
  const store = (bytes: AsyncIterable<Uint8Array>) =>
    storage.put(key, Readable.from(bytes, { objectMode: false }));
  return withCleanBytes(file, store, owner);
}

/** The file with its checked properties, or an error message for people. */
async function checkFile(sent: SentFile, owner: string): Promise<CheckedFile | string> {
  try {
    return await withCleanAudio(
      sent.file,
      async ({ facts, sizeBytes, hash }) =>
        facts.durationMs > AUDIO_DURATION_MS_MAX
          ? `${AUDIO_DURATION_MS_MAX / MINUTE_MS}分以内の音声を選んでください。`
          : { ...sent, facts, sizeBytes, sha256: hash },
      owner,
    );
  } catch (error) {
    if (!(error instanceof UnusableAudioError)) throw error;
    if (error instanceof UnsupportedAudioError) return describeUnsupported(error.format);
    if (error instanceof TooShortAudioError) return AUDIO_TOO_SHORT;
    return 'MP3またはM4A（AAC）の音声として読み取れませんでした。';
  }
}
