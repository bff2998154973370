import type { Database } from '#server/platform/database/open.ts';
import { createUser } from '#server/features/accounts/users.ts';
import type { HashFor, Passwords } from '#server/platform/crypto/passwords.ts';
import type { TestApi } from '#support/http/api.ts';
import { everyTable } from '#server/platform/database/schema.ts';

export const PASSWORD = 'correct horse';

export interface CountingPasswords extends Passwords {
  /** The number of passwords hashed or compared. */
  count(): number;
  /** For whom, in their order. */
  readonly whom: readonly HashFor[];
}

/** A cheap implementation that counts, for tests that do not need hashing. */
export function createCountingPasswords(): CountingPasswords {
  const whom: HashFor[] = [];
  return {
    count: () => whom.length,
    whom,
    async hash(password, forWhom) {
      whom.push(forWhom);
      return toTestHash(password);
    },
    async matches(password, hash, forWhom) {
      whom.push(forWhom);
      return hash === toTestHash(password);
    },
  };
}

export function toTestHash(password: string): string {
  return `test:${password.normalize('NFKC')}`;
}

/** An account with `PASSWORD`, for an API with counting passwords. */
export function addMember(database: Database, username: string, email: string): Promise<string> {
  return createUser(database, { username, email, password_hash: toTestHash(PASSWORD) });
}

export interface Tokens {
  readonly access: string;
  readonly refresh: string;
}

export function tryToLogIn(
  api: TestApi,
  email: string,
  password = PASSWORD,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return api.post('/api/account/login/', { email, username: '', password }, headers);
}

export async function logInWith(api: TestApi, email: string, password = PASSWORD): Promise<Tokens> {
  return readTokens(await tryToLogIn(api, email, password));
}

export function refreshWith(api: TestApi, refresh: string, address = ''): Promise<Response> {
  return api.post('/api/account/token/refresh/', { refresh }, from(address));
}

/** The headers of a call from a network address. */
export function from(address: string): Record<string, string> {
  return address === '' ? {} : { 'x-client-address': address };
}

export async function readTokens(response: Response): Promise<Tokens> {
  if (response.status !== 200) throw new Error(`no tokens: ${response.status} ${await response.text()}`);
  return (await response.json()) as Tokens;
}

export async function isAccepted(api: TestApi, access: string): Promise<boolean> {
  const headers = { authorization: `Bearer ${access}` };
  return (await api.app.request('/api/account/profile/', { headers })).status === 200;
}

/** Mails to an address, oldest first; those of one moment in any order. */
export async function readMails({ db }: Database, to: string) {
  const rows = await everyTable(db)
    .selectFrom('mail_outbox')
    .selectAll()
    .where('to_address', '=', to)
    .execute();
  return rows.sort((a, b) => a.created_at - b.created_at);
}

/** The query of the link with a token in a mail; throws when there is none. */
export function readLink(mail: { readonly text: string } | undefined): URL {
  const url = /^https?:\S+[?&]token=\S+$/m.exec(mail?.text ?? '')?.[0];
  if (url === undefined) throw new Error('the mail has no link with a token');
  return new URL(url);
}

/** Sets a new password by the link of a mail. */
export function resetWith(
  api: TestApi,
  { searchParams }: URL,
  password = 'a new password',
): Promise<Response> {
  const [uid, token] = [searchParams.get('uid'), searchParams.get('token')];
  return api.post('/api/reset-password/', { uid, token, password });
}

/** The cookies of a reply by name: the value, and the attributes in lower case. */
export function readCookies(response: Response): Map<string, { value: string; attributes: string[] }> {
  return new Map(
    response.headers.getSetCookie().map((line) => {
      const [pair = '', ...attributes] = line.split('; ');
      const [name = '', value = ''] = pair.split('=');
      return [name, { value, attributes: attributes.map((attribute) => attribute.toLowerCase()).sort() }];
    }),
  );
}
