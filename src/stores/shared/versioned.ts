import { type ReadableAtom, atom } from 'nanostores';
import { ApiError } from '../../../contract/calls/errors.ts';
import type { Conflict } from '../../lib/form-state.ts';
import { toErrorMessages } from '../../lib/error-messages.ts';

/** What is saved, and in which version. */
export interface Saved<Version, Values> {
  readonly version: Version;
  readonly values: Values;
}

/** Data that several people or tabs may edit: the part of `createVersioned` that a form needs. */
export interface Versioned<Values> {
  readonly $conflict: ReadableAtom<Conflict<Values> | null>;
  isConflict(error: unknown): boolean;
  accept(): void;
}

/**
 * Sends changes together with the version that was read, so that nobody undoes the change of another without knowing. A
 * host refuses an outdated version (409), or one of something deleted (404). `read` gets the saved version.
 */
export function createVersioned<Version, Values>(
  opened: Version | null,
  read: () => Promise<Saved<Version, Values> | null>,
) {
  const $conflict = atom<Conflict<Values> | null>(null);
  let version = opened;
  let next = opened;

  /** Sends a change. Throws what `call` throws; if that is a conflict, it is in `$conflict` by then. */
  async function send<Reply>(call: (version: Version | null) => Promise<Reply>): Promise<Reply> {
    try {
      const reply = await call(version);
      $conflict.set(null);
      return reply;
    } catch (error) {
      if (isOutdated(error)) {
        const [problem = ''] = toErrorMessages(error);
        await look(problem).catch(() => undefined);
      }
      throw error;
    }
  }

  function isOutdated(error: unknown): boolean {
    return version !== null && error instanceof ApiError && [404, 409].includes(error.status);
  }

  /** Whether `$conflict` says why a change was refused. */
  function isConflict(error: unknown): boolean {
    return $conflict.get() !== null && isOutdated(error);
  }

  async function look(problem: string): Promise<void> {
    const saved = await read();
    // Refused for another reason.
    if (saved?.version === version) return;
    next = saved?.version ?? null;
    $conflict.set({ problem, theirs: saved?.values ?? null });
  }

  /** The user has seen the other change: the next one replaces it, or creates a deleted thing again. */
  function accept(): void {
    continueFrom(next);
  }

  /** The next change is based on this version. */
  function continueFrom(saved: Version | null): void {
    version = next = saved;
    $conflict.set(null);
  }

  return { $conflict, send, isConflict, accept, continueFrom };
}
