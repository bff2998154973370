import { createPublicKey } from 'node:crypto';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, readdir, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { createUser } from '#server/features/accounts/users.ts';
import { createSoundType } from '#server/features/catalogue/genres/service.ts';
import { requestPayout } from '#server/features/ledger/payout-requests.ts';
import { storeImage } from '#server/features/reviews/personal-info/images.ts';
import { PERSONAL_INFO } from '#server/features/reviews/personal-info/kind.ts';
import { insertIncoming } from '#server/features/reviews/personal-info/submission-queries.ts';
import { markPending } from '#server/features/reviews/life-cycle.ts';
import { insertCopy } from '#server/features/my-sounds/queries.ts';
import { createSound } from '#server/features/catalogue/service.ts';
import { createTestClock } from '#server/platform/concurrency/clock.ts';
import { toPublicKeyFile } from '#server/platform/crypto/secrets.ts';
import { readOrMakeSealingKey } from '#server/platform/crypto/sealed-keys.ts';
import { openStorage } from '#server/platform/storage/open.ts';
import { parseSettings } from '#server/settings.ts';
import { readMails } from '#support/members/accounts.ts';
import { createTestApi } from '#support/http/api.ts';
import { bothDatabases, listRows, openLocated, updateRows } from '#support/databases/databases.ts';
import { PAYOUT_DETAILS, addPayee, earn, toPayoutDeps } from '#support/members/payouts.ts';
import { toFile } from '#support/sounds/catalogue.ts';
import { makeFolder } from '#support/files/folders.ts';
import { readActions, readUser } from '#support/members/profiles.ts';
import { apply, makeSongs, openTestTemporaryFiles, toFileParts } from '#support/members/quality-checks.ts';
import { runCommand } from '#support/processes/operator.ts';

const ENTRY = fileURLToPath(new URL('../../../server/operator.ts', import.meta.url));
const STAFF = 'staff@example.test';
const MEMBER = 'member@example.test';

/** Runs the command in a separate process, as a person would. */
async function runProcess(env: Readonly<Record<string, string>>, ...args: string[]) {
  const child = spawn(process.execPath, [ENTRY, ...args], {
    env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, err, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number]>,
  ]);
  return { code, out, err };
}

const WHY = ['--reason', '新しい提出の審査'] as const;

/** A photograph that waits for a decision. */
async function submitPhotograph({ settings, database, storage, member }: Place): Promise<string> {
  const id = 'submission1';
  const row = { id, user_id: member, object_key: `personal-info/${id}`, submitted_at: 1_000 };
  await insertIncoming(database.db, row);
  const { dataDir, personalInfoKeyFile: privateFile } = settings;
  const personalInfoKey = await readOrMakeSealingKey({ publicFile: toPublicKeyFile(dataDir), privateFile });
  const submission = { submissionId: id, userId: member };
  await storeImage({ storage, personalInfoKey }, submission, Buffer.from('jpeg'));
  await markPending(database.db, PERSONAL_INFO, id, 0);
  return id;
}

type Place = Awaited<ReturnType<typeof makePlace>>;

/** A data folder with a member and, by default, a staff account. */
async function makePlace(locate: (typeof bothDatabases)[number]['locate'], hasStaff = true) {
  const dataDir = await makeFolder();
  const place = await locate();
  const PERSONAL_INFO_KEY_FILE = join(await makeFolder(), 'personal-info');
  const env = { DATA_DIR: dataDir, PERSONAL_INFO_KEY_FILE, PORT: '4555', ...place.env };
  const settings = parseSettings(env);
  const database = await openLocated(place);
  const member = await createUser(database, { username: '音の人', email: MEMBER });
  const staff = hasStaff
    ? await createUser(database, { username: 'staff', email: STAFF, is_staff: true })
    : '';
  const storage = await openStorage(settings.storage);
  const made = { env, settings, database, storage, member, staff };
  return {
    ...made,
    readActions: () => readActions(database),
    run: (...args: string[]) => runCommand(env, ...args),
    runAsStaff: (...args: string[]) => runCommand({ ...env, OPERATOR_AS: STAFF }, ...args),
  };
}

