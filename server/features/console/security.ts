import type { Context } from 'hono';
import {
  confirmSecondFactor,
  endSecondFactor,
  getSecondFactor,
  giveSecondFactor as giveSecondFactorCall,
  startSecondFactor as startSecondFactorCall,
} from '../../../contract/operator-security.ts';
import {
  byAddress,
  byMember,
  declare,
  inService,
  requireMember,
  serve,
  silently,
} from '../../platform/http/http.ts';
import type { Api, ApiEnv } from '../../platform/http/http.ts';
import {
  CODE_FAILURES,
  CODE_WARNINGS,
  KNOWN_DEVICE_FAILURES,
  describeSecondFactor,
  giveSecondFactor,
  readDevice,
  reauthenticate,
  setDeviceCookie,
  startSecondFactor,
  turnOffSecondFactor,
  turnOnSecondFactor,
} from '../accounts/accounts.ts';
import { CODES, CONSOLE_DECISIONS, CONSOLE_READS } from './limits.ts';

const recently = 'staff with recent log-in';

const FAILURES = [
  inService('device', KNOWN_DEVICE_FAILURES),
  inService('member', CODE_FAILURES),
  silently(CODE_WARNINGS),
];

export const SECURITY_ACCESS = [
  declare(getSecondFactor, 'staff', 'own', byMember(CONSOLE_READS)),
  declare(startSecondFactorCall, recently, 'own', byMember(CONSOLE_DECISIONS)),
  declare(confirmSecondFactor, recently, 'own', byMember(CONSOLE_DECISIONS)),
  // Both are given in the call. Not by member: somebody who knows the password would use up the owner's calls.
  declare(endSecondFactor, 'staff without code', 'own', byAddress(CODES), ...FAILURES),
  declare(giveSecondFactorCall, 'staff without code', 'own', byAddress(CODES), ...FAILURES),
];

/** The second factor of the caller's own account. */
export function serveSecurity(api: Api): void {
  const deps = api.platform;

  serve(api, getSecondFactor, async ({ caller }) => {
    const { isOn, recoveryCodes } = await describeSecondFactor(deps, requireMember({ caller }).id);
    return { is_on: isOn, recovery_codes: recoveryCodes };
  });

  serve(api, startSecondFactorCall, ({ caller }) => startSecondFactor(deps, requireMember({ caller }).id));

  const toOrigin = ({ context, address }: SecurityCall) => ({
    device: readDevice(context, deps.siteUrl, 'code-device'),
    address,
  });
  const remember = ({ context }: SecurityCall, device: string) =>
    setDeviceCookie(context, deps.siteUrl, device, 'code-device');

  serve(api, confirmSecondFactor, async (call) => {
    const { codes, device } = await turnOnSecondFactor(
      deps,
      requireMember(call),
      call.body.code,
      toOrigin(call),
    );
    remember(call, device);
    return { recovery_codes: codes };
  });

  serve(api, endSecondFactor, async (call) => {
    const member = requireMember(call);
    await reauthenticate(deps, member, call.body.password);
    await turnOffSecondFactor(deps, member.id, call.body.code, toOrigin(call));
    return { detail: '2段階認証を無効にしました。' };
  });

  serve(api, giveSecondFactorCall, async (call) => {
    const member = requireMember(call);
    if (call.body.password !== undefined) await reauthenticate(deps, member, call.body.password);
    remember(call, await giveSecondFactor(deps, member, call.body.code, toOrigin(call)));
    return { detail: '認証コードを確認しました。' };
  });
}

interface SecurityCall {
  readonly context: Context<ApiEnv>;
  readonly address: string;
}
