import {
  ApiError,
  RECENT_LOGIN_REQUIRED,
  SECOND_FACTOR_AND_PASSWORD_REQUIRED,
  SECOND_FACTOR_REQUIRED,
} from '../../contract/calls/errors.ts';
import { createDeferred } from '../browser/deferred.ts';

/** Asks for the password; resolves to whether the host accepted it. */
export type PasswordPrompt = () => Promise<boolean>;
/** Asks for a code of the second factor, and for the password if it is needed too. */
export type CodePrompt = (needsPassword: boolean) => Promise<boolean>;

let prompt: PasswordPrompt | null = null;
/** Only pages of the console have it, and they call the API before its island is there. */
const codePrompt = createDeferred<CodePrompt>();
let underWay: Promise<boolean> | null = null;
/** When the last prompt was answered rightly, by `performance.now()`. */
let takenAtMs = Number.NEGATIVE_INFINITY;

/** Sets the prompt for hosts that require a recent log-in (decision 032); null for none. */
export function setPasswordPrompt(ask: PasswordPrompt | null): void {
  prompt = ask;
}

/** Sets the prompt for staff with a second factor (decision 091), once. */
export function setCodePrompt(ask: CodePrompt): void {
  codePrompt.resolve(ask);
}

/**
 * Whether to repeat a refused call because the password or a code has been entered meanwhile. Calls refused at the same
 * time share one prompt. Throws `ApiError` of the kind `cancelled` when the prompt was closed.
 */
export async function isPasswordGiven(reply: unknown, calledAtMs: number): Promise<boolean> {
  const code = typeof reply === 'object' && reply !== null ? (Reflect.get(reply, 'code') as unknown) : null;
  const isCode = code === SECOND_FACTOR_REQUIRED || code === SECOND_FACTOR_AND_PASSWORD_REQUIRED;
  if (!isCode && (code !== RECENT_LOGIN_REQUIRED || prompt === null)) return false;
  // Another call has prompted since this one was sent.
  if (takenAtMs >= calledAtMs) return true;
  underWay ??= (
    isCode
      ? codePrompt.promise.then((ask) => ask(code === SECOND_FACTOR_AND_PASSWORD_REQUIRED))
      : (prompt?.() ?? Promise.resolve(false))
  )
    .then((isGiven) => {
      if (isGiven) takenAtMs = performance.now();
      return isGiven;
    })
    .finally(() => (underWay = null));
  if (await underWay) return true;
  throw new ApiError(403, [], { kind: 'cancelled' });
}
