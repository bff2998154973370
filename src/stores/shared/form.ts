import { atom } from 'nanostores';
import * as v from 'valibot';
import { type Draft, readDraft, saveDraft } from '../../lib/drafts.ts';
import { type FieldErrors, type FormState, UNTOUCHED } from '../../lib/form-state.ts';
import { firstOfEach, presentError } from './request-errors.ts';

type FieldsSchema = v.ObjectSchema<v.ObjectEntries, undefined>;

export interface FormOptions<Schema extends FieldsSchema> {
  /** One entry per field; errors of an error reply for other keys concern the form as a whole. */
  readonly schema: Schema;
  /** The key under which typed text survives leaving the page; without it nothing is kept. */
  readonly draft?: string;
  /** Submits the form. Throws `ApiError`. */
  send(values: v.InferOutput<Schema>): Promise<void>;
}

/**
 * A form: validates the input, sends one request at a time, and reports errors, each message at its field and each
 * value of an error reply as a toast (spec §8). Fields keep their own text.
 */
export function createForm<Schema extends FieldsSchema>({ schema, draft, send }: FormOptions<Schema>) {
  const $form = atom<FormState>(UNTOUCHED);
  let attempt = 0;
  const refuse = (errors: FieldErrors, problems: readonly string[] = [], status = 0) =>
    $form.set({ state: 'editing', errors, problems, status, attempt: (attempt += 1) });

  async function submit(values: Record<string, unknown>): Promise<void> {
    if ($form.get().state !== 'editing') return;
    const checked = v.safeParse(schema, values);
    if (!checked.success) return refuse(toFieldErrors(checked.issues));
    $form.set({ state: 'sending' });
    try {
      await send(checked.output);
      keep({});
      $form.set({ state: 'done' });
    } catch (error) {
      const { fields, problems, status } = presentError(error, {
        toasts: 'each',
        isField: (key) => key in schema.entries,
      });
      refuse(firstOfEach(fields), problems, status);
    }
  }

  /** A field being corrected is no longer marked as wrong, and neither is the form. */
  function touch(name: string): void {
    const form = $form.get();
    if (form.state !== 'editing' || (!(name in form.errors) && form.problems.length === 0)) return;
    const { [name]: _, ...errors } = form.errors;
    $form.set({ ...form, errors, problems: [] });
  }

  /** Stores the typed text. Never pass a password. */
  function keep(typed: Draft): void {
    if (draft !== undefined && $form.get().state !== 'done') saveDraft(draft, typed);
  }

  /** The text that was typed before the page was left. */
  function recall(): Draft {
    return draft === undefined ? {} : readDraft(draft);
  }

  return { $form, submit, touch, keep, recall };
}

function toFieldErrors(issues: readonly v.BaseIssue<unknown>[]): FieldErrors {
  return firstOfEach(issues.map(({ path, message }) => ({ key: String(path?.[0]?.key ?? ''), message })));
}
