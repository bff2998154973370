import { computed } from 'nanostores';
import { AUDIO_PROBLEM, isAudioFile } from '../../../contract/audio-files.ts';
import {
  QUALITY_CHECK_SLOTS,
  type QualityCheckSlot,
  TOO_FEW_FILES,
  applyForQualityCheck,
} from '../../../contract/quality-check.ts';
import { uploadForm } from '../../api/upload.ts';
import { type FieldErrors, type FormState, UNTOUCHED } from '../../lib/form-state.ts';
import {
  type ChosenFiles,
  countBytes,
  findFileProblem,
  isSlot,
  listEmptySlots,
  listUnreadable,
  toApplicationForm,
} from '../../lib/quality-check-files.ts';
import { showAlert, showToast } from '../overlays/overlays.ts';
import { $soundTypes } from '../my-sounds/my-sounds.ts';
import { changeProfile, reloadProfile } from '../profile/profile.ts';
import { memberAtom } from '../shared/member-atom.ts';
import { presentError } from '../shared/request-errors.ts';

/** Spec §8. */
const APPLIED = 'クオリティチェックが申請されました';
const UNREADABLE = 'ファイルを読み込めません。移動や変更をしたときは、もう一度選んでください。';

type Editing = Extract<FormState, { state: 'editing' }>;
/** Errors go by the name of a slot, or by `files` (the slots together), `types` and `agreement`. */
export type Application =
  | Editing
  /** `share` is how much has left, from 0 to 1; at 1 the host is at work. */
  | { readonly state: 'sending'; readonly share: number; readonly totalBytes: number };

/** What stands in the form beside the files. */
interface Answers {
  /** Ids of sound types. */
  readonly types: readonly string[];
  readonly hasAgreed: boolean;
}

const NO_ANSWERS: Answers = { types: [], hasAgreed: false };

/**
 * An application for the quality check (spec §2). Its files and answers outlive the dialog, a failure and
 * a cancelled try, so that nothing has to be chosen twice. Nothing of it throws.
 * For modules, as `memberAtom` is.
 */