function expectRefusal(
  { code, out, err }: Awaited<ReturnType<typeof runCommand>>,
  reason: RegExp,
  wanted = 1,
): void {
  expect({ code, out, err }).toEqual({ code: wanted, out: '', err: expect.stringMatching(reason) });
  expect(err).not.toMatch(/\n {4}at /);
  expect(err.trimEnd().split('\n')).toHaveLength(wanted);
}

describe.each(bothDatabases)('npm run operator on $name', ({ locate, rule }) => {
  rule('deletes a member who asks for it: the balance named, once, on record', async () => {
    const { database, member, staff, ...place } = await makePlace(locate);
    await earn(database, member, 70);
    const remove = ['members', 'delete', MEMBER, '--reason', 'お問い合わせによる退会'];
    expectRefusal(await place.runAsStaff(...remove), /forfeit: 報酬残高は70円/);
    expectRefusal(await place.runAsStaff(...remove, '--forfeit', '7e1'), /whole number of yen/, 2);
    expectRefusal(await place.run(...remove), /a staff account is required/, 2);
    expect((await readUser(database, member)).deletion_requested_at).toBeNull();
    const done = await place.runAsStaff(...remove, '--forfeit', '70');
    expect(done).toMatchObject({ code: 0, err: '' });
    expect(done.out).toContain('will be deleted after');
    expect(await place.readActions()).toEqual([
      { staff_id: staff, action: 'delete member', subject: member, note: 'お問い合わせによる退会' },
    ]);
    const [mail] = await readMails(database, MEMBER);
    expect(mail?.text).toContain('理由: お問い合わせによる退会');
    expect(mail?.text).toContain('報酬残高の70円は受け取れなくなります。');
    expectRefusal(await place.runAsStaff(...remove), /すでに削除の手続き中/);
    expectRefusal(await place.runAsStaff('members', 'unblock', MEMBER), /削除の手続き中/);
    expect((await place.run('members', 'show', MEMBER)).out).toMatch(/^deletion requested at +20/m);
    const own = await place.runAsStaff('members', 'delete', STAFF, '--reason', 'x');
    expectRefusal(own, /the account you act as/);
  });

  rule('decides quality checks: list, show, approve', async () => {
    const place = await makePlace(locate);
    const { database, storage, member, staff } = place;
    const temporaryFiles = await openTestTemporaryFiles();
    const api = createTestApi(database, { storage, temporaryFiles });
    const typeId = String(await createSoundType(database, { name: '効果音' }));
    const parts = [
      ...toFileParts(await makeSongs()),
      { name: 'user_id', content: member },
      { name: 'types', content: typeId },
    ];
    expect((await apply(api, member, parts)).status).toBe(200);

    const listed = await place.run('quality-checks', '--json');
    const [waiting] = JSON.parse(listed.out) as { id: string; files: number }[];
    expect([listed.code, waiting?.files]).toEqual([0, 3]);
    const id = waiting?.id ?? '';
    expect((await place.run('quality-checks', 'list')).out).toMatch(
      new RegExp(`^ID .*\n${id} +音の人 .* 3 `),
    );
    const shown = await place.run('quality-checks', 'show', id);
    expect(shown.out).toContain('効果音');
    const links = /http:\/\/127\.0\.0\.1:4555\/media\/quality-check\/\S+signature=\S+/g;
    expect(shown.out.match(links)).toHaveLength(3);

    expectRefusal(await place.run('quality-checks', 'approve', id), /a staff account is required/, 2);
    expectRefusal(await place.run('quality-checks', 'approve', id, '--as', MEMBER), /not a staff account/);
    expect((await readUser(database, member)).is_verified).toBe(0);
    const approved = await place.run('quality-checks', 'approve', id, '--as', STAFF.toUpperCase());
    expect(approved).toMatchObject({ code: 0, err: '' });
    expect(approved.out).toBe('state  approved');
    expect(await readUser(database, member)).toMatchObject({ is_verified: 1, status: '' });
    expect((await readMails(database, MEMBER)).at(-1)?.subject).toContain('合格');
    expectRefusal(await place.runAsStaff('quality-checks', 'approve', id), /staff さんが先に合格/);
    expectRefusal(await place.runAsStaff('quality-checks', 'approve', 'nobody'), /見つかりません/);
    expectRefusal(await place.runAsStaff('quality-checks', 'approve', '..'), /見つかりません/);
    expect(await place.readActions()).toEqual([
      { staff_id: staff, action: 'approve quality check', subject: id, note: '' },
    ]);
    expect((await place.run('quality-checks')).out).toBe('None.');
  });

  rule('decides personal info; only the viewer can read the photograph, and is recorded', async () => {
    const place = await makePlace(locate);
    const { database, storage, member, staff, settings } = place;
    const id = await submitPhotograph(place);
    expect((await place.run('personal-info')).out).toContain(`${id}  音の人    1970-01-01 00:00 UTC`);
    const to = join(await makeFolder(), 'id.jpg');
    const { personalInfoKeyFile: keyFile } = settings;
    await rename(keyFile, `${keyFile}.away`);
    expectRefusal(
      await place.runAsStaff('personal-info', 'view', id, '--to', to, ...WHY),
      /private key .* cannot be read at .*PERSONAL_INFO_KEY_FILE/,
    );
    await rename(`${keyFile}.away`, keyFile);
    expectRefusal(
      await place.runAsStaff('personal-info', 'view', 'other', '--to', to, ...WHY),
      /見つかりません/,
    );
    expect((await place.run('personal-info', 'show', id)).out).toMatch(
      /^missing +bank_name, branch_name, .*, phone_number$/m,
    );
    const viewed = await place.runAsStaff('personal-info', 'view', id, '--to', to, ...WHY);
    expect(viewed).toMatchObject({ code: 0, out: expect.stringMatching(/^Name +\(missing\)$/m) });
    const written = await stat(to);
    expect([written.mode & 0o777, written.size]).toEqual([0o600, 4]);
    expectRefusal(await place.runAsStaff('personal-info', 'view', id, '--to', to, ...WHY), /already exists/);
    expectRefusal(
      await place.runAsStaff('personal-info', 'approve', id),
      /未入力の項目があるため、承認できません：/,
    );
    const views = await listRows(database, 'personal_info_views', {}, ['staff_id']);
    expect(views).toEqual([{ staff_id: staff }]);

    expectRefusal(await place.runAsStaff('personal-info', 'reject', id), /needs --reason/, 2);
    const rejected = await place.runAsStaff('personal-info', 'reject', id, '--reason', '読めません');
    expect(rejected).toMatchObject({ code: 0, err: '' });
    expect((await readUser(database, member)).personal_info_status).toBe('rejected');
    expect(await storage.has(`personal-info/${id}`)).toBe(false);
    expect(await place.readActions()).toEqual([
      { staff_id: staff, action: 'view personal info', subject: id, note: WHY[1] },
      { staff_id: staff, action: 'reject personal info', subject: id, note: '読めません' },
    ]);
    expectRefusal(await place.runAsStaff('personal-info', 'approve', id), /審査待ちではありません/);
  });

  rule('pays and refuses payouts, and verifies the books', async () => {
    const place = await makePlace(locate);
    const { database, staff } = place;
    const nowMs = Date.UTC(2026, 3, 1);
    const deps = toPayoutDeps(database, createTestClock(nowMs));
    const ids: string[] = [];
    for (const username of ['one', 'two']) {
      const artist = await addPayee(database, username);
      await earn(database, artist, 5_000);
      ids.push((await requestPayout(deps, artist, { email: `${username}@example.test` })).id);
    }
    const [first = '', second = ''] = ids;
    expect((await place.run('transfers')).out).toMatch(/ 5000 /);
    const pay = (id: string, total = '5000') => place.runAsStaff('transfers', 'pay', id, '--total', total);
    const one = { username: 'one' };
    const fill = (account_number: string) => updateRows(database, 'users', { account_number }, one);
    await fill('');
    expect((await place.run('transfers')).out).toMatch(/ 未入力：口座番号$/m);
    expectRefusal(await pay(first, '5001'), /合計は5,000円/);
    expectRefusal(await pay(first, 'all'), /--total: /, 2);
    expect(await pay(first)).toMatchObject({ code: 1, out: expect.stringMatching(/未入力の項目がある/) });
    await fill(PAYOUT_DETAILS.account_number);
    expect((await pay(first)).code).toBe(0);
    const refused = await place.runAsStaff('transfers', 'refuse', second, '--reason', '口座が違います');
    expect(refused.code).toBe(0);
    expectRefusal(await pay(second), /すでに決まった/);
    expect(JSON.parse((await place.run('transfers', '--json')).out)).toEqual([]);
    expect((await readMails(database, 'two@example.test')).at(-1)?.text).toContain('口座が違います');
    expect(await place.readActions()).toEqual([
      { staff_id: staff, action: 'pay transfer', subject: first, note: '' },
      { staff_id: staff, action: 'refuse transfer', subject: second, note: '口座が違います' },
    ]);
    const verified = await place.run('ledger', 'verify');
    expect(verified).toEqual({ code: 0, out: 'The ledger is consistent.', err: '' });
    await updateRows(database, 'ledger_accounts', { balance: 7 }, { id: 'paid-out' });
    const faulty = { code: 1, out: expect.stringContaining('paid-out') };
    expect(await place.run('ledger', 'verify')).toMatchObject(faulty);
  });

  test('A7: blocking a member ends every session at once', async () => {
    const place = await makePlace(locate);
    const { database, member, staff } = place;
    const api = createTestApi(database);
    expect((await api.get('/api/account/profile/', member)).status).toBe(200);
    expect((await place.runAsStaff('members', 'block', MEMBER)).code).toBe(0);
    expect((await api.get('/api/account/profile/', member)).status).toBe(401);
    expect((await place.run('members', 'show', MEMBER)).out).toMatch(/^state +blocked$/m);
    expectRefusal(await place.runAsStaff('members', 'block', MEMBER), /staff さんが先に制限しています/);
    expectRefusal(await place.runAsStaff('members', 'block', STAFF), /ご自身のアカウント/);
    expect((await place.runAsStaff('members', 'unblock', MEMBER)).code).toBe(0);
    expect((await readUser(database, member)).is_blocked).toBe(0);
    expect(await place.readActions()).toEqual([
      { staff_id: staff, action: 'block member', subject: member, note: '' },
      { staff_id: staff, action: 'unblock member', subject: member, note: '' },
    ]);
  });

  test('U13: shows the same file of two artists, also after one of them is deleted', async () => {
    const { env, database, member, staff } = await makePlace(locate);
    expect((await runCommand(env, 'copies')).out).toBe('None.');
    const type_id = await createSoundType(database, { name: 'BGM' });
    const file = { ...toFile('a'), type_id, artist_id: member };
    const original = await createSound(database, { ...file, title: '月の歌' });
    const ids = { artist_id: staff, original_id: original.id, original_artist_id: member };
    await insertCopy(database.db, { ...ids, sound_id: 'gone', noted_at: 1 });
    const { code, out } = await runCommand(env, 'copies');
    expect(code).toBe(0);
    expect(out).toMatch(/gone +\w+ .* - +staff +月の歌 +音の人/);
    const [copy] = JSON.parse((await runCommand(env, 'copies', 'list', '--json')).out) as unknown[];
    expect(copy).toMatchObject({ title: null, original_title: '月の歌', original_id: original.id });
  });

  rule('the first staff account needs no approver, the next does; the last stays', async () => {
    const place = await makePlace(locate, false);
    const { database, member } = place;
    const other = await createUser(database, { username: 'other', email: 'other@example.test' });
    expect((await place.run('members', 'make-staff', MEMBER)).code).toBe(0);
    expectRefusal(
      await place.run('members', 'make-staff', 'other@example.test'),
      /a staff account is required/,
      2,
    );
    expectRefusal(await place.run('members', 'remove-staff', MEMBER, '--as', MEMBER), /最後の運営者/);
    expect((await place.run('members', 'make-staff', 'other@example.test', '--as', MEMBER)).code).toBe(0);
    expect((await place.run('members', 'remove-staff', MEMBER, '--as', 'other@example.test')).code).toBe(0);
    expectRefusal(
      await place.run('members', 'block', 'other@example.test', '--as', MEMBER),
      /not a staff account/,
    );
    expect(await place.readActions()).toEqual([
      { staff_id: null, action: 'make staff', subject: member, note: '' },
      { staff_id: member, action: 'make staff', subject: other, note: '' },
      { staff_id: other, action: 'remove staff', subject: member, note: '' },
    ]);
  });
});

