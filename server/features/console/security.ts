import {
  confirmSecondFactor,
  endSecondFactor,
  getSecondFactor,
  giveSecondFactor as giveSecondFactorCall,
  startSecondFactor as startSecondFactorCall,
} from '../../../contract/operator-security.ts';
import { byMember, declare, requireMember, serve } from '../../platform/http/http.ts';
import type { Api } from '../../platform/http/http.ts';
import {
  describeSecondFactor,
  giveSecondFactor,
  reauthenticate,
  startSecondFactor,
  turnOffSecondFactor,
  turnOnSecondFactor,
} from '../accounts/accounts.ts';
import { CONSOLE_DECISIONS, CONSOLE_READS } from './limits.ts';

const recently = 'staff with recent log-in';

export const SECURITY_ACCESS = [
  declare(getSecondFactor, 'staff', 'own', byMember(CONSOLE_READS)),
  declare(startSecondFactorCall, recently, 'own', byMember(CONSOLE_DECISIONS)),
  declare(confirmSecondFactor, recently, 'own', byMember(CONSOLE_DECISIONS)),
  // Both are given in the call.
  declare(endSecondFactor, 'staff without code', 'own', byMember(CONSOLE_DECISIONS)),
  declare(giveSecondFactorCall, 'staff without code', 'own', byMember(CONSOLE_DECISIONS)),
];

/** The second factor of the caller's own account. */
export function serveSecurity(api: Api): void {
  const deps = api.platform;

  serve(api, getSecondFactor, async ({ caller }) => {
    const { isOn, recoveryCodes } = await describeSecondFactor(deps, requireMember({ caller }).id);
    return { is_on: isOn, recovery_codes: recoveryCodes };
  });

  serve(api, startSecondFactorCall, ({ caller }) => startSecondFactor(deps, requireMember({ caller }).id));

  serve(api, confirmSecondFactor, async ({ body, caller }) => ({
    recovery_codes: await turnOnSecondFactor(deps, requireMember({ caller }), body.code),
  }));

  serve(api, endSecondFactor, async ({ body, caller }) => {
    const member = requireMember({ caller });
    await reauthenticate(deps, member, body.password);
    await turnOffSecondFactor(deps, member.id, body.code);
    return { detail: '2段階認証を無効にしました。' };
  });

  serve(api, giveSecondFactorCall, async ({ body, caller }) => {
    const member = requireMember({ caller });
    if (body.password !== undefined) await reauthenticate(deps, member, body.password);
    await giveSecondFactor(deps, member, body.code);
    return { detail: '認証コードを確認しました。' };
  });
}
