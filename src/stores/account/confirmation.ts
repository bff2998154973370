import { atom } from 'nanostores';
import { createMailedLink, isLinkRefused } from '../../browser/mailed-link.ts';
import { toErrorMessages } from '../../lib/error-messages.ts';
import type { Draft } from '../../lib/form-state.ts';
import { showToast } from '../overlays/overlays.ts';
import { confirmUser } from './actions.ts';

export type ConfirmationState =
  | { readonly state: 'none' | 'running' | 'confirmed' | 'refused' }
  /** The link may still be valid. */
  | { readonly state: 'unavailable'; readonly problems: readonly string[] };

/** The call that a confirmation link asks for (spec §2). */
export function createConfirmation() {
  const link = createMailedLink({ key: 'confirm', names: ['user', 'token'] });
  const $state = atom<ConfirmationState>({ state: 'none' });
  /** Values to prefill in the log-in form. */
  const $defaults = atom<Draft>({});

  /** Confirms, once at a time. Also repeats it after an outage. */
  async function start(): Promise<void> {
    const { state } = $state.get();
    if (state !== 'none' && state !== 'unavailable') return;
    const opened = link.read();
    if (opened === null) return;
    $state.set({ state: 'running' });
    try {
      const email = await confirmUser(opened.user, opened.token);
      link.drop();
      $state.set({ state: 'confirmed' });
      if (email) $defaults.set({ email });
    } catch (error) {
      if (!isLinkRefused(error))
        return $state.set({ state: 'unavailable', problems: toErrorMessages(error) });
      link.drop();
      showToast('error', 'Error confirming user');
      $state.set({ state: 'refused' });
    }
  }

  return { $state, $defaults, start };
}

export type ConfirmationStore = ReturnType<typeof createConfirmation>;
