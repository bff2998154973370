import { ApiError, RECENT_LOGIN_REQUIRED } from '../../contract/errors.ts';

/** Asks for the password; resolves to whether the host accepted it. */
export type PasswordPrompt = () => Promise<boolean>;

let prompt: PasswordPrompt | null = null;
let underWay: Promise<boolean> | null = null;
/** When the password was last accepted, by `performance.now()`. */
let takenAtMs = Number.NEGATIVE_INFINITY;

/** Sets the prompt for hosts that require a recent log-in (docs/decisions/032); null for none. */
export function setPasswordPrompt(ask: PasswordPrompt | null): void {
  prompt = ask;
}

/**
 * Whether to repeat a refused call because the password has been entered meanwhile. Calls refused at the same time
 * share one prompt. Throws `ApiError` of the kind `cancelled` when the prompt was closed.
 */
export async function isPasswordGiven(reply: unknown, calledAtMs: number): Promise<boolean> {
  const code = typeof reply === 'object' && reply !== null ? (Reflect.get(reply, 'code') as unknown) : null;
  if (code !== RECENT_LOGIN_REQUIRED || prompt === null) return false;
  // Another call has prompted since this one was sent.
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
