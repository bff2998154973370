/**
 * Tests whether response times reveal if an e-mail address has an account: `node bench/account-timing.ts [TEXT]`, where
 * TEXT is part of a call's name. Sends known and unknown addresses alternately, finds the threshold that best separates
 * the first half of the samples, and reports how many of the second half it classifies correctly; 50 % is chance. Runs
 * in process, without network noise. Exits 1 at 60 %.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createUser } from '../server/features/accounts/users.ts';
import { openHost } from '../server/host.ts';
import { openLog } from '../server/platform/log.ts';
import { hashPassword } from '../server/platform/crypto/passwords.ts';
import { parseSettings } from '../server/settings.ts';

const PASSWORD = 'correct horse battery';
const ACCOUNTS = 100;
const RIGHT_MAX = 0.6;

process.exitCode = await main();

interface Pair {
  readonly known: number;
  readonly unknown: number;
}

async function main(): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-timing-'));
  const settings = parseSettings({ DATA_DIR: folder, PORT: '0', RATE_LIMITS: 'off' });
  const host = await openHost(settings, openLog('silent'));
  try {
    const { data, locals } = host;
    if (data === null || locals.fetchApi === undefined) throw new Error('the host has no API');
    const { fetchApi } = locals;
    const hash = await hashPassword(PASSWORD);
    for (let index = 0; index < ACCOUNTS; index += 1) {
      const user = { username: `member${index}`, email: toKnown(index), password_hash: hash };
      await createUser(data.database, user);
    }
    const send = (method: string, path: string, body: object, token?: string) =>
      fetchApi(`http://127.0.0.1${path}`, {
        method,
        headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
        body: JSON.stringify(body),
      });
    const login = { email: toKnown(0), username: '', password: PASSWORD };
    const { access } = (await send('POST', '/api/account/login/', login))._data as {
      access: string;
    };
    const calls: readonly [
      name: string,
      pairs: number,
      call: (email: string, index: number) => Promise<Response>,
    ][] = [
      ['forgotten password', 500, (email) => send('POST', '/api/forgot-password/', { email })],
      [
        'log-in',
        200,
        (email) => send('POST', '/api/account/login/', { email, username: '', password: 'wrong password' }),
      ],
      [
        'registration',
        200,
        (email, index) =>
          send('POST', '/api/account/register/', { email, username: `new${index}`, password: PASSWORD }),
      ],
      ['e-mail change', 300, (email) => send('PATCH', '/api/account/update-profile/', { email }, access)],
    ];
    let worst = 0;
    for (const [name, pairs, call] of calls) {
      if (!name.includes(process.argv[2] ?? '')) continue;
      const right = tell(await measure(pairs, call));
      worst = Math.max(worst, right.share);
      console.log(
        `${name}: known ${right.known.toFixed(2)} ms, unknown ${right.unknown.toFixed(2)} ms (medians), ` +
          `${Math.round(right.share * 100)} % right`,
      );
    }
    return worst < RIGHT_MAX ? 0 : 1;
  } finally {
    await host.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** The order of each pair is random, since the second request may find warm caches. */
async function measure(
  pairs: number,
  call: (email: string, index: number) => Promise<Response>,
): Promise<readonly Pair[]> {
  const time = async (email: string, index: number) => {
    const begun = performance.now();
    const response = await call(email, index);
    await response.arrayBuffer();
    const took = performance.now() - begun;
    if (response.status >= 500 || response.status === 429) throw new Error(`${email}: ${response.status}`);
    await wait(5);
    return took;
  };
  const samples: Pair[] = [];
  for (let pair = 0; pair < pairs; pair += 1) {
    const index = pair * 2;
    const unknownFirst = Math.random() < 0.5;
    const early = unknownFirst ? await time(toUnknown(pair), index) : undefined;
    const known = await time(toKnown(1 + (pair % (ACCOUNTS - 1))), index + 1);
    samples.push({ known, unknown: early ?? (await time(toUnknown(pair), index)) });
  }
  return samples;
}

function tell(samples: readonly Pair[]) {
  const half = Math.floor(samples.length / 2);
  const [learned, asked] = [samples.slice(0, half), samples.slice(half)];
  const share = (some: readonly Pair[], threshold: number) =>
    some.reduce((sum, each) => sum + Number(each.known > threshold) + Number(each.unknown <= threshold), 0) /
    (2 * some.length);
  // Below a half, the opposite classification is right.
  const strength = (some: readonly Pair[], threshold: number) => Math.abs(share(some, threshold) - 0.5);
  const thresholds = learned.flatMap(({ known, unknown }) => [known, unknown]);
  const best = thresholds.reduce((one, other) =>
    strength(learned, other) > strength(learned, one) ? other : one,
  );
  const isKnownSlower = share(learned, best) >= 0.5;
  const right = share(asked, best);
  const median = (times: readonly number[]) =>
    times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
  return {
    share: isKnownSlower ? right : 1 - right,
    known: median(samples.map(({ known }) => known)),
    unknown: median(samples.map(({ unknown }) => unknown)),
  };
}

function toKnown(index: number): string {
  return `member${index}@example.test`;
}

function toUnknown(index: number): string {
  return `nobody${index % 99}@example.test`;
}
