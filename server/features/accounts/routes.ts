import * as v from 'valibot';
import {
  RegistrationSchema,
  logIn as logInCall,
  logOut,
  reauthenticate as reauthenticateCall,
  refreshAccess,
  register as registerCall,
  requestPasswordReset as requestPasswordResetCall,
  resetPassword as resetPasswordCall,
  verifyEmail,
} from '../../../contract/accounts.ts';
import { UsernameSchema } from '../../../contract/usernames.ts';
import { NOT_STORED, requireMember, serve } from '../../platform/http/http.ts';
import type { Api } from '../../platform/http/http.ts';
import { recordMemberCall } from '../visitors/visitors.ts';
import { setConsoleCookie } from './console-cookie.ts';
import { readDevice, setDeviceCookie } from './devices.ts';
import { SESSION_REFRESHES } from './limits.ts';
import { logIn } from './login.ts';
import { requestPasswordReset, resetPassword } from './password-reset.ts';
import { reauthenticate } from './recent-login.ts';
import { confirmRegistration, register } from './registration.ts';
import { endSession, identify, refreshSession } from './sessions.ts';
import { toSessionId } from './tokens.ts';

/** Spec §5 leaves the rules of usernames to the host. */
const StrictRegistrationSchema = v.object({
  ...RegistrationSchema.entries,
  username: v.pipe(RegistrationSchema.entries.username, UsernameSchema),
});

export function serveAccounts(api: Api): void {
  const { platform } = api;
  const { siteUrl, fileUrls, rateLimits } = platform;

  serve(api, { ...registerCall, body: StrictRegistrationSchema }, async ({ body }) => {
    await register(platform, body);
    return { detail: '確認メールを送信しました。メール内のリンクを開いてください。' };
  });

  serve(api, verifyEmail, async ({ params, context }) => {
    context.header('Cache-Control', NOT_STORED);
    const email = await confirmRegistration(platform, params.uid, params.token);
    return { detail: 'メールアドレスを確認しました。', email };
  });

  serve(api, logInCall, async ({ body, address, context }) => {
    const { account, access, refresh, sessionId, device } = await logIn(platform, body, {
      device: readDevice(context, siteUrl),
      address,
    });
    setDeviceCookie(context, siteUrl, device);
    if (account.is_staff === 1) setConsoleCookie(context, platform, { userId: account.id, sessionId });
    await recordMemberCall(platform, context, account.id, address);
    const { id, username, email, picture_key } = account;
    const profile_picture = fileUrls.picture(picture_key, 'avatar');
    return { user: { id, username, email, profile_picture }, access, refresh };
  });

  serve(api, refreshAccess, async ({ body, address, context }) => {
    const sessionId = toSessionId(body.refresh);
    if (sessionId !== undefined) await rateLimits.take(SESSION_REFRESHES, sessionId);
    const tokens = await refreshSession(platform, body.refresh);
    const caller = await identify(platform, tokens.access);
    if (caller !== undefined) {
      const { id: userId, sessionId } = caller;
      if (caller.isStaff) setConsoleCookie(context, platform, { userId, sessionId });
      await recordMemberCall(platform, context, userId, address);
    }
    return tokens;
  });

  serve(api, logOut, async ({ body, caller }) => {
    await endSession(platform, body, caller);
    return { detail: 'ログアウトしました。' };
  });

  serve(api, reauthenticateCall, async ({ body, caller }) => {
    await reauthenticate(platform, requireMember({ caller }), body.password);
    return { detail: 'パスワードを確認しました。' };
  });

  serve(api, requestPasswordResetCall, async ({ body }) => {
    await requestPasswordReset(platform, body.email);
    return { detail: '登録されているメールアドレスの場合は、再設定のご案内を送信しました。' };
  });

  serve(api, resetPasswordCall, async ({ body, context }) => {
    setDeviceCookie(context, siteUrl, await resetPassword(platform, body, readDevice(context, siteUrl)));
    return { detail: 'パスワードを変更しました。新しいパスワードでログインしてください。' };
  });
}
