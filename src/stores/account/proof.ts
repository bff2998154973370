import * as v from 'valibot';
import { reauthenticate } from '../../../contract/accounts/accounts.ts';
import { PasswordSchema } from '../../../contract/accounts/passwords.ts';
import { CodeSchema, giveSecondFactor } from '../../../contract/operator/security.ts';
import { callApi } from '../../api/browser.ts';
import type { Proof } from '../../browser/password-prompt.ts';
import type { FormLogic } from '../../lib/form-state.ts';
import { createForm } from '../shared/form.ts';

/** Gives the host the proof that it asks for before a change. */
export function createProof({ password, code }: Proof): FormLogic {
  if (!code) {
    return createForm({
      schema: v.object({ password: PasswordSchema }),
      send: (body) => callApi(reauthenticate, { body }),
    });
  }
  return createForm({
    schema: v.object({
      code: CodeSchema,
      password: password ? PasswordSchema : v.optional(PasswordSchema),
    }),
    send: (body) => callApi(giveSecondFactor, { body }),
  });
}
