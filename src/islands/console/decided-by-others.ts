import { ApiError } from '../../../contract/calls/errors.ts';

/** Whether a decision failed because somebody else was first; its subject is then read again. */
export function isDecidedByOthers(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 404 || error.status === 409);
}
