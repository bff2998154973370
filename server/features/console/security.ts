import type { Context } from 'hono';
import * as calls from '../../../contract/operator/security.ts';
import { byAddress, inService, silently } from '../../platform/http/access.ts';
import { route } from '../../platform/http/route.ts';
import type { ApiEnv, Platform } from '../../platform/http/context.ts';
import type { Route } from '../../platform/http/route.ts';
import type { Rule } from '../../platform/http/access.ts';
import { CODE_FAILURES, CODE_WARNINGS, KNOWN_DEVICE_FAILURES } from '../accounts/limits.ts';
import {
  describeSecondFactor,
  giveSecondFactor,
  startSecondFactor,
  turnOffSecondFactor,
  turnOnSecondFactor,
} from '../accounts/second-factor.ts';
import { readDevice, setDeviceCookie } from '../accounts/devices.ts';
import { reauthenticate } from '../accounts/recent-login.ts';
import { CHANGING_OWN, CODES, READING_OWN } from '../staff/rules.ts';

/** A code is given in the call. Not by member: somebody who knows the password would use up the owner's calls. */
const GIVING_CODE: Rule<'staff without code'> = {
  caller: 'staff without code',
  owner: 'own',
  limits: [
    byAddress(CODES),
    inService('device', KNOWN_DEVICE_FAILURES),
    inService('member', CODE_FAILURES),
    silently(CODE_WARNINGS),
  ],
};

/** The second factor of the caller's own account. */
export const SECURITY_ROUTES: readonly Route[] = [
  route(calls.getSecondFactor, READING_OWN, async ({ caller }, platform) => {
    const { isOn, recoveryCodes } = await describeSecondFactor(platform, caller.id);
    return { is_on: isOn, recovery_codes: recoveryCodes };
  }),

  route(calls.startSecondFactor, CHANGING_OWN, ({ caller }, platform) =>
    startSecondFactor(platform, caller.id),
  ),

  route(calls.confirmSecondFactor, CHANGING_OWN, async (call, platform) => {
    const { caller, body } = call;
    const { codes, device } = await turnOnSecondFactor(platform, caller, body.code, toOrigin(call, platform));
    remember(call, platform, device);
    return { recovery_codes: codes };
  }),

  route(calls.endSecondFactor, GIVING_CODE, async (call, platform) => {
    const { caller, body } = call;
    await reauthenticate(platform, caller, body.password);
    await turnOffSecondFactor(platform, caller.id, body.code, toOrigin(call, platform));
    return { detail: '2段階認証を無効にしました。' };
  }),

  route(calls.giveSecondFactor, GIVING_CODE, async (call, platform) => {
    const { caller, body } = call;
    if (body.password !== undefined) await reauthenticate(platform, caller, body.password);
    remember(call, platform, await giveSecondFactor(platform, caller, body.code, toOrigin(call, platform)));
    return { detail: '認証コードを確認しました。' };
  }),
];

interface SecurityCall {
  readonly context: Context<ApiEnv>;
  readonly address: string;
}

function toOrigin({ context, address }: SecurityCall, { siteUrl }: Platform) {
  return { device: readDevice(context, siteUrl, 'code-device'), address };
}

function remember({ context }: SecurityCall, { siteUrl }: Platform, device: string): void {
  setDeviceCookie(context, siteUrl, device, 'code-device');
}
