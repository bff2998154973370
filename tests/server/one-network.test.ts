import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { CONTACT_LENGTH_MAX } from '#contract/site/contact.ts';
import { MESSAGE_LENGTH_MAX } from '#contract/artists/messages.ts';
import { createUser } from '#server/features/accounts/users.ts';
import { MAILS, MAILS_TO_STRANGERS } from '#server/platform/http/mail-budget.ts';
import { createMemoryRateLimits } from '#server/platform/limits/counting.ts';
import { useDatabase } from '#support/databases/use-database.ts';
import { listRows, openTestDatabase } from '#support/databases/databases.ts';
import { expectReply } from '#support/http/replies.ts';
import { type TestApi, TEST_SITE_URL, createTestApi } from '#support/http/api.ts';
import {
  addMember,
  createCountingPasswords,
  from,
  refreshWith,
  tryToLogIn,
} from '#support/members/accounts.ts';
import { patchProfile } from '#support/members/profiles.ts';
import { sendReport } from '#support/members/reports.ts';
import { addCertificate } from '#support/members/uses.ts';
import { VISITOR_COOKIE, addSoundOf } from '#support/sounds/downloads.ts';

const MINUTE_MS = 60_000;
const MIB = 1024 ** 2;
const PASSWORD = 'a long password';
/** An IPv6 /48 has 65,536 networks of /64. */
const of48 = (index: number) => from(`2001:db8:bad:${(index % 65_536).toString(16)}::1`);
const elsewhere = from('203.0.113.9');

const database = useDatabase(() => openTestDatabase('sqlite'));
let api: TestApi;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 3, 1) });
  api = createTestApi(database, {
    passwords: createCountingPasswords(),
    rateLimits: createMemoryRateLimits(),
  });
});
afterEach(() => {
  vi.useRealTimers();
});

let serial = 0;
const register = (headers: Record<string, string>, email = `${(serial += 1)}@stranger.example`) =>
  api.post(
    '/api/account/register/',
    { username: `登録 ${(serial += 1)}番`, email, password: PASSWORD },
    headers,
  );
const countMails = async () => (await listRows(database, 'mail_outbox', {}, ['id'])).length;

describe('mails of a network', () => {
  test('W27 a class of 40 registers at one address in a lesson', async () => {
    const school = from('198.51.100.7');
    for (let pupil = 0; pupil < 40; pupil += 1) expect((await register(school)).status).toBe(200);
    expect(await countMails()).toBe(40);
    // Beyond, each is told to wait; a refused name costs nothing.
    for (let time = 0; time < 2; time += 1) expect((await register(school)).status).toBe(200);
    const refused = await register(school);
    await expectReply(refused, 429, {
      detail:
        'お使いのネットワークから、メールをお送りするお手続きが続いているため、いまは受け付けられません。60分後にもう一度お試しください。',
    });
    expect((await register(from('198.51.101.7'))).status).toBe(200);
    vi.setSystemTime(Date.now() + 60 * MINUTE_MS);
    expect((await register(school)).status).toBe(200);
  });

  test('W27 a call that is refused for what it says uses up none', async () => {
    await createUser(database, { username: '先の人', email: 'first@example.test' });
    const body = { username: '先の人', email: 'second@example.test', password: PASSWORD };
    for (let time = 0; time < MAILS.points + 8; time += 1) {
      expect((await api.post('/api/account/register/', body, elsewhere)).status).toBe(400);
    }
    expect((await register(elsewhere)).status).toBe(200);
  });

  test('W27 an address with an account makes no difference', async () => {
    await addMember(database, '会員', 'member@example.test');
    const statuses = [];
    for (const [network, email] of ['member@example.test', 'nobody@example.test'].entries()) {
      const answers: number[] = [];
      for (let index = 0; index < 22; index += 1) {
        const headers = from(`2001:db8:${network + 1}:${index.toString(16)}::1`);
        answers.push((await api.post('/api/forgot-password/', { email }, headers)).status);
      }
      statuses.push(answers);
    }
    expect(statuses[0]).toEqual([...Array<number>(21).fill(200), 429]);
    expect(statuses[1]).toEqual(statuses[0]);
  });

  test('W27 those to strangers have a bound for the site, of which everyone is told', async () => {
    for (let mail = 0; mail < MAILS_TO_STRANGERS.points; mail += 1)
      await api.deps.rateLimits.take(MAILS_TO_STRANGERS, '');
    const refused = await register(elsewhere);
    expect([refused.status, ((await refused.json()) as { detail: string }).detail]).toEqual([
      429,
      'メールをお送りするお手続きが多いため、いまは受け付けられません。約24時間後にもう一度お試しください。',
    ]);
    // Members get their links all the same.
    await addMember(database, '会員', 'member@example.test');
    expect(
      (await api.post('/api/forgot-password/', { email: 'member@example.test' }, elsewhere)).status,
    ).toBe(200);
    expect(await countMails()).toBe(1);
  });
});

