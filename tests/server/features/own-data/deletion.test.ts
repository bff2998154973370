import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { requestDeletion as call } from '#contract/accounts/own-data.ts';
import { createUser } from '#server/features/accounts/users.ts';
import { verifyLedger } from '#server/features/ledger/verify.ts';
import { payPayout } from '#server/features/ledger/payout-decisions.ts';
import { FEATURES } from '#server/features.ts';
import { eraseDueAccounts } from '#server/features/own-data/erasure.ts';
import { suspendMember } from '#server/features/takedowns/suspensions.ts';
import { expectProblems, expectReply } from '#support/http/replies.ts';
import { useApi } from '#support/http/use-api.ts';
import {
  PASSWORD,
  logInWith,
  readMails,
  readTokens,
  refreshWith,
  toTestHash,
  tryToLogIn,
} from '#support/members/accounts.ts';
import { TEST_SITE_URL } from '#support/http/api.ts';
import {
  bothDatabases,
  getRow,
  insertMany,
  insertRow,
  listRows,
  updateRows,
} from '#support/databases/databases.ts';
import { addSoundOf, createVisitor } from '#support/sounds/downloads.ts';
import { addPayee, askForPayout, earn, findOpenPayoutId } from '#support/members/payouts.ts';
import type { MemoryStorage } from '#support/files/memory-files.ts';
import { patchProfile, readUser } from '#support/members/profiles.ts';
import { everyTable } from '#server/platform/database/schema.ts';

const DAY_MS = 86_400_000;
const GRACE_MS = 7 * DAY_MS;
const EMAIL = 'canary-mail@example.test';
/** Each names the member; none may be left in any table. */
const CANARIES = ['canary', '金糸雀', 'かなりあ', '7654329', '090-1111-2222'];

