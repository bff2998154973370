import type { ReadableAtom } from 'nanostores';
import type { Draft } from './drafts.ts';

/** Errors by field name. */
export type FieldErrors = Readonly<Record<string, string>>;

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
  | { readonly state: 'done' };

/** The behaviour of a form, see `src/stores/shared/form.ts`. */
export interface FormLogic {
  readonly $form: ReadableAtom<FormState>;
  submit(values: Record<string, unknown>): Promise<void>;
  touch(name: string): void;
  keep(typed: Draft): void;
  recall(): Draft;
}

export const UNTOUCHED: Extract<FormState, { state: 'editing' }> = {
  state: 'editing',
  errors: {},
  problems: [],
  status: 0,
  attempt: 0,
};