async function countRows(): Promise<number> {
  const { rows: tables } = await sql<{ name: string }>`
    select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' and sql not like '%virtual%'
  `.execute(database.db);
  let total = 0;
  for (const { name } of tables) {
    const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(name)}`.execute(
      database.db,
    );
    total += Number(rows[0]?.count);
  }
  return total;
}

async function countBytes(): Promise<number> {
  const { rows } = await sql<{
    bytes: number;
  }>`select page_count * page_size as bytes from pragma_page_count, pragma_page_size`.execute(database.db);
  return Number(rows[0]?.bytes);
}

test('W27 an hour of all calls that store or mail, from one /48, costs less than 50 mails and 20 MB', async () => {
  const artists: string[] = [];
  const sounds: string[] = [];
  const certificates: string[] = [];
  for (let index = 0; index < 30; index += 1) {
    const username = `作者 ${index}番`;
    const id = await createUser(database, {
      username,
      email: `artist${index}@example.test`,
      message_email: `contact${index}@example.test`,
      is_verified: true,
    });
    artists.push(username);
    sounds.push(await addSoundOf(database, id));
    certificates.push(await addCertificate(database, sounds[index]!));
    await addMember(database, `会員 ${index}番`, `member${index}@example.test`);
  }
  /** Accounts of the attacker. */
  const own = await Promise.all(
    [0, 1, 2].map((index) => addMember(database, `攻撃者 ${index}`, `attacker${index}@example.test`)),
  );
  const text = (length: number) => '"'.repeat(length);
  const pick = <Item>(items: readonly Item[], index: number) => items[index % items.length]!;
  let calls = 0;
  const attacks: readonly ((index: number, headers: Record<string, string>) => Promise<unknown>)[] = [
    (_, headers) => register(headers),
    (index, headers) => tryToLogIn(api, `${index % 300}@stranger.example`, PASSWORD, headers),
    (index, headers) =>
      api.post('/api/forgot-password/', { email: `member${index % 30}@example.test` }, headers),
    (index, headers) => {
      const message = text(CONTACT_LENGTH_MAX);
      return api.post('/api/contact/', { name: '名', email: `${index}@x.example`, message }, headers);
    },
    (index, headers) => {
      const message = { artist_username: pick(artists, index), text: text(MESSAGE_LENGTH_MAX) };
      return api.post('/api/messages/send/', message, headers);
    },
    (index, headers) =>
      sendReport(
        api,
        pick(sounds, index),
        { email: `report${index}@x.example`, explanation: text(2_000) },
        headers,
      ),
    (index, headers) => {
      const use = { address: `https://video.example.com/${index}`, title: text(100), message: text(500) };
      return api.post(`/api/certificates/${pick(certificates, index)}/uses/`, use, headers);
    },
    ...['download-intents', 'download?log=false'].map(
      (call) => (index: number, headers: Record<string, string>) => {
        const cookie = `${VISITOR_COOKIE}=${index.toString(36).padStart(22, 'a')}`;
        const cookies = { cookie, origin: TEST_SITE_URL, host: new URL(TEST_SITE_URL).host };
        return api.post(`/api/sounds/${pick(sounds, index)}/${call}`, {}, { ...headers, ...cookies });
      },
    ),
    (index, headers) =>
      api.post(
        '/api/plays/',
        { plays: sounds.slice(0, 20).map((sound) => ({ sound, source: 'search', search: `語${index}` })) },
        { ...headers, 'user-agent': 'Mozilla/5.0' },
      ),
    (index, headers) =>
      api.post(
        '/api/missed-searches/',
        { search: `無い語${index}` },
        { ...headers, 'user-agent': 'Mozilla/5.0' },
      ),
    async (index, headers) => {
      const change = { email: `new${index}@x.example`, name: `名${index}` };
      const authorization = `Bearer ${await api.logIn(pick(own, index))}`;
      return patchProfile(api, '', change, { ...headers, authorization });
    },
    async (index, headers) => {
      if (index % 10 !== 0) return;
      const response = await tryToLogIn(api, 'attacker0@example.test', undefined, headers);
      if (response.status !== 200) return;
      const { refresh } = (await response.json()) as { refresh: string };
      await refreshWith(api, refresh, headers['x-client-address']);
      api.clock.advance(MINUTE_MS);
      await refreshWith(api, refresh, headers['x-client-address']);
    },
  ];

  const before = { rows: await countRows(), bytes: await countBytes() };
  for (let round = 0; round < 6; round += 1) {
    vi.setSystemTime(Date.now() + 9.9 * MINUTE_MS);
    api.clock.advance(9 * MINUTE_MS);
    for (let call = 0; call < 20; call += 1) {
      for (const attack of attacks) await attack((calls += 1), of48(calls));
    }
  }
  await api.scheduledJobs.find(({ name }) => name === 'messages for the operator')!.run();

  const mails = await countMails();
  expect(mails).toBeGreaterThan(10);
  expect(mails).toBeLessThan(50);
  expect((await countBytes()) - before.bytes).toBeLessThan(20 * MIB);
  expect((await countRows()) - before.rows).toBeLessThan(6_000);
  // Somebody else is served.
  expect((await register(elsewhere)).status).toBe(200);
  const contact = { name: '名', email: 'honest@example.test', message: '質問です。' };
  expect((await api.post('/api/contact/', contact, elsewhere)).status).toBe(200);
}, 120_000);
