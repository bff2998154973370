import {
  ApiError,
  RECENT_LOGIN_REQUIRED,
  SECOND_FACTOR_AND_PASSWORD_REQUIRED,
  SECOND_FACTOR_REQUIRED,
} from '../../contract/calls/errors.ts';
import { type Proof, getPasswordPrompt } from '../browser/password-prompt.ts';

/** By the code of the refusal. */
const PROOFS: ReadonlyMap<unknown, Proof> = new Map([
  [RECENT_LOGIN_REQUIRED, { password: true, code: false }],
  [SECOND_FACTOR_REQUIRED, { password: false, code: true }],
  [SECOND_FACTOR_AND_PASSWORD_REQUIRED, { password: true, code: true }],
]);

let underWay: Promise<boolean> | null = null;
/** When the last prompt was answered correctly, by `performance.now()`. */
let acceptedAtMs = Number.NEGATIVE_INFINITY;

/**
 * Whether to repeat a refused call because the password or a code has been entered meanwhile. Calls refused at the same
 * time share one prompt. Throws `ApiError` of the kind `cancelled` when the prompt was closed, or why it cannot load.
 */
export async function isPasswordGiven(reply: unknown, calledAtMs: number): Promise<boolean> {
  const proof = PROOFS.get(typeof reply === 'object' && reply !== null ? Reflect.get(reply, 'code') : null);
  const ask = getPasswordPrompt();
  if (proof === undefined || ask === null) return false;
  // Another call has prompted since this one was sent.
  if (acceptedAtMs >= calledAtMs) return true;
  underWay ??= ask(proof).finally(() => (underWay = null));
  if (!(await underWay)) throw new ApiError(403, [], { kind: 'cancelled' });
  acceptedAtMs = performance.now();
  return true;
}
