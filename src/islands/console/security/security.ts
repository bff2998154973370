import * as v from 'valibot';
import { PasswordSchema } from '../../../../contract/accounts/passwords.ts';
import {
  CodeSchema,
  type StartedSecondFactor,
  confirmSecondFactor,
  endSecondFactor,
  getSecondFactor,
  startSecondFactor,
} from '../../../../contract/operator/security.ts';
import { callApi } from '../../../api/browser.ts';
import type { FormLogic } from '../../../lib/form-state.ts';
import { showToast } from '../../../stores/overlays/overlays.ts';
import { attempt } from '../../../stores/shared/attempt.ts';
import { createForm } from '../../../stores/shared/form.ts';
import { memberAtom, memberSignal } from '../../../stores/shared/member-atom.ts';
import { staffQuery } from '../../../stores/shared/staff-query.ts';

/** The second factor of this account. */
export const $security = staffQuery('security', (signal) => callApi(getSecondFactor, { signal }));
/** The secret that was made for it; null unless it is being turned on. */
export const $started = memberAtom<StartedSecondFactor | null>(null);
/** The recovery codes, which are shown once. */
export const $recoveryCodes = memberAtom<readonly string[]>([]);

/** Makes a secret and shows it. Never throws. */
export async function startSecurity(): Promise<void> {
  await attempt(async (signal) => {
    const started = await callApi(startSecondFactor, { signal });
    if (!signal.aborted) $started.set(started);
  });
}

/** When the page is left. */
export function hideSecrets(): void {
  $started.set(null);
  $recoveryCodes.set([]);
}

/** Turns the second factor on with a first code. */
export function createConfirmation(): FormLogic {
  return createForm({
    schema: v.object({ code: CodeSchema }),
    async send(body) {
      const signal = memberSignal();
      const { recovery_codes: codes } = await callApi(confirmSecondFactor, { body });
      if (signal.aborted) return;
      $security.mutate({ is_on: true, recovery_codes: codes.length });
      $recoveryCodes.set(codes);
      $started.set(null);
      showToast('success', '2段階認証を有効にしました');
    },
  });
}

/** Turns the second factor off. */
export function createEnding(): FormLogic {
  return createForm({
    schema: v.object({ password: PasswordSchema, code: CodeSchema }),
    async send(body) {
      const signal = memberSignal();
      await callApi(endSecondFactor, { body });
      if (signal.aborted) return;
      $security.mutate({ is_on: false, recovery_codes: 0 });
      $recoveryCodes.set([]);
      showToast('success', '2段階認証を無効にしました');
    },
  });
}
