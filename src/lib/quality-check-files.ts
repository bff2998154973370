import {
  QUALITY_CHECK_FILES_MIN,
  QUALITY_CHECK_SLOTS,
  type QualityCheckSlot,
} from '../../contract/accounts/quality-check.ts';
import { findAudioSizeProblem, isReadable, isSameFile, withSpecType } from './audio-files-check.ts';

/** The contents of an application's slots. */
export type ChosenFiles = Readonly<Partial<Record<QualityCheckSlot, File>>>;

/** Spec §5: the slots that must be filled. */
export const REQUIRED_SLOTS: readonly QualityCheckSlot[] = QUALITY_CHECK_SLOTS.slice(
  0,
  QUALITY_CHECK_FILES_MIN,
);

/** Spec §2: `file_2` is 2曲目. */
export function toSlotLabel(slot: QualityCheckSlot): string {
  return `${QUALITY_CHECK_SLOTS.indexOf(slot) + 1}曲目`;
}

export function isSlot(key: string): key is QualityCheckSlot {
  return (QUALITY_CHECK_SLOTS as readonly string[]).includes(key);
}

/** The required slots that are empty. */
export function listEmptySlots(files: ChosenFiles): QualityCheckSlot[] {
  return REQUIRED_SLOTS.filter((slot) => files[slot] === undefined);
}

/** Why an audio file cannot be added to the chosen ones; null if it can. */
export function findFileProblem(file: File, others: ChosenFiles): string | null {
  const duplicate = QUALITY_CHECK_SLOTS.find((slot) => others[slot] && isSameFile(others[slot], file));
  return duplicate === undefined
    ? findAudioSizeProblem(file)
    : `${toSlotLabel(duplicate)}と同じファイルです。別のファイルを選んでください。`;
}

/** The slots whose files the browser can no longer read. */
export async function listUnreadable(files: ChosenFiles): Promise<QualityCheckSlot[]> {
  const checks = QUALITY_CHECK_SLOTS.map(async (slot) => {
    const file = files[slot];
    return file === undefined || (await isReadable(file)) ? null : slot;
  });
  return (await Promise.all(checks)).filter((slot) => slot !== null);
}

export function countBytes(files: ChosenFiles): number {
  return Object.values(files).reduce((sum, { size }) => sum + size, 0);
}

/** The form of spec §7; slots that are empty are left out. `types` are ids of sound types. */
export function toApplicationForm(files: ChosenFiles, userId: string, types: readonly string[]): FormData {
  const form = new FormData();
  for (const slot of QUALITY_CHECK_SLOTS) {
    const file = files[slot];
    if (file) form.set(slot, withSpecType(file));
  }
  form.set('user_id', userId);
  for (const type of types) form.append('types', type);
  return form;
}