describe('what npm run operator does not understand', () => {
  test.each([
    [[], /missing command/],
    [['songs'], /unknown command "songs"/],
    [['__proto__'], /unknown command/],
    [['members'], /members has no command ".*"; use show/],
    [['members', 'toString'], /members has no command ".*"; use show/],
    [['quality-checks', 'approve'], /needs ID/],
    [['quality-checks', 'reject', 'x'], /needs --reason TEXT/],
    [['quality-checks', 'reject', 'x', '--reason', 'あ'.repeat(501)], /500 characters/],
    [['quality-checks', 'approve', 'x', '--reason', 'y'], /does not accept --reason/],
    [['personal-info', 'view', 'x', ...WHY], /needs --to FILE/],
    [['personal-info', 'view', 'x', '--to', 'y'], /needs --reason TEXT/],
    [['transfers', 'refuse', 'x', '--reason', 'two', 'words'], /too many arguments/],
    [['members', 'block', 'x', '--json'], /does not accept --json/],
    [['members', 'show', 'x', '--colour'], /--colour/],
  ])('%j exits 2 with the reason', async (args, reason) => {
    expectRefusal(await runCommand({ DATA_DIR: '/nowhere' }, ...args), reason, 2);
  });

  test('also exits 2 as a process', async () => {
    expectRefusal(await runProcess({ DATA_DIR: '/nowhere' }), /missing command/, 2);
  });

  test('creates no database where there is none', async () => {
    const folder = await makeFolder();
    expectRefusal(await runProcess({ DATA_DIR: folder }, 'quality-checks'), /there is no database at/);
    expect(await readdir(folder)).toEqual([]);
  });

  test('makes a key for photographs without any data, and replaces no file', async () => {
    const file = join(await makeFolder(), 'ids.pem');
    const made = await runCommand({}, 'personal-info', 'make-key', file);
    const [, line = ''] = /^PERSONAL_INFO_PUBLIC_KEY=(\S+)$/m.exec(made.out) ?? [];
    const { personalInfoPublicKey } = parseSettings({ PERSONAL_INFO_PUBLIC_KEY: line });
    const content = await readFile(file, 'utf8');
    expect(personalInfoPublicKey?.publicKey.equals(createPublicKey(content))).toBe(true);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(made.out).not.toContain(content.split('\n')[1]);
    expectRefusal(await runCommand({}, 'personal-info', 'make-key', file), /already exists/);
    expect(await readFile(file, 'utf8')).toBe(content);
    expectRefusal(
      await runCommand({}, 'personal-info', 'make-key', '/nowhere/ids.pem'),
      /cannot be written \(ENOENT\)/,
    );
  });

  test('an unreachable database is reported in one line', async () => {
    const env = { DATA_DIR: await makeFolder(), DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' };
    expectRefusal(await runProcess(env, 'members', 'show', MEMBER), /ECONNREFUSED/);
  });

  test('--help names every command', async () => {
    const { code, out } = await runProcess({}, '--help');
    expect(code).toBe(0);
    for (const line of [
      'quality-checks reject ID --reason TEXT',
      'personal-info view ID --to FILE --reason TEXT',
      'ledger verify',
      'members suspend EMAIL --reason TEXT',
      'site set maintenance_mode|allow_register --is-on on|off',
    ]) {
      expect(out).toContain(line);
    }
  });
});
