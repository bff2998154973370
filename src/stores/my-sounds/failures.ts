import { ApiError, type FieldError } from '../../../contract/errors.ts';
import { toKeyedMessages } from '../../lib/error-messages.ts';
import { showToast } from '../overlays/overlays.ts';

/** What a refusal says of single fields. */
export function readRefusals(error: unknown): readonly FieldError[] {
  return error instanceof ApiError && error.status !== 0 ? error.fields : [];
}

/** Spec §8, update and delete: a toast for each key of the reply. */
export function tellSoundFailure(error: unknown): void {
  for (const message of toKeyedMessages(error)) showToast('error', message);
}
