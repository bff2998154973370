import * as v from 'valibot';
import {
  CodeSchema,
  type StartedSecondFactor,
  confirmSecondFactor,
  endSecondFactor,
  getSecondFactor,
  giveSecondFactor,
  startSecondFactor,
} from '../../../../contract/operator/security.ts';
import { callApi } from '../../../api/browser.ts';
import { setCodePrompt } from '../../../api/step-up.ts';
import type { FormLogic } from '../../../lib/form-state.ts';
import { showToast } from '../../../stores/overlays/overlays.ts';
import { createForm } from '../../../stores/shared/form.ts';
import { load } from '../../../stores/shared/load.ts';
import { memberAtom } from '../../../stores/shared/member-atom.ts';
import { isCancelled, presentError } from '../../../stores/shared/request-errors.ts';

/** The second factor of this account. */
export type Security =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly error: unknown }
  | { readonly state: 'off' }
  | { readonly state: 'starting'; readonly started: StartedSecondFactor }
  | { readonly state: 'on'; readonly recoveryCodes: number; readonly shown: readonly string[] };

/** A dialog that asks for a code. */
interface CodeQuestion {
  readonly form: FormLogic;
  readonly needsPassword: boolean;
  readonly close: (isGiven: boolean) => void;
}

const LOADING: Security = { state: 'loading' };
const PasswordText = v.pipe(v.string(), v.nonEmpty('パスワードを入力してください。'));

export const $security = memberAtom<Security>(LOADING);
export const $codeQuestion = memberAtom<CodeQuestion | null>(null, (question) => question?.close(false));

export function readSecurity(): Promise<void> {
  return load<Security>(
    $security,
    LOADING,
    async (signal) => {
      const { is_on: isOn, recovery_codes: recoveryCodes } = await callApi(getSecondFactor, { signal });
      return isOn ? { state: 'on', recoveryCodes, shown: [] } : { state: 'off' };
    },
    (error) => ({ state: 'failed', error }),
  );
}

/** Makes a secret and shows it. */
export async function startSecurity(): Promise<void> {
  try {
    $security.set({ state: 'starting', started: await callApi(startSecondFactor, {}) });
  } catch (error) {
    if (!isCancelled(error)) presentError(error, { toasts: 'each' });
  }
}

/** Turns the second factor on with a first code. */
export function createConfirmation(): FormLogic {
  return createForm({
    schema: v.object({ code: CodeSchema }),
    async send(body) {
      const { recovery_codes: shown } = await callApi(confirmSecondFactor, { body });
      $security.set({ state: 'on', recoveryCodes: shown.length, shown });
      showToast('success', '2段階認証を有効にしました');
    },
  });
}

/** Turns the second factor off. */
export function createEnding(): FormLogic {
  return createForm({
    schema: v.object({ password: PasswordText, code: CodeSchema }),
    async send(body) {
      await callApi(endSecondFactor, { body });
      $security.set({ state: 'off' });
      showToast('success', '2段階認証を無効にしました');
    },
  });
}

/** Asks for a code whenever a call of the console needs one. */
export function followCodePrompt(): void {
  setCodePrompt((needsPassword) => {
    const form = createForm({
      schema: v.object({
        code: CodeSchema,
        password: needsPassword ? PasswordText : v.optional(PasswordText),
      }),
      send: async (body) => void (await callApi(giveSecondFactor, { body })),
    });
    return new Promise((resolve) => {
      const close = (isGiven: boolean) => {
        $codeQuestion.set(null);
        resolve(isGiven);
      };
      $codeQuestion.set({ form, needsPassword, close });
    });
  });
}
