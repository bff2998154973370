import { navigate } from '../../navigation/navigate.ts';
import type * as v from 'valibot';
import {
  type CredentialsSchema,
  type RegistrationSchema,
  logIn as logInCall,
  logOut as logOutCall,
  register as registerCall,
  requestPasswordReset as requestPasswordResetCall,
  verifyEmail,
} from '../../../contract/accounts/accounts.ts';
import { callApi, callAnonymously } from '../../api/browser.ts';
import { isExtended } from '../../browser/extended-host.ts';
import { clearDrafts, saveDraft } from '../../browser/drafts.ts';
import { dropMailedLinks } from '../../browser/mailed-link.ts';
import { removePrivateTracks } from '../../browser/private-tracks.ts';
import { clearRecentSearches } from '../../browser/recent-searches.ts';
import { deleteAllStoredUploads, hasStoredUploads } from '../../api/stored-uploads.ts';
import { sendWaiting } from '../../browser/before-log-out.ts';
import { hasUnsaved } from '../../browser/unsaved.ts';
import { clearTokens, readTokens, saveTokens } from '../../api/tokens.ts';
import { ask, showToast } from '../overlays/overlays.ts';
import { forgetSession, rememberUser } from '../session/session.ts';

type Credentials = Omit<v.InferInput<typeof CredentialsSchema>, 'username'>;

/** Registers an account. It can be used once its address is confirmed. Throws `ApiError`. */
export async function register(account: v.InferInput<typeof RegistrationSchema>): Promise<void> {
  await callAnonymously(registerCall, { body: account });
  // Prefills the log-in form if the confirmation link is opened in this tab.
  saveDraft('login', { email: account.email ?? '' });
}

/** Logs in and keeps the session (spec §4). Throws `ApiError`. */
export async function logIn({ email, password }: Credentials): Promise<void> {
  // Spec §3: the screen sends an empty username.
  const { user, access, refresh } = await callAnonymously(logInCall, {
    body: { email, username: '', password },
  });
  // The previous member may not have logged out.
  removePrivateTracks();
  // '' when there are none: leftover tokens belong to another session.
  saveTokens({ access, refresh: refresh ?? '' });
  rememberUser(user ?? { id: '', username: '', email: '', profile_picture: null });
}

/**
 * Confirms the address of a confirmation link and reports it (spec §8). Returns the confirmed address, '' if the host
 * does not send it. Throws `ApiError`.
 */
export async function confirmUser(uid: string, token: string): Promise<string> {
  const { email = '' } = await callAnonymously(verifyEmail, { params: { uid, token }, cache: 'no-store' });
  showToast('success', 'User confirmed. Please login');
  return email;
}

/** Requests a password reset link, sent if the address has an account. Throws `ApiError`. */
export async function requestPasswordReset(email: string): Promise<void> {
  await callAnonymously(requestPasswordResetCall, { body: { email } });
}

/** Log-out also drops uploads that would resume on a later visit. */
const LOSING = {
  title: 'ログアウトしますか？',
  text: 'ログアウトすると、アップロード中のファイルと、保存していない変更は失われます。',
  action: 'ログアウトする',
};

interface LogOutOptions {
  /** Whether to end the sessions of all devices. */
  readonly everywhere?: boolean;
}

/** Asks first if uploads or unsaved text would be lost, and sends the held decisions of the console. */
export function logOut(options: LogOutOptions = {}): void {
  if (isLeaving) return;
  if (!hasUnsaved() && !hasStoredUploads(Date.now())) return sendAndEnd(options);
  isLeaving = true;
  void ask(LOSING).then((isSure) => {
    isLeaving = false;
    if (isSure) sendAndEnd(options);
  });
}

/** A second press during the question or the sending changes nothing. */
let isLeaving = false;

function sendAndEnd(options: LogOutOptions): void {
  const sent = sendWaiting();
  if (sent === null) return endSession(options);
  isLeaving = true;
  void sent.then(() => {
    isLeaving = false;
    endSession(options);
  });
}

/** Clears this browser immediately and tells the host when possible, then opens the top page (spec §2). */
function endSession({ everywhere = false }: LogOutOptions): void {
  const refresh = readTokens()?.refresh ?? '';
  clearSession();
  // Hosts without this call need no handling: the tokens are already removed here.
  if (refresh !== '' && isExtended()) {
    void callApi(logOutCall, { body: { refresh, everywhere }, keepalive: true }).catch(() => undefined);
  }
  void navigate('/');
}

/** Removes everything of the member from this browser. */
export function clearSession(): void {
  clearTokens();
  clearDrafts();
  dropMailedLinks();
  void deleteAllStoredUploads();
  forgetSession();
  removePrivateTracks();
  clearRecentSearches();
}
