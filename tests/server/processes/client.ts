import { setTimeout as wait } from 'node:timers/promises';
import { readCookies } from '#support/members/accounts.ts';
import { CLIENT_ADDRESS } from './cluster.ts';

/** How often a client repeats a call that met a dead process. */
const ATTEMPTS_MAX = 20;
const PAUSE_MS = 150;

export interface Call {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: BodyInit;
}

/** Somebody who calls the site through its proxy, with cookies and from one address, and repeats what failed. */
export interface Client {
  /** The first answer that is no failure of the way there. Repeats the call until then. */
  call(call: Call): Promise<Response>;
  /** Calls in a row that failed, the longest first. A visitor sees each of them. */
  countFailures(): number;
  logIn(email: string, password: string): Promise<void>;
}

export function createClient(siteUrl: string, address: string): Client {
  const cookies = new Map<string, string>();
  let failures = 0;
  let token = '';

  async function attempt({ method = 'GET', path, headers = {}, body }: Call): Promise<Response | undefined> {
    const own: Record<string, string> = { [CLIENT_ADDRESS]: address };
    if (cookies.size > 0) {
      own['cookie'] = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      own['origin'] = siteUrl;
      own['x-xsrf-token'] = cookies.get('XSRF-TOKEN') ?? '';
    }
    if (token !== '') own['authorization'] = `Bearer ${token}`;
    try {
      const response = await fetch(`${siteUrl}${path}`, {
        method,
        headers: { ...own, ...headers },
        ...(body !== undefined && { body }),
        signal: AbortSignal.timeout(20_000),
      });
      for (const [name, { value }] of readCookies(response)) cookies.set(name, value);
      return response.status >= 500 ? undefined : response;
    } catch {
      return undefined;
    }
  }

  const client: Client = {
    async call(call) {
      for (let count = 1; ; count += 1) {
        const response = await attempt(call);
        if (response !== undefined) return response;
        failures += 1;
        if (count === ATTEMPTS_MAX)
          throw new Error(`${call.method ?? 'GET'} ${call.path} failed ${count} times`);
        await wait(PAUSE_MS);
      }
    },
    countFailures: () => failures,
    async logIn(email, password) {
      const response = await client.call({
        method: 'POST',
        path: '/api/account/login/',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email, username: '', password }),
      });
      if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
      token = ((await response.json()) as { access: string }).access;
    },
  };
  return client;
}

/** A call with a JSON body. */
export function toJsonCall(path: string, body: unknown = {}): Call {
  return {
    method: 'POST',
    path,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  };
}
