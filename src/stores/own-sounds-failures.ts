import { ApiError, type FieldError } from '../../contract/errors.ts';
import { toErrorMessages } from '../lib/error-messages.ts';
import { showToast } from './toasts.ts';

/** What a refusal says of single fields. */
export function readRefusals(error: unknown): readonly FieldError[] {
  return error instanceof ApiError && error.status !== 0 ? error.fields : [];
}

/** Spec §8, update and delete: a toast for each key of the reply. */
export function tellSoundFailure(error: unknown): void {
  const fields = readRefusals(error);
  if (fields.length > 0) for (const { key, message } of fields) showToast('error', `${key}: ${message}`);
  else for (const message of toErrorMessages(error)) showToast('error', message);
}
