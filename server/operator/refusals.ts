import { classifyFailure } from '../platform/database/database.ts';
import type { DatabaseFailure } from '../platform/database/database.ts';
import { SettingsError } from '../settings.ts';
import { MissingObjectError, StorageUnavailable } from '../platform/storage/storage.ts';
import { MemberRefused } from '../features/accounts/accounts.ts';
import type { MemberRefusal } from '../features/accounts/accounts.ts';
import { CreditBlocked } from '../features/downloads/downloads.ts';
import type { Blocker } from '../features/downloads/downloads.ts';
import { DeletionBlocked } from '../features/own-data/own-data.ts';
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
  403: 'the acting account is not a staff account',
  404: 'not found',
  409: 'it is not waiting for a decision: it was already decided',
  423: 'payouts of this member are on hold: the member is blocked, or the name or bank account was changed less than 72 hours ago',
};

export const BLOCKERS: Readonly<Record<Blocker, string>> = {
  own: 'you cannot approve your own credits',
  'artist-blocked': 'the artist is blocked',
  'not-credited': 'it is not credited, or no longer credited',
  'paid-out': 'its yen were paid out or are held for a payout, and cannot be reversed',
};

const MEMBER_REFUSALS: Readonly<Record<MemberRefusal, (email: string) => string>> = {
  self: () => 'you cannot block or unblock the account you act as',
  'not-staff': () => 'only a staff account can do this: use --as EMAIL',
  suspended: (email) => `${email} is suspended: use unsuspend`,
  deleting: (email) => `${email} is being deleted`,
  'already-blocked': (email) => `${email} is already blocked`,
  'not-blocked': (email) => `${email} is not blocked`,
  'already-staff': (email) => `${email} is already staff`,
  'no-staff-account': (email) => `${email} is not staff`,
  'no-sessions': (email) => `${email} is not logged in`,
  'last-staff': (email) => `${email} is the last staff account: add another one first`,
};

function toDeletionLine({ blocker, balance }: DeletionBlocked): string {
  return {
    'last-staff': 'this is the last staff account: add another one first',
    'under-way': 'it is already being deleted',
    'open-transfer': 'a payout is waiting: pay or refuse it first',
    'other-balance': `the balance is ${balance} yen; if the member gives it up, use --forfeit ${balance}`,
  }[blocker];
}

const FAILURES: Readonly<Record<DatabaseFailure, string>> = {
  full: 'the disk is full, and nothing was changed',
  busy: 'another process has locked the database; try again in a moment',
  conflict: 'another process changed the same data concurrently; try again',
  unavailable: 'the database is not available',
};

/** One line for any error; `subject` is the target of the command. */
export function toErrorLine(error: unknown, subject: string): string {
  if (error instanceof MemberRefused) return MEMBER_REFUSALS[error.refusal](subject);
  if (error instanceof CreditBlocked) return `${subject}: ${BLOCKERS[error.blocker]}`;
  if (error instanceof DeletionBlocked) return `${subject}: ${toDeletionLine(error)}`;
  if (error instanceof IncompletePayee) {
    return `${subject}: missing details: ${error.missing.join(', ')}; refuse it with a reason, or wait until the member adds them`;
  }
  if (error instanceof UnfitPersonalInfo) {
    const { missing } = error;
    const why =
      missing.length > 0
        ? `missing details: ${missing.join(', ')}; reject it with a reason, or wait until the member adds them`
        : 'view it first with the approving account; if you did, the details have changed since';
    return `${subject}: ${why}`;
  }
  if (error instanceof Problem) return `${subject}: ${STATUSES[error.status] ?? error.message}`;
  if (error instanceof MissingObjectError) return `${subject}: its file is missing`;
  if (error instanceof StorageUnavailable) return error.message;
  if (error instanceof SettingsError) return error.message;
  if (!(error instanceof Error)) return String(error);
  // The error of an unreachable database has a code, and often no message.
  const { code } = error as NodeJS.ErrnoException;
  const line = (error.message || code || error.name).split('\n', 1)[0] ?? '';
  const failure = classifyFailure(error);
  return failure === undefined ? line : `${FAILURES[failure]} (${line})`;
}
