import { navigate } from 'astro:transitions/client';
import type * as v from 'valibot';
import {
  type CredentialsSchema,
  type PasswordResetSchema,
  type RegistrationSchema,
  logIn as logInCall,
  logOut as logOutCall,
  register as registerCall,
  requestPasswordReset as requestPasswordResetCall,
  resetPassword as resetPasswordCall,
  verifyEmail,
} from '../../../contract/accounts.ts';
import { callApi, callAsNobody } from '../../api/browser.ts';
import { hasCapability } from '../../lib/capabilities.ts';
import { clearDrafts, saveDraft } from '../../lib/drafts.ts';
import { forgetPrivateTracks } from '../../lib/private-tracks.ts';
import { dropAllKept, hasKept } from '../../lib/kept-uploads.ts';
import { hasUnsaved } from '../../lib/unsaved.ts';
import { clearTokens, readTokens, saveTokens } from '../../api/tokens.ts';
import { ask, showToast } from '../overlays/overlays.ts';
import { forgetSession, rememberUser } from '../session/session.ts';

type Credentials = Omit<v.InferInput<typeof CredentialsSchema>, 'username'>;

/** Makes an account; it can be used once its address is confirmed. Throws `ApiError`. */
export async function register(account: v.InferInput<typeof RegistrationSchema>): Promise<void> {
  await callAsNobody(registerCall, { body: account });
  // What the log-in form of this tab begins with, should the link be opened here.
  saveDraft('login', { email: account.email ?? '' });
}

/** Logs in and keeps the session (spec §4). Throws `ApiError`. */
export async function logIn({ email, password }: Credentials): Promise<void> {
  // Spec §3: the screen sends an empty username.
  const { user, access, refresh } = await callAsNobody(logInCall, {
    body: { email, username: '', password },
  });
  // Whoever left them may not have logged out.
  forgetPrivateTracks();
  // '' in place of none: one that is left over belongs to another session.
  saveTokens({ access, refresh: refresh ?? '' });
  rememberUser(user ?? { id: '', username: '', email: '', profile_picture: null });
}

/**
 * What a confirmation link asks for; says how it went (spec §8). Returns the confirmed address, '' where the
 * host does not tell it, and null after a failure. Never throws.
 */
export async function confirmUser(uid: string, token: string): Promise<string | null> {
  try {
    const { email = '' } = await callAsNobody(verifyEmail, { params: { uid, token } });
    showToast('success', 'User confirmed. Please login');
    return email;
  } catch {
    showToast('error', 'Error confirming user');
    return null;
  }
}

/** Has a link to choose a new password sent, if the address has an account. Throws `ApiError`. */
export async function requestPasswordReset(email: string): Promise<void> {
  await callAsNobody(requestPasswordResetCall, { body: { email } });
}

/** Sets a new password by the link of a mail. Throws `ApiError`. */
export async function resetPassword(reset: v.InferInput<typeof PasswordResetSchema>): Promise<void> {
  await callAsNobody(resetPasswordCall, { body: reset });
}

/** Log-out drops uploads as well that would go on at a later visit. */
const LOSING = {
  title: 'ログアウトしますか？',
  text: 'ログアウトすると、アップロード中のファイルと、保存していない変更は失われます。',
  action: 'ログアウトする',
};

interface LogOutOptions {
  /** Whether the sessions of all devices end. */
  readonly everywhere?: boolean;
}

/** Ends the session; where that would lose something, whoever is logged in is asked first. */
export function logOut(options: LogOutOptions = {}): void {
  if (!hasUnsaved() && !hasKept(Date.now())) return endSession(options);
  if (isAsking) return;
  isAsking = true;
  void ask(LOSING).then((isSure) => {
    isAsking = false;
    if (isSure) endSession(options);
  });
}

/** A second press before the question is there asks it once. */
let isAsking = false;

/** Here at once, and on the host as soon as it can be told; then the top page (spec §2). */
function endSession({ everywhere = false }: LogOutOptions): void {
  const refresh = readTokens()?.refresh ?? '';
  clearTokens();
  clearDrafts();
  void dropAllKept();
  forgetSession();
  forgetPrivateTracks();
  // A host that does not know this call need not: its tokens are gone from here.
  if (refresh !== '' && hasCapability('log-out')) {
    void callApi(logOutCall, { body: { refresh, everywhere }, keepalive: true }).catch(() => undefined);
  }
  void navigate('/');
}
