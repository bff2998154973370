import type { ReadableAtom } from 'nanostores';

/** Unsent text of a form, by field name. Never contains secrets. */
export type Draft = Readonly<Record<string, string>>;

/** Errors by field name. */
export type FieldErrors = Readonly<Record<string, string>>;

/** The values of the fields of a form, by name: text, whether a box is checked, or the chosen file. */
export type FormValues = Readonly<Record<string, string | boolean | File | undefined>>;

export type FormState =
  | {
      readonly state: 'editing';
      readonly errors: FieldErrors;
      /** Errors of no field: the request as a whole failed, or no answer came. */
      readonly problems: readonly string[];
      /** Status of the refusing reply; 0 when none came or nothing was sent. */
      readonly status: number;
      /** Counts refusals, so that the same error twice still moves focus twice. */
      readonly attempt: number;
    }
  | { readonly state: 'sending' }
  /** `sent`: the values as they were sent, without a password. */
  | { readonly state: 'done'; readonly sent: Readonly<Record<string, unknown>> };

/** Someone else has saved a change meanwhile. */
export interface Conflict<Values> {
  readonly problem: string;
  /** The saved values; null if they were deleted. */
  readonly theirs: Values | null;
}

export interface FormConflict {
  readonly $conflict: ReadableAtom<Conflict<FormValues> | null>;
  takeTheirs(): void;
  keepMine(): Promise<void>;
}

/** The behaviour of a form, see `src/stores/shared/form.ts`. */
export interface FormLogic {
  readonly $form: ReadableAtom<FormState>;
  readonly $values: ReadableAtom<FormValues>;
  readonly $isValid: ReadableAtom<boolean>;
  submit(values: FormValues): Promise<void>;
  setValues(values: FormValues): void;
  touch(name: string): void;
  keep(typed: Draft): void;
  /** For data that several people may edit. */
  readonly conflict?: FormConflict | undefined;
}

export const UNTOUCHED: Extract<FormState, { state: 'editing' }> = {
  state: 'editing',
  errors: {},
  problems: [],
  status: 0,
  attempt: 0,
};
