import { EXPORT_LINK_SEC } from '../../../contract/accounts/own-data.ts';
import { isKeyedHash, keyedHash } from '../../platform/crypto/keyed-hash.ts';
import { Problem } from '../../platform/http/problem.ts';
import type { Caller, Platform } from '../../platform/http/context.ts';
import { requireRecentLogIn } from '../accounts/recent-login.ts';
import { requireSession } from '../accounts/sessions.ts';

/** Of the mark that the token carries. */
const PURPOSE = 'data-export';

type LinkDeps = Pick<Platform, 'clock' | 'sessionSecret'>;
type Holder = Pick<Caller, 'id' | 'sessionId'>;

/**
 * A token that downloads the export of a member for a minute, while the session exists: a browser cannot send the access
 * token with a download. Throws `Problem` 403 without a recent log-in.
 */
export function makeExportToken({ clock, sessionSecret }: LinkDeps, caller: Caller): string {
  requireRecentLogIn(caller, clock.now());
  const expires = clock.now() + EXPORT_LINK_SEC * 1000;
  const claims = Buffer.from(JSON.stringify([caller.id, caller.sessionId, expires])).toString('base64url');
  return `${claims}.${keyedHash(sessionSecret, PURPOSE, claims)}`;
}

/** The member of a token. Throws `Problem` 400 for a wrong or expired one, 401 when the session has ended. */
export async function requireExportToken(
  { clock, sessionSecret, database }: LinkDeps & Pick<Platform, 'database'>,
  token: string,
): Promise<Holder> {
  const [claims = '', signature = ''] = token.split('.');
  if (!isKeyedHash(signature, sessionSecret, PURPOSE, claims)) throw wrongLink();
  const [id, sessionId, expires] = JSON.parse(Buffer.from(claims, 'base64url').toString()) as [
    string,
    string,
    number,
  ];
  if (clock.now() > expires) throw wrongLink();
  await requireSession(database.db, { id, sessionId }, clock.now());
  return { id, sessionId };
}

function wrongLink(): Problem {
  return new Problem(400, 'リンクの有効期限が切れています。プロフィールから、もう一度書き出してください。');
}
