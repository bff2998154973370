import * as v from 'valibot';
import {
  RegistrationSchema,
  logIn as logInCall,
  logOut,
  refreshAccess,
  register as registerCall,
  requestPasswordReset as requestPasswordResetCall,
  resetPassword as resetPasswordCall,
  verifyEmail,
} from '../../../contract/accounts.ts';
import { UsernameSchema } from '../../../contract/usernames.ts';
import { limitByAddress } from '../../http/address-limits.ts';
import type { Api } from '../../http/context.ts';
import { NOT_STORED, serve } from '../../http/serve.ts';
import type { RateLimit } from '../../ports/rate-limits.ts';
import { noteMemberCall } from '../downloads/own-traces.ts';
import { readDevice, rememberDevice } from './devices.ts';
import {
  CONFIRMATIONS,
  LOG_INS,
  REFRESHES,
  REGISTRATIONS,
  RESETS,
  RESET_REQUESTS,
  SESSION_REFRESHES,
} from './limits.ts';
import { logIn } from './login.ts';
import { requestPasswordReset, resetPassword } from './password-reset.ts';
import { confirmRegistration, register } from './registration.ts';
import { endSession, refreshSession } from './sessions.ts';
import { toSessionId } from './tokens.ts';

/** Spec §5 leaves the rules of usernames to the host. */
const StrictRegistrationSchema = v.object({ ...RegistrationSchema.entries, username: UsernameSchema });

export function serveAccounts(api: Api): void {
  const { deps } = api;
  const { siteUrl, fileUrls, rateLimits } = deps;
  const limit = (kind: RateLimit, address: string) => limitByAddress(rateLimits, kind, address);

  serve(api, { ...registerCall, body: StrictRegistrationSchema }, async ({ body, address }) => {
    await limit(REGISTRATIONS, address);
    await register(deps, body);
    return { detail: '確認メールを送信しました。メール内のリンクを開いてください。' };
  });

  serve(api, verifyEmail, async ({ params, address, context }) => {
    context.header('Cache-Control', NOT_STORED);
    await limit(CONFIRMATIONS, address);
    const email = await confirmRegistration(deps, params.uid, params.token);
    return { detail: 'メールアドレスを確認しました。', email };
  });

  serve(api, logInCall, async ({ body, address, context }) => {
    await limit(LOG_INS, address);
    const { account, access, refresh, device } = await logIn(deps, body, readDevice(context, siteUrl));
    rememberDevice(context, siteUrl, device);
    await noteMemberCall(deps, context, account.id, address);
    const { id, username, email, picture_key } = account;
    const profile_picture = fileUrls.picture(picture_key, 'avatar');
    return { user: { id, username, email, profile_picture }, access, refresh };
  });

  serve(api, refreshAccess, async ({ body, address, context }) => {
    await limit(REFRESHES, address);
    const sessionId = toSessionId(body.refresh);
    if (sessionId !== undefined) await rateLimits.take(SESSION_REFRESHES, sessionId);
    const tokens = await refreshSession(deps, body.refresh);
    const holder = await deps.accessTokens.verify(tokens.access);
    if (holder !== null) await noteMemberCall(deps, context, holder.userId, address);
    return tokens;
  });

  serve(api, logOut, async ({ body, caller }) => {
    await endSession(deps, body, caller);
    return { detail: 'ログアウトしました。' };
  });

  serve(api, requestPasswordResetCall, async ({ body, address }) => {
    await limit(RESET_REQUESTS, address);
    await requestPasswordReset(deps, body.email);
    return { detail: '登録されているメールアドレスの場合は、再設定のご案内を送信しました。' };
  });

  serve(api, resetPasswordCall, async ({ body, address, context }) => {
    await limit(RESETS, address);
    await resetPassword(deps, body, readDevice(context, siteUrl));
    return { detail: 'パスワードを変更しました。新しいパスワードでログインしてください。' };
  });
}
