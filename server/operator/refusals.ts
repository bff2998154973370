import { classifyFailure } from '../platform/database/database.ts';
import type { DatabaseFailure } from '../platform/database/database.ts';
import { SettingsError } from '../settings.ts';
import { MissingObjectError } from '../platform/storage/storage.ts';
import { CreditBlocked } from '../features/downloads/downloads.ts';
import type { Blocker } from '../features/downloads/downloads.ts';
import { IncompletePayee } from '../features/ledger/ledger.ts';
import { UnfitPersonalInfo } from '../features/reviews/reviews.ts';
import { Problem } from '../platform/http/http.ts';

/** The command is unknown or incomplete: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The command is valid but cannot be carried out: exit code 1. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
}

/** Translates the services' Japanese messages to members into the language of the command line. */
const STATUSES: Readonly<Record<number, string>> = {
  403: 'the acting account is no staff account',
  404: 'there is no such thing',
  409: 'it does not wait for a decision: it has been decided already',
  423: 'payouts of this member are on hold: the member is blocked, or the name or bank account was changed less than 72 hours ago',
};

export const BLOCKERS: Readonly<Record<Blocker, string>> = {
  own: 'nobody approves credits of their own',
  'artist-blocked': 'the artist is blocked',
  'not-credited': 'it is not credited, or no longer',
  'paid-out': 'its yen are paid out, or held for a payout, and cannot be taken back',
};

const FAILURES: Readonly<Record<DatabaseFailure, string>> = {
  full: 'the disk is full, and nothing was changed',
  busy: 'another process holds the database; try again in a moment',
  conflict: 'another process changed the same at the same time; try again',
  unavailable: 'the database cannot be used just now',
};

/** One line for any error; `subject` is the target of the command. */
export function toErrorLine(error: unknown, subject: string): string {
  if (error instanceof CreditBlocked) return `${subject}: ${BLOCKERS[error.blocker]}`;
  if (error instanceof IncompletePayee) {
    return `${subject}: the member has left empty: ${error.missing.join(', ')}; refuse it with a reason, or wait until it is filled in`;
  }
  if (error instanceof UnfitPersonalInfo) {
    const { missing } = error;
    const why =
      missing.length > 0
        ? `the member has left empty: ${missing.join(', ')}; reject it with a reason, or wait until it is filled in`
        : 'view it first, with the account that approves; if you have, the member has filled something in since';
    return `${subject}: ${why}`;
  }
  if (error instanceof Problem) return `${subject}: ${STATUSES[error.status] ?? error.message}`;
  if (error instanceof MissingObjectError) return `${subject}: its file is missing`;
  if (error instanceof SettingsError) return error.message;
  if (!(error instanceof Error)) return String(error);
  // The error of an unreachable database has a code, and often no message.
  const { code } = error as NodeJS.ErrnoException;
  const line = (error.message || code || error.name).split('\n', 1)[0] ?? '';
  const failure = classifyFailure(error);
  return failure === undefined ? line : `${FAILURES[failure]} (${line})`;
}