export function createQualityCheck() {
  const $files = memberAtom<ChosenFiles>({});
  const $answers = memberAtom<Answers>(NO_ANSWERS);
  const $application = memberAtom<Application>(UNTOUCHED, () => abort?.abort());
  const $isOpen = memberAtom(false);
  let abort: AbortController | null = null;
  let attempt = 0;

  const refuse = (errors: FieldErrors, problems: readonly string[] = [], status = 0) =>
    $application.set({ state: 'editing', errors, problems, status, attempt: (attempt += 1) });

  /**
   * Puts a file into a slot, and further ones into the empty slots after it. What cannot be sent
   * leaves its slot empty and is told: by the alert of spec §8 where it is no audio file.
   */
  function choose(slot: QualityCheckSlot, file: File, ...further: readonly File[]): void {
    if ($application.get().state === 'sending') return;
    const later = QUALITY_CHECK_SLOTS.slice(QUALITY_CHECK_SLOTS.indexOf(slot) + 1);
    const empty = later.filter((name) => $files.get()[name] === undefined);
    put(slot, file);
    const audio = further.filter(isAudioFile);
    empty.forEach((place, index) => {
      const next = audio[index];
      if (next) put(place, next);
    });
    if (!isAudioFile(file) || audio.length < further.length) showAlert(AUDIO_PROBLEM);
    const rest = audio.length - empty.length;
    if (rest > 0) showToast('error', `空きが足りず、${rest}個のファイルは入りませんでした。`);
  }

  function put(slot: QualityCheckSlot, file: File): void {
    const { [slot]: _, ...others } = $files.get();
    const problem = isAudioFile(file) ? findFileProblem(file, others) : null;
    $files.set(isAudioFile(file) && problem === null ? { ...others, [slot]: file } : others);
    judge(slot, problem);
  }

  function remove(slot: QualityCheckSlot): void {
    if ($application.get().state === 'sending') return;
    const { [slot]: _, ...others } = $files.get();
    $files.set(others);
    judge(slot, null);
  }

  /** What was said of a slot before it changed is over; that too few are filled stands while it is true. */
  function judge(slot: QualityCheckSlot, problem: string | null): void {
    const isEnough = listEmptySlots($files.get()).length === 0;
    mend(isEnough ? [slot, 'files'] : [slot], problem === null ? {} : { [slot]: problem });
  }

  /** What is being mended is no longer called wrong, and neither is the form as a whole. */
  function mend(names: readonly string[], found: FieldErrors = {}): void {
    const known = $application.get();
    if (known.state !== 'editing') return;
    const kept = Object.entries(known.errors).filter(([name]) => !names.includes(name));
    $application.set({ ...known, errors: { ...Object.fromEntries(kept), ...found }, problems: [] });
  }

  function toggleType(id: string): void {
    if ($application.get().state === 'sending') return;
    const { types, hasAgreed } = $answers.get();
    $answers.set({
      types: types.includes(id) ? types.filter((other) => other !== id) : [...types, id],
      hasAgreed,
    });
    mend(['types']);
  }

  function agree(hasAgreed: boolean): void {
    if ($application.get().state === 'sending') return;
    $answers.set({ ...$answers.get(), hasAgreed });
    mend(['agreement']);
  }

  /** Sends it as the member with this id (spec §7). */
  async function send(userId: string): Promise<void> {
    if ($application.get().state === 'sending') return;
    const files = $files.get();
    const { types, hasAgreed } = $answers.get();
    const errors = {
      ...(listEmptySlots(files).length > 0 && { files: TOO_FEW_FILES }),
      ...(types.length === 0 && { types: '種類を1つ以上選んでください。' }),
      ...(!hasAgreed && { agreement: '会員規約への同意が必要です。' }),
    };
    if (Object.keys(errors).length > 0) return refuse(errors);

    const { signal } = (abort = new AbortController());
    const totalBytes = countBytes(files);
    const tell = (share: number) => {
      if (!signal.aborted) $application.set({ state: 'sending', share, totalBytes });
    };
    tell(0);
    const unreadable = await listUnreadable(files);
    if (signal.aborted) return;
    if (unreadable.length > 0) return dropUnreadable(unreadable);
    try {
      const form = toApplicationForm(files, userId, types);
      await uploadForm(applyForQualityCheck, form, { signal, onProgress: tell });
    } catch (error) {
      if (!signal.aborted) tellFailure(error);
      return;
    }
    if (signal.aborted) return;
    clear();
    showToast('success', APPLIED);
    changeProfile({ status: 'pending' });
    reloadProfile();
  }

  /** Stops what is being sent; the files stay chosen. */
  function cancel(): void {
    if ($application.get().state !== 'sending') return;
    abort?.abort();
    $application.set({ ...UNTOUCHED, attempt });
    // The host may have had all of it by then.
    reloadProfile();
  }

  /** Forgets everything, stops what is being sent, and closes the dialog. */
  function clear(): void {
    abort?.abort();
    $isOpen.set(false);
    $files.set({});
    $answers.set(NO_ANSWERS);
    $application.set({ ...UNTOUCHED, attempt });
  }

  /** A file that has moved or changed since has to be chosen anew: the browser would send none of them. */
  function dropUnreadable(slots: readonly QualityCheckSlot[]): void {
    const kept = Object.entries($files.get()).filter(([slot]) => !isSlot(slot) || !slots.includes(slot));
    $files.set(Object.fromEntries(kept));
    refuse(Object.fromEntries(slots.map((slot) => [slot, UNREADABLE])));
  }

  /** A toast for each message, and each message at its place in the form. */
  function tellFailure(error: unknown): void {
    const { fields, problems, status } = presentError(error, {
      toasts: 'each-keyed',
      isField: (key) => isSlot(key) || key === 'types',
    });
    const errors: Record<string, string> = {};
    for (const { key, message } of fields) {
      errors[key] = errors[key] === undefined ? message : `${errors[key]}\n${message}`;
    }
    refuse(errors, problems, status);
    // The answer may have got lost, or another tab have applied.
    reloadProfile();
  }

  const open = () => $isOpen.set(true);
  /** What was chosen stays, and what is being sent goes on. */
  const close = () => $isOpen.set(false);

  return {
    $files,
    $answers,
    $application,
    $isOpen,
    open,
    close,
    choose,
    remove,
    toggleType,
    agree,
    send,
    cancel,
    clear,
  };
}

/** The application of whoever is logged in. */
export const qualityCheck = createQualityCheck();

/** Whether leaving would lose files that were chosen, or an application on its way. */
export const $hasUnsent = computed(qualityCheck.$files, (files) => Object.keys(files).length > 0);

/** Whether the last try has failed, and nothing has been done about it yet. */
export function hasRefusal({ status, errors, problems }: Editing): boolean {
  return problems.length > 0 || (status > 0 && Object.keys(errors).length > 0);
}

/** Asks for the types again after a failure. */
export function reloadSoundTypes(): void {
  $soundTypes.revalidate();
}
