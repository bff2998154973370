import { ApiError, RECENT_LOGIN_REQUIRED } from '../../contract/errors.ts';

/** Asks for the password; resolves to whether the host accepted it. */
export type PasswordPrompt = () => Promise<boolean>;

let prompt: PasswordPrompt | null = null;
let underWay: Promise<boolean> | null = null;
/** When the password was last taken, by the clock of `performance.now()`. */
let takenAtMs = Number.NEGATIVE_INFINITY;

/** Sets the prompt for hosts that ask for the password again (decisions.md, recent log-in); null for none. */
export function setPasswordPrompt(ask: PasswordPrompt | null): void {
  prompt = ask;
}

/**
 * Whether a call that was refused is to be made once more, because the password has been given meanwhile. Calls
 * that are refused at once share one prompt. Throws `ApiError` of the kind `cancelled` when the prompt was closed.
 */
export async function isPasswordGiven(reply: unknown, calledAtMs: number): Promise<boolean> {
  const code = typeof reply === 'object' && reply !== null ? (Reflect.get(reply, 'code') as unknown) : null;
  if (code !== RECENT_LOGIN_REQUIRED || prompt === null) return false;
  // Another call has asked since this one was sent.
  if (takenAtMs >= calledAtMs) return true;
  underWay ??= prompt()
    .then((isGiven) => {
      if (isGiven) takenAtMs = performance.now();
      return isGiven;
    })
    .finally(() => (underWay = null));
  if (await underWay) return true;
  throw new ApiError(403, [], { kind: 'cancelled' });
}