describe.each(bothDatabases)('deleting an account on $name', ({ name, open }) => {
  const { database, api, storage } = useApi(open);
  let userId: string;
  let soundId: string;
  let otherId: string;

  beforeEach(async () => {
    userId = await addPayee(database, 'canary', {
      email: EMAIL,
      password_hash: toTestHash(PASSWORD),
      name: '金糸雀 太郎',
      furigana: 'かなりあ たろう',
      bio: 'canary bio',
      bank_name: 'canary bank',
      branch_name: 'canary branch',
      account_number: '7654329',
      phone_number: '090-1111-2222',
      message_email: 'canary-messages@example.test',
      donation_url: 'https://ofuse.me/canary',
      picture_key: 'canary-picture',
      is_verified: true,
    });
    soundId = await addSoundOf(database, userId, { title: 'canary song', description: 'canary text' });
    otherId = await addPayee(database, 'other', { is_verified: true });
  });

  const deps = () => ({
    ...api.deps,
    features: FEATURES,
    logger: { error: fail, info: () => undefined } as never,
  });
  function fail(context: { readonly err: unknown }): never {
    throw context.err;
  }
  const erase = () => eraseDueAccounts(deps());
  const ask = async (forfeit = 0, id = userId) => api.post(call.path, { forfeit }, id);
  const statusOf = async (path: string) => (await api.get(path)).status;
  const artistPage = `/api/account/artist/canary/`;
  async function readUndoToken(): Promise<string> {
    const texts = (await readMails(database, EMAIL)).map(({ text }) => text);
    return /\/undo\?token=([\w-]{43})$/m.exec(texts.at(-1) ?? '')?.[1] ?? '';
  }
  const undo = async () => api.post('/api/account/undo/', { token: await readUndoToken() });

  test('hides the account at once and mails the date', async () => {
    const session = await logInWith(api, EMAIL);
    await expectReply(ask(), 200, { deleted_at: new Date(api.clock.now() + GRACE_MS).toISOString() });
    expect(await statusOf(artistPage)).toBe(404);
    expect(await statusOf(`/api/sounds/${soundId}/`)).toBe(404);
    expect((await api.json('/api/sounds/?search=canary')).results).toEqual([]);
    const headers = { authorization: `Bearer ${session.access}` };
    expect((await api.app.request('/api/account/profile/', { headers })).status).toBe(401);
    const [mail] = await readMails(database, EMAIL);
    expect(mail?.subject).toContain('アカウントの削除を受け付けました');
    expect(mail?.text).toContain('2026年4月8日 9:00（日本時間）以降');
    expect((await tryToLogIn(api, EMAIL, 'wrong password')).status).toBe(400);
    const refused = await tryToLogIn(api, EMAIL, PASSWORD);
    expect([refused.status, JSON.stringify(await refused.json())]).toEqual([
      403,
      expect.stringContaining('削除の手続き中'),
    ]);
  });

  test('S16: needs the password again after 15 minutes', async () => {
    const session = await logInWith(api, EMAIL);
    api.clock.advance(15 * 60_000 + 1);
    const { access } = await readTokens(await refreshWith(api, session.refresh));
    await expectReply(api.post(call.path, { forfeit: 0 }, { authorization: `Bearer ${access}` }), 403, {
      detail: expect.any(String) as string,
      code: 'recent_login_required',
    });
    expect((await readUser(database, userId)).deletion_requested_at).toBeNull();
  });

  test('M11: is refused until the member gives up the balance', async () => {
    await earn(database, userId, 4_000);
    expect(await api.json(call.path, userId)).toEqual({
      sounds: 1,
      favorites: 0,
      balance: 4_000,
      payable: 4_000,
      has_open_transfer: false,
      is_last_staff: false,
    });
    for (const forfeit of [0, 3_999]) {
      await expectProblems(ask(forfeit), 400, ['forfeit']);
    }
    expect((await ask(4_000)).status).toBe(200);
  });

  test('M11: is refused while a payout is open', async () => {
    await earn(database, userId, 4_000);
    expect((await askForPayout(api, userId, { email: EMAIL })).status).toBe(200);
    expect((await ask()).status).toBe(409);
    const staffId = await addPayee(database, 'staff', { is_staff: true });
    await payPayout(deps(), await findOpenPayoutId(database, userId), staffId);
    expect((await ask()).status).toBe(200);
  });

  test('is refused for the last staff account', async () => {
    const first = await createUser(database, { username: 'first', email: 'a@example.test', is_staff: true });
    expect((await api.json(call.path, first)).is_last_staff).toBe(true);
    expect((await ask(0, first)).status).toBe(409);
    const second = await createUser(database, {
      username: 'second',
      email: 'b@example.test',
      is_staff: true,
    });
    const both = await Promise.all([ask(0, first), ask(0, second)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  });

  test('S16: can be undone for 7 days by the mailed link, which asks for a new password', async () => {
    await earn(database, userId, 500);
    await ask(500);
    const described = await api.post('/api/account/undo/describe/', { token: await readUndoToken() });
    expect(await described.json()).toMatchObject({ changes: ['アカウントの削除'] });
    api.clock.advance(GRACE_MS - 1);
    await erase();
    expect((await undo()).status).toBe(200);
    expect(await statusOf(artistPage)).toBe(200);
    expect(await statusOf(`/api/sounds/${soundId}/`)).toBe(200);
    expect((await api.json('/api/sounds/?search=canary')).results).toHaveLength(1);
    expect((await tryToLogIn(api, EMAIL, PASSWORD)).status).toBe(400);
    expect(await readUser(database, userId)).toMatchObject({ is_blocked: 0, deletion_requested_at: null });
    api.clock.advance(GRACE_MS);
    await erase();
    expect(await statusOf(artistPage)).toBe(200);
    const { balance } = await getRow(database, 'ledger_accounts', { user_id: userId });
    expect(balance).toBe(500);
  });

  test('is cancelled by its link after a change of mind, and the password stays', async () => {
    await ask();
    const token = await readUndoToken();
    const described = await api.post('/api/account/undo/describe/', { token });
    expect(await described.json()).toMatchObject({ can_keep_password: true });
    api.clock.advance(1_000);
    const cancel = () => api.post('/api/account/undo/', { token, keeps_password: true });
    const both = await Promise.all([cancel(), cancel()]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 400]);
    expect(await statusOf(artistPage)).toBe(200);
    expect(await readUser(database, userId)).toMatchObject({ is_blocked: 0, deletion_requested_at: null });
    expect((await tryToLogIn(api, EMAIL, PASSWORD)).status).toBe(200);
    const mail = (await readMails(database, EMAIL)).at(-1);
    expect(mail?.subject).toContain('アカウントの削除を取り消しました');
    expect(mail?.text).not.toContain('/reset-password?');
  });

  test('S16: is not cancelled with the old password by the link of another change', async () => {
    await patchProfile(api, userId, { donation_url: 'https://ofuse.me/thief' });
    const token = await readUndoToken();
    api.clock.advance(1);
    await ask();
    const described = await api.post('/api/account/undo/describe/', { token });
    expect(await described.json()).toMatchObject({ can_keep_password: false });
    const { status } = await api.post('/api/account/undo/', { token, keeps_password: true });
    expect(status).toBe(400);
    expect(await readUser(database, userId)).not.toMatchObject({ deletion_requested_at: null });
    expect((await api.post('/api/account/undo/', { token })).status).toBe(200);
  });

  test('S16: is undone by the link of an earlier change of address as well', async () => {
    await patchProfile(api, userId, { donation_url: 'https://ofuse.me/thief' });
    const token = await readUndoToken();
    api.clock.advance(1);
    await ask();
    expect((await api.post('/api/account/undo/', { token })).status).toBe(200);
    expect(await readUser(database, userId)).toMatchObject({
      donation_url: 'https://ofuse.me/canary',
      deletion_requested_at: null,
    });
  });

  test('does not lift a suspension, and cannot be mixed with one', async () => {
    const staffId = await addPayee(database, 'staff', { is_staff: true });
    await suspendMember({ ...deps(), siteUrl: TEST_SITE_URL }, userId, staffId, '規約違反のため');
    await ask();
    await expect(
      suspendMember({ ...deps(), siteUrl: TEST_SITE_URL }, userId, staffId, 'もう一度'),
    ).rejects.toMatchObject({ status: 409 });
    expect((await undo()).status).toBe(200);
    expect(await statusOf(artistPage)).toBe(404);
    expect(await readUser(database, userId)).toMatchObject({
      is_blocked: 1,
      suspension_reason: '規約違反のため',
    });
  });

  test('M11: leaves nothing of the member in any table, and the books verified', async () => {
    const { db } = database;
    const before = await addEverything();
    await ask(1);
    api.clock.advance(GRACE_MS + 1);
    await erase();
    await Promise.all([erase(), erase()]); // has nothing left to do
    expect(await findCanaries()).toEqual([]);
    const certificates = await listRows({ db }, 'certificates', {}, ['user_id', 'body']);
    expect(certificates.map(({ user_id }) => user_id)).toEqual([null, null]);
    expect(certificates.filter(({ body }) => body.includes('"artist":"canary"'))).toHaveLength(1);
    expect(await verifyLedger(db)).toEqual([]);
    const entries = await everyTable(db).selectFrom('ledger_entries').selectAll().orderBy('seq').execute();
    expect(entries.slice(0, before.entries.length)).toEqual(before.entries);
    expect(entries.at(-1)).toMatchObject({ kind: 'balance-forfeited', to_account: 'rewards', amount: 1 });
    const sounds = await listRows({ db }, 'sounds', {}, ['artist_id', 'favorite_count']);
    expect(sounds).toEqual([{ artist_id: otherId, favorite_count: 0 }]);
    expect(await readUser(database, userId)).toMatchObject({
      is_staff: 0,
      is_blocked: 1,
      password_hash: null,
    });
  });

  /** Makes the member leave a trace in every table that can hold one. */
  async function addEverything() {
    const { db } = database;
    const nowMs = api.clock.now();
    const ownId = { user_id: userId };
    await earn(database, userId, 4_000);
    await askForPayout(api, userId, { email: EMAIL });
    const staffId = await addPayee(database, 'staff', { is_staff: true });
    await payPayout(deps(), await findOpenPayoutId(database, userId), staffId);
    expect(await createVisitor(api).download(soundId)).toBe(200);
    const othersSound = await addSoundOf(database, otherId);
    const headers = { authorization: `Bearer ${await api.logIn(userId)}` };
    await api.post(`/api/sounds/${othersSound}/toggle-favorite`, {}, headers);
    expect(await listRows({ db }, 'favorites')).toHaveLength(1);
    expect(await createVisitor(api, { memberId: userId }).download(othersSound)).toBe(200);
    await api.post('/api/contact/', { name: 'canary', email: EMAIL, message: 'canary' }, headers);
    await patchProfile(api, userId, { donation_url: 'https://ofuse.me/canary2', bio: 'canary again' });
    await insertRow({ db }, 'quality_checks', {
      ...ownId,
      id: 'q',
      state: 'pending',
      submitted_at: nowMs,
      decided_at: null,
      decided_by: null,
    });
    const facts = { mime: 'audio/mpeg', size_bytes: 1, duration_ms: 1, bit_rate: 1, sample_rate: 1 };
    await storage.put('quality-check/q/1', Buffer.from('canary'));
    await insertRow({ db }, 'quality_check_files', {
      ...facts,
      quality_check_id: 'q',
      slot: 1,
      object_key: 'quality-check/q/1',
      filename: 'canary.mp3',
      sha256: '',
    });
    await storage.put('personal-info/p', Buffer.from('canary'));
    const submitted = { ...ownId, submitted_at: nowMs, decided_by: staffId, reason: 'canary' };
    await insertMany({ db }, 'personal_info_submissions', [
      { ...submitted, id: 'p', state: 'pending', object_key: 'personal-info/p', decided_at: null },
      { ...submitted, id: 'o', state: 'rejected', object_key: null, decided_at: nowMs },
    ]);
    await insertRow({ db }, 'resumable_uploads', {
      ...ownId,
      id: 'r',
      size_bytes: 6,
      metadata: 'canary',
      sound_id: null,
      created_at: nowMs,
    });
    await storage.put('upload-pieces/piece', Buffer.from('canary'));
    const piece = { id: 'piece', upload_id: 'r', start_byte: 0, size_bytes: 6 };
    await insertRow({ db }, 'upload_pieces', { ...piece, state: 'received', state_since: nowMs });
    await insertRow({ db }, 'sound_copies', {
      sound_id: soundId,
      artist_id: userId,
      original_id: 'x',
      original_artist_id: otherId,
      noted_at: 1,
    });
    await updateRows({ db }, 'mail_outbox', { state: 'sent', text: '', html: '', finished_at: nowMs });
    return {
      entries: await everyTable(db).selectFrom('ledger_entries').selectAll().orderBy('seq').execute(),
    };
  }

  /** Every value of every table that names the member, except certificates, and every file that is left of theirs. */
  async function findCanaries(): Promise<string[]> {
    const { rows } =
      name === 'sqlite'
        ? await sql<{
            name: string;
          }>`select name from sqlite_master where type = 'table' and name not like 'sound_search%'`.execute(
            database.db,
          )
        : await sql<{
            name: string;
          }>`select tablename as name from pg_tables where schemaname = 'public'`.execute(database.db);
    const found: string[] = [];
    for (const table of rows) {
      // A former name is reserved for 90 days, and a replaced picture is deleted an hour later.
      // Certificates of others' downloads keep the names that were public (docs/retention.md).
      if (['former_usernames', 'retired_pictures', 'certificates'].includes(table.name)) continue;
      const read = await sql<Record<string, unknown>>`select * from ${sql.table(table.name)}`.execute(
        database.db,
      );
      for (const row of read.rows) {
        for (const [column, value] of Object.entries(row)) {
          const text = value instanceof Uint8Array ? Buffer.from(value).toString() : String(value);
          if (CANARIES.some((canary) => text.toLowerCase().includes(canary)))
            found.push(`${table.name}.${column}: ${text}`);
        }
      }
    }
    for (const [key, content] of storage.objects) if (content.includes('canary')) found.push(key);
    return found;
  }

  test('reserves the name for 90 days, then deletes it', async () => {
    await ask();
    api.clock.advance(GRACE_MS + 1);
    await erase();
    const take = () => patchProfile(api, otherId, { username: 'canary' });
    expect((await take()).status).toBe(400);
    expect(await statusOf(artistPage)).toBe(404);
    expect(await statusOf(`/api/account/artist/${encodeURIComponent(`#${userId}`)}/`)).toBe(404);
    const job = api.scheduledJobs.find((each) => each.name === 'expired sessions and links');
    const countNames = async () => (await listRows(database, 'former_usernames')).length;
    api.clock.advance(90 * DAY_MS - 1);
    await job?.run();
    expect(await countNames()).toBe(1);
    api.clock.advance(1);
    await job?.run();
    expect(await countNames()).toBe(0);
    expect((await take()).status).toBe(200);
  });

  test('goes on after a crash in the middle of many sounds', async () => {
    for (let index = 0; index < 30; index += 1) await addSoundOf(database, userId);
    await ask();
    api.clock.advance(GRACE_MS + 1);
    const ending = new AbortController();
    let deletions = 0;
    const cut: MemoryStorage = {
      ...storage,
      async delete(key) {
        await storage.delete(key);
        if ((deletions += 1) === 10) ending.abort();
      },
    };
    await eraseDueAccounts({ ...deps(), storage: cut }, ending.signal);
    const countSounds = async () =>
      (await listRows(database, 'sounds', { artist_id: userId }, ['seq'])).length;
    expect(await countSounds()).toBe(21);
    expect((await readUser(database, userId)).deleted_at).toBeNull();
    await Promise.all([erase(), erase()]); // two processes
    expect(await countSounds()).toBe(0);
    expect((await readUser(database, userId)).deleted_at).not.toBeNull();
  });
});
