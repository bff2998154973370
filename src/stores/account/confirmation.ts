import { atom } from 'nanostores';
import { takeFromAddress } from '../../browser/address.ts';
import type { Draft } from '../../lib/form-state.ts';
import { confirmUser } from './actions.ts';

export type ConfirmationState = 'none' | 'running' | 'confirmed' | 'failed';

/** The call that a confirmation link asks for (spec §2). */
export function createConfirmation() {
  const $state = atom<ConfirmationState>('none');
  /** Values to prefill in the log-in form. */
  const $known = atom<Draft>({});

  /** Runs once: the token is removed from the address, so it cannot be read again. */
  function start(): void {
    const link = takeFromAddress(['user', 'token']);
    if (link === null) return;
    $state.set('running');
    void confirmUser(link.user, link.token).then((email) => {
      $state.set(email === null ? 'failed' : 'confirmed');
      if (email) $known.set({ email });
    });
  }

  return { $state, $known, start };
}

export type ConfirmationStore = ReturnType<typeof createConfirmation>;
