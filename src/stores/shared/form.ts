import { atom, computed } from 'nanostores';
import * as v from 'valibot';
import { readDraft, saveDraft } from '../../browser/drafts.ts';
import {
  type Draft,
  type FieldErrors,
  type FormState,
  type FormValues,
  UNTOUCHED,
} from '../../lib/form-state.ts';
import { type RequestErrors, firstOfEach, presentError } from './request-errors.ts';
import type { Versioned } from './versioned.ts';

type FieldsSchema = v.ObjectSchema<v.ObjectEntries, undefined>;

export interface FormOptions<Schema extends FieldsSchema> {
  /** One entry per field; errors of an error reply for other keys concern the form as a whole. */
  readonly schema: Schema;
  /** The key under which typed text survives leaving the page; without it nothing is stored. */
  readonly draft?: string;
  /** The saved values. The fields start with them; values without a field are sent as they are. */
  readonly initial?: FormValues;
  /** Set if the form can be sent again: it keeps its values, or clears them. Otherwise it is done after the first. */
  readonly afterSave?: 'keep' | 'clear';
  /** For what several people may edit at the same time; `send` uses it. */
  readonly versioned?: Versioned<v.InferOutput<Schema>>;
  /** Returns the problems that the form shows. Without it, each message of an error reply is also a toast. */
  explain?(reply: RequestErrors): readonly string[];
  /** Submits the form. Throws `ApiError`. */
  send(values: v.InferOutput<Schema>): Promise<unknown>;
}

/**
 * A form: validates the input, sends one request at a time, and reports errors, each message at its field and each
 * value of an error reply as a toast (spec §8). `Form` connects it with its fields.
 */
export function createForm<Schema extends FieldsSchema>(options: FormOptions<Schema>) {
  const { schema, draft, initial = {}, afterSave, explain, versioned, send } = options;
  const $form = atom<FormState>(UNTOUCHED);
  const $saved = atom(initial);
  const $values = atom<FormValues>({ ...initial, ...(draft !== undefined && readDraft(draft)) });
  /** Whether a value differs from the saved one. */
  const $isDirty = computed([$values, $saved], (values, saved) =>
    Object.entries(values).some(([name, value]) => (value || '') !== (saved[name] || '')),
  );
  const $isValid = computed($values, (values) => v.is(schema, values));
  let attempt = 0;

  /** Marks fields as wrong. */
  function refuse(errors: FieldErrors, problems: readonly string[] = [], status = 0): void {
    $form.set({ state: 'editing', errors, problems, status, attempt: (attempt += 1) });
  }

  async function submit(values: FormValues): Promise<void> {
    if ($form.get().state !== 'editing') return;
    const sent = { ...$saved.get(), ...values };
    const checked = v.safeParse(schema, sent);
    if (!checked.success) return refuse(toFieldErrors(checked.issues));
    $form.set({ state: 'sending' });
    try {
      await send(checked.output);
      keep({});
      if (afterSave === 'clear') return reset();
      $saved.set(sent);
      const { password: _, ...rest } = checked.output as Record<string, unknown>;
      $form.set(afterSave === 'keep' ? UNTOUCHED : { state: 'done', sent: rest });
    } catch (error) {
      const reply = presentError(error, {
        toasts: explain ? 'none' : 'each',
        isField: (key) => key in schema.entries,
      });
      const problems = explain ? explain(reply) : reply.problems;
      // A conflict has its own message, which stays while the person types.
      refuse(firstOfEach(reply.fields), versioned?.isConflict(error) ? [] : problems, reply.status);
    }
  }

  /** Sets the values of the fields. */
  function setValues(values: FormValues): void {
    $values.set({ ...$saved.get(), ...values });
  }

  /** Replaces all values; typed text is lost. */
  function reset(saved: FormValues = {}): void {
    $saved.set(saved);
    $values.set(saved);
    $form.set(UNTOUCHED);
  }

  /** After a conflict: replaces typed text with what someone else has saved. */
  function takeTheirs(): void {
    const theirs = versioned?.$conflict.get()?.theirs;
    versioned?.accept();
    if (theirs) reset(theirs as FormValues);
  }

  /** After a conflict: replaces what someone else has saved, or creates it again. */
  async function keepMine(): Promise<void> {
    versioned?.accept();
    await submit($values.get());
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

  const conflict = versioned && { $conflict: versioned.$conflict, takeTheirs, keepMine };
  return { $form, $values, $isDirty, $isValid, submit, refuse, setValues, reset, touch, keep, conflict };
}

function toFieldErrors(issues: readonly v.BaseIssue<unknown>[]): FieldErrors {
  return firstOfEach(issues.map(({ path, message }) => ({ key: String(path?.[0]?.key ?? ''), message })));
}
