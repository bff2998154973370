import { computed } from 'nanostores';
import { AUDIO_PROBLEM, isAudioFile } from '../../../contract/sounds/audio-files.ts';
import {
  QUALITY_CHECK_SLOTS,
  type QualityCheckSlot,
  TOO_FEW_FILES,
  applyForQualityCheck,
} from '../../../contract/accounts/quality-check.ts';
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
import { changeProfile, reloadProfile } from '../profile/profile.ts';
import { memberAtom } from '../shared/member-atom.ts';
import { presentError } from '../shared/request-errors.ts';

/** Spec §8. */
const APPLIED = 'クオリティチェックが申請されました';
const UNREADABLE = 'ファイルを読み込めません。移動や変更をしたときは、もう一度選んでください。';

type Editing = Extract<FormState, { state: 'editing' }>;
/** Errors are keyed by the name of a slot, or by `files` (all slots), `types` and `agreement`. */
export type Application =
  | Editing
  /** `share` is the part sent, from 0 to 1; at 1 the host is processing. */
  | { readonly state: 'sending'; readonly share: number; readonly totalBytes: number };

/** The form's other values. */
interface Answers {
  /** Ids of sound types. */
  readonly types: readonly string[];
  readonly hasAgreed: boolean;
}

const NO_ANSWERS: Answers = { types: [], hasAgreed: false };

/**
 * An application for the quality check (spec §2). Its files and answers survive closing the dialog, a failure and a
 * cancelled attempt, so that nothing has to be chosen twice. Never throws. For module level, like `memberAtom`.
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
   * Puts a file into a slot, and further ones into the empty slots after it. An invalid file leaves its slot empty and
   * is reported; one that is no audio file by the alert of spec §8.
   */
  function choose(slot: QualityCheckSlot, file: File, ...further: readonly File[]): void {
    if ($application.get().state === 'sending') return;
    const later = QUALITY_CHECK_SLOTS.slice(QUALITY_CHECK_SLOTS.indexOf(slot) + 1);
    const empty = later.filter((name) => $files.get()[name] === undefined);
    put(slot, file);
    const audio = further.filter(isAudioFile);
    empty.forEach((target, index) => {
      const next = audio[index];
      if (next) put(target, next);
    });
    if (!isAudioFile(file) || audio.length < further.length) showAlert(AUDIO_PROBLEM);
    const rest = audio.length - empty.length;
    if (rest > 0) showToast('error', `空きが足りず、${rest}個のファイルは入りませんでした。`);
  }

  function put(slot: QualityCheckSlot, file: File): void {
    const { [slot]: _, ...others } = $files.get();
    const problem = isAudioFile(file) ? findFileProblem(file, others) : null;
    $files.set(isAudioFile(file) && problem === null ? { ...others, [slot]: file } : others);
    setProblem(slot, problem);
  }

  function remove(slot: QualityCheckSlot): void {
    if ($application.get().state === 'sending') return;
    const { [slot]: _, ...others } = $files.get();
    $files.set(others);
    setProblem(slot, null);
  }

  /** Errors of a changed slot are dropped; the error that too few are filled stays while it is true. */
  function setProblem(slot: QualityCheckSlot, problem: string | null): void {
    const isEnough = listEmptySlots($files.get()).length === 0;
    clearErrors(isEnough ? [slot, 'files'] : [slot], problem === null ? {} : { [slot]: problem });
  }

  /** A field being corrected is no longer marked as wrong, and neither is the form. */
  function clearErrors(names: readonly string[], found: FieldErrors = {}): void {
    const current = $application.get();
    if (current.state !== 'editing') return;
    const others = Object.entries(current.errors).filter(([name]) => !names.includes(name));
    $application.set({ ...current, errors: { ...Object.fromEntries(others), ...found }, problems: [] });
  }

  function toggleType(id: string): void {
    if ($application.get().state === 'sending') return;
    const { types, hasAgreed } = $answers.get();
    $answers.set({
      types: types.includes(id) ? types.filter((other) => other !== id) : [...types, id],
      hasAgreed,
    });
    clearErrors(['types']);
  }

  function agree(hasAgreed: boolean): void {
    if ($application.get().state === 'sending') return;
    $answers.set({ ...$answers.get(), hasAgreed });
    clearErrors(['agreement']);
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
    const showProgress = (share: number) => {
      if (!signal.aborted) $application.set({ state: 'sending', share, totalBytes });
    };
    showProgress(0);
    const unreadable = await listUnreadable(files);
    if (signal.aborted) return;
    if (unreadable.length > 0) return dropUnreadable(unreadable);
    try {
      const form = toApplicationForm(files, userId, types);
      await uploadForm(applyForQualityCheck, form, { signal, onProgress: showProgress });
    } catch (error) {
      if (!signal.aborted) showFailure(error);
      return;
    }
    if (signal.aborted) return;
    clear();
    showToast('success', APPLIED);
    changeProfile({ status: 'pending' });
    reloadProfile();
  }

  /** Cancels sending; the files stay chosen. */
  function cancel(): void {
    if ($application.get().state !== 'sending') return;
    abort?.abort();
    $application.set({ ...UNTOUCHED, attempt });
    // The host may have received everything by then.
    reloadProfile();
  }

  /** Clears everything, cancels sending, and closes the dialog. */
  function clear(): void {
    abort?.abort();
    $isOpen.set(false);
    $files.set({});
    $answers.set(NO_ANSWERS);
    $application.set({ ...UNTOUCHED, attempt });
  }

  /** A file that has been moved or changed must be chosen again: the browser would send none of them. */
  function dropUnreadable(slots: readonly QualityCheckSlot[]): void {
    const others = Object.entries($files.get()).filter(([slot]) => !isSlot(slot) || !slots.includes(slot));
    $files.set(Object.fromEntries(others));
    refuse(Object.fromEntries(slots.map((slot) => [slot, UNREADABLE])));
  }

  /** Shows a toast for each message, and each message at its field. */
  function showFailure(error: unknown): void {
    const { fields, problems, status } = presentError(error, {
      toasts: 'each-keyed',
      isField: (key) => isSlot(key) || key === 'types',
    });
    const errors: Record<string, string> = {};
    for (const { key, message } of fields) {
      errors[key] = errors[key] === undefined ? message : `${errors[key]}\n${message}`;
    }
    refuse(errors, problems, status);
    // The answer may have been lost, or another tab may have applied.
    reloadProfile();
  }

  const open = () => $isOpen.set(true);
  /** Chosen files stay, and sending continues. */
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

/** The application of the logged-in member. */
export const qualityCheck = createQualityCheck();

/** Whether leaving would lose chosen files or cancel sending. */
export const $hasUnsent = computed(qualityCheck.$files, (files) => Object.keys(files).length > 0);

/** Whether the last attempt failed and nothing has changed since. */
export function hasRefusal({ status, errors, problems }: Editing): boolean {
  return problems.length > 0 || (status > 0 && Object.keys(errors).length > 0);
}
