import * as v from 'valibot';
import * as calls from '../../../contract/accounts/accounts.ts';
import { UsernameSchema } from '../../../contract/accounts/usernames.ts';
import { NOT_STORED, byAddress, inService, silently } from '../../platform/http/access.ts';
import { mailing, mailingStranger } from '../../platform/http/mail-budget.ts';
import { route } from '../../platform/http/route.ts';
import type { Route } from '../../platform/http/route.ts';
import type { Feature } from '../feature.ts';
import { ACCOUNTS_ERASURE } from './erasure.ts';
import { ACCOUNTS_FILES } from './export.ts';
import { recordMemberCall } from '../visitors/member-traces.ts';
import { ACCOUNT_CHECKS } from './checks.ts';
import { setConsoleCookie } from './console-cookie.ts';
import { readDevice, setDeviceCookie } from './devices.ts';
import { deleteAllExpired } from './expiry.ts';
import * as limits from './limits.ts';
import { logIn } from './login.ts';
import { requestPasswordReset, resetPassword } from './password-reset.ts';
import { reauthenticate } from './recent-login.ts';
import { CONFIRMING_AGAIN, confirmRegistration, register } from './registration.ts';
import { SESSION_ENDED_MAILING, endSession, identify, refreshSession } from './sessions.ts';
import { toSessionId } from './tokens.ts';
import { ACCOUNT_FILES } from './stored-files.ts';

/** Registration, sessions and passwords. */
export const accountsFeature: Feature = {
  name: 'accounts',
  apiTexts: () => import('./api-texts.ts'),
  erasure: ACCOUNTS_ERASURE,
  exports: ACCOUNTS_FILES,
  checks: ACCOUNT_CHECKS,
  files: ACCOUNT_FILES,
  createModule: () => ({
    routes: ROUTES,
    scheduledJobs: (platform) => [
      { name: 'expired sessions and links', run: () => deleteAllExpired(platform) },
    ],
  }),
};

/** Spec §5 leaves the rules of usernames to the host. */
const StrictRegistrationSchema = v.object({
  ...calls.RegistrationSchema.entries,
  username: v.pipe(calls.RegistrationSchema.entries.username, UsernameSchema),
});

const REGISTER: Route = route(
  { ...calls.register, body: StrictRegistrationSchema },
  {
    caller: 'anyone',
    owner: 'nothing',
    limits: [byAddress(limits.REGISTRATIONS), silently(limits.REGISTRATION_MAILS)],
    mails: mailingStranger(1),
  },
  async ({ body, address }, platform) => {
    await register(platform, body, address);
    return { detail: '確認メールを送信しました。メール内のリンクを開いてください。' };
  },
);

const ROUTES: readonly Route[] = [
  // Described as every host accepts it.
  { ...REGISTER, body: calls.register.body },

  route(
    calls.verifyEmail,
    { caller: 'anyone', owner: 'secret', limits: [byAddress(limits.CONFIRMATIONS)] },
    async ({ params, context }, platform) => {
      context.header('Cache-Control', NOT_STORED);
      const email = await confirmRegistration(platform, params.uid, params.token);
      return { detail: 'メールアドレスを確認しました。', email };
    },
  ),

  route(
    calls.logIn,
    {
      caller: 'anyone',
      owner: 'secret',
      limits: [
        byAddress(limits.LOG_INS),
        inService('e-mail address', limits.UNKNOWN_DEVICE_FAILURES),
        inService('device', limits.KNOWN_DEVICE_FAILURES),
        inService('provider', limits.PROVIDER_FAILURES),
        silently(limits.CONFIRMATION_MAILS),
      ],
      mails: CONFIRMING_AGAIN,
    },
    async ({ body, address, context }, platform) => {
      const { siteUrl, fileUrls } = platform;
      const device = readDevice(context, siteUrl);
      const loggedIn = await logIn(platform, body, {
        device,
        address,
        userAgent: context.req.header('user-agent'),
      });
      const { account, access, refresh, sessionId } = loggedIn;
      setDeviceCookie(context, siteUrl, loggedIn.device);
      if (account.is_staff === 1) setConsoleCookie(context, platform, { userId: account.id, sessionId });
      await recordMemberCall(platform, context, account.id, address);
      const { id, username, email, picture_key } = account;
      const profile_picture = fileUrls.picture(picture_key, 'avatar');
      return { user: { id, username, email, profile_picture }, access, refresh };
    },
  ),

  route(
    calls.refreshAccess,
    {
      caller: 'anyone',
      owner: 'secret',
      limits: [
        byAddress(limits.REFRESHES),
        inService('session', limits.SESSION_REFRESHES),
        inService('member', limits.SESSION_ENDED_MAILS),
      ],
      mails: SESSION_ENDED_MAILING,
    },
    async ({ body, address, context }, platform) => {
      const sessionId = toSessionId(body.refresh);
      if (sessionId !== undefined) await platform.rateLimits.take(limits.SESSION_REFRESHES, sessionId);
      const tokens = await refreshSession(platform, body.refresh, address);
      const caller = await identify(platform, tokens.access);
      if (caller !== undefined) {
        const { id: userId, sessionId } = caller;
        if (caller.isStaff) setConsoleCookie(context, platform, { userId, sessionId });
        await recordMemberCall(platform, context, userId, address);
      }
      return tokens;
    },
  ),

  route(
    calls.reauthenticate,
    {
      caller: 'member',
      owner: 'own',
      limits: [byAddress(limits.LOG_INS), inService('device', limits.KNOWN_DEVICE_FAILURES)],
    },
    async ({ body, caller }, platform) => {
      await reauthenticate(platform, caller, body.password);
      return { detail: 'パスワードを確認しました。' };
    },
  ),

  route(
    calls.logOut,
    { caller: 'anyone', owner: 'secret', limits: [byAddress(limits.LOG_OUTS)] },
    async ({ body, caller }, platform) => {
      await endSession(platform, body, caller);
      return { detail: 'ログアウトしました。' };
    },
  ),

  route(
    calls.requestPasswordReset,
    {
      caller: 'anyone',
      owner: 'nothing',
      limits: [byAddress(limits.RESET_REQUESTS), silently(limits.RESET_MAILS)],
      // The link, and that the password was changed.
      mails: mailing(2),
    },
    async ({ body }, platform) => {
      await requestPasswordReset(platform, body.email);
      return { detail: '登録されているメールアドレスの場合は、再設定のご案内を送信しました。' };
    },
  ),

  route(
    calls.resetPassword,
    { caller: 'anyone', owner: 'secret', limits: [byAddress(limits.RESETS)] },
    async ({ body, context }, platform) => {
      const { siteUrl } = platform;
      const device = await resetPassword(platform, body, readDevice(context, siteUrl));
      setDeviceCookie(context, siteUrl, device);
      return { detail: 'パスワードを変更しました。新しいパスワードでログインしてください。' };
    },
  ),
];
