import type { ReadableAtom } from 'nanostores';
import type { Draft } from './drafts.ts';

/** What is wrong, by the name of the field. */
export type FieldErrors = Readonly<Record<string, string>>;

export type FormState =
  | {
      readonly state: 'editing';
      readonly errors: FieldErrors;
      /** What is wrong with no field of this form: the request as a whole, or no answer. */
      readonly problems: readonly string[];
      /** The status of the reply that refused; 0 when none came, or none was asked for. */
      readonly status: number;
      /** Counts refusals, so that the same error twice still moves focus twice. */
      readonly attempt: number;
    }
  | { readonly state: 'sending' }
  | { readonly state: 'done' };

/** What a form does, see `src/stores/shared/form.ts`. */
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
