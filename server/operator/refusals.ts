import { classifyFailure } from '../platform/database/drivers/failure.ts';
import type { DatabaseFailure } from '../platform/database/drivers/failure.ts';
import { OperatorError } from '../platform/operator-error.ts';
import { MissingObjectError } from '../platform/storage/port.ts';
import { Problem } from '../platform/http/problem.ts';

/** The command is unknown or incomplete: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The command is valid but cannot be carried out: exit code 1. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
}

/** Why a new file cannot be written. */
export function toWriteRefusal(path: string, { code }: NodeJS.ErrnoException): Refusal {
  return new Refusal(code === 'EEXIST' ? `${path} already exists` : `${path} cannot be written (${code})`);
}

const FAILURES: Readonly<Record<DatabaseFailure, string>> = {
  full: 'the disk is full, and nothing was changed',
  busy: 'another process has locked the database; try again in a moment',
  conflict: 'another process changed the same data concurrently; try again',
  unavailable: 'the database is not available',
};

/** One line for any error; `subject` is the target of the command. */
export function toErrorLine(error: unknown, subject: string): string {
  if (error instanceof Problem) return `${subject}: ${toProblemLine(error)}`;
  if (error instanceof MissingObjectError) return `${subject}: its file is missing`;
  if (error instanceof OperatorError) return error.message;
  if (!(error instanceof Error)) return String(error);
  // The error of an unreachable database has a code, and often no message.
  const { code } = error as NodeJS.ErrnoException;
  const line = (error.message || code || error.name).split('\n', 1)[0] ?? '';
  const failure = classifyFailure(error);
  return failure === undefined ? line : `${FAILURES[failure]} (${line})`;
}

/** The API's own sentences, each with the field that it is about. */
function toProblemLine({ fields }: Problem): string {
  return Object.entries(fields)
    .map(([name, text]) => (name === 'detail' ? text : `${name}: ${text}`))
    .join(' ');
}
