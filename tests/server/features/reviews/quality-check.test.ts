import { createHash } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { AUDIO_PROBLEM } from '#contract/sounds/audio-files.ts';
import { TOO_FEW_FILES, applyForQualityCheck } from '#contract/accounts/quality-check.ts';
import { createSoundType } from '#server/features/catalogue/genres/service.ts';
import { collectLeftovers } from '#server/features/reviews/life-cycle.ts';
import { QUALITY_CHECK } from '#server/features/reviews/quality-check/kind.ts';
import {
  approveQualityCheck,
  getQualityCheck,
  listPendingQualityChecks,
  rejectQualityCheck,
} from '#server/features/reviews/quality-check/review.ts';
import { expectProblems, expectReply } from '#support/http/replies.ts';
import { useApi } from '#support/http/use-api.ts';
import { createMemoryRateLimits } from '#server/platform/limits/counting.ts';
import { addMember, readMails } from '#support/members/accounts.ts';
import { createTestApi } from '#support/http/api.ts';
import { bothDatabases, deleteRows, insertRow, listRows, updateRows } from '#support/databases/databases.ts';
import { type Part, FORM_TYPE, toFormBytes } from '#support/http/forms.ts';
import type { MemoryStorage } from '#support/files/memory-files.ts';
import { readUser } from '#support/members/profiles.ts';
import {
  apply,
  makeSongs,
  openTestTemporaryFiles,
  toFileParts,
  toReviewDeps,
} from '#support/members/quality-checks.ts';
import { makeM4a } from '#support/files/sound-fixtures.ts';
import { everyTable } from '#server/platform/database/schema.ts';

/** Silence at 8 kbit/s: frames of 26 bytes and 576 samples at 22,050 Hz (ISO 13818-3). */
function makeLongMp3(seconds: number): Buffer {
  const frame = Buffer.alloc(26);
  frame.set([0xff, 0xf3, 0x10, 0xc0]);
  const frames = Math.ceil((seconds * 22_050) / 576);
  return Buffer.alloc(frames * frame.byteLength, frame);
}

const EMAIL = 'member@example.test';
const OPERATOR = 'operator@example.test';

/** Files are not decoded: that would continue after the test. */
const NO_JOBS = { count: () => 0, start: () => undefined, close: () => Promise.resolve() };

describe.each(bothDatabases)('the quality check on $name', ({ open, rule }) => {
  let songs: Uint8Array[];
  const { database, api, storage, temporaryFiles, useMember, useStaff } = useApi(open, async () => ({
    temporaryFiles: await openTestTemporaryFiles(),
    backgroundJobs: NO_JOBS,
  }));
  const member = useMember({ username: '音の人', email: EMAIL });
  const staff = useStaff({ username: 'staff' });
  let bgm: string;

  beforeAll(async () => {
    songs = await makeSongs();
  });
  beforeEach(async () => {
    bgm = String(await createSoundType(database, { name: 'BGM' }));
    await api.logIn(member);
  });

  const texts = (types: readonly string[] = [bgm], userId = member): Part[] => [
    { name: 'user_id', content: userId },
    ...types.map((content) => ({ name: 'types', content })),
  ];
  const applyWith = (contents: readonly Uint8Array[], using = api) =>
    apply(using, member, [...toFileParts(contents), ...texts()]);
  const deps = (using: MemoryStorage | ReturnType<typeof toReviewDeps>['storage'] = storage) =>
    toReviewDeps(database, api, using);
  const readApplications = () => listRows(database, 'quality_checks');
  const readActions = () => listRows(database, 'operator_actions');
  const readStanding = async () => (await api.json('/api/account/profile/', member)).quality_check;

  async function applyOnce(): Promise<string> {
    expect((await applyWith(songs)).status).toBe(200);
    return (await listPendingQualityChecks(database.db)).at(-1)?.id ?? 'missing';
  }
  async function expectNothing(): Promise<void> {
    expect([await readApplications(), storage.objects.size]).toEqual([[], 0]);
    expect((await readUser(database, member)).status).toBe('');
    expect(await readMails(database, EMAIL)).toEqual([]);
  }

  rule('is stored with its files, and member, operator and profile are notified', async () => {
    const sfx = String(await createSoundType(database, { name: '効果音' }));
    const response = await apply(api, member, [...toFileParts(songs), ...texts([bgm, sfx, bgm])]);
    expect(response.status).toBe(200);
    expect((await readUser(database, member)).status).toBe('pending');
    const [waiting] = await listPendingQualityChecks(database.db);
    expect(waiting).toMatchObject({ username: '音の人', submittedAt: api.clock.now(), files: 3 });
    const details = await getQualityCheck(database.db, waiting?.id ?? '');
    expect(details).toMatchObject({ state: 'pending', types: ['BGM', '効果音'], history: [] });
    expect(details.files.map(({ slot, filename, mime }) => [slot, filename, mime])).toEqual([
      [1, '1曲目.mp3', 'audio/mpeg'],
      [2, '2曲目.mp3', 'audio/mpeg'],
      [3, '3曲目.mp3', 'audio/mp4'],
    ]);
    expect([...storage.objects.keys()].toSorted()).toEqual(
      [1, 2, 3].map((slot) => `quality-check/${waiting?.id}-${slot}`),
    );
    const rows = await listRows(database, 'quality_check_files');
    for (const { object_key, size_bytes, sha256 } of rows) {
      const object = storage.objects.get(object_key ?? '') ?? Buffer.alloc(0);
      expect(object.byteLength).toBe(size_bytes);
      expect(createHash('sha256').update(object).digest('hex')).toBe(sha256);
    }
    expect(await readStanding()).toEqual({
      state: 'pending',
      submitted_at: new Date(api.clock.now()).toISOString(),
    });
    expect((await readMails(database, EMAIL)).map(({ subject }) => subject)).toEqual([
      '【Otoichi】クオリティチェックの申請を受け付けました',
    ]);
    expect((await readMails(database, OPERATOR))[0]?.text).toContain(waiting?.id);
  });

  rule('accepts six files, and ignores an empty file input', async () => {
    const empty = { name: 'file_5', filename: '', type: 'application/octet-stream' };
    const four = [...songs, makeM4a(31)];
    expect((await apply(api, member, [...toFileParts(four), empty, ...texts()])).status).toBe(200);
    expect(storage.objects.size).toBe(4);
  });

  rule.each([[1], [2], [3]])('names slot %i when its file is missing', async (slot) => {
    const parts = toFileParts([...songs, makeM4a(31)]).filter(({ name }) => name !== `file_${slot}`);
    await expectReply(apply(api, member, [...parts, ...texts()]), 400, { [`file_${slot}`]: TOO_FEW_FILES });
    await expectNothing();
  });

  rule.each<[what: string, content: Buffer, why?: string]>([
    ['U2: HTML', Buffer.from('<!doctype html><script>alert(1)</script>'.repeat(50))],
    ['U2: SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'.repeat(50))],
    ['U2: a program', Buffer.concat([Buffer.from('MZ'), Buffer.alloc(4_000, 0x90)])],
    [
      'U3: a picture that says it is audio',
      Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ', 'base64'),
    ],
    [
      'a WAV',
      Buffer.concat([Buffer.from('RIFF\x24\x10\0\0WAVEfmt ', 'latin1'), Buffer.alloc(4_000)]),
      '「WAV」の形式には対応していません',
    ],
    ['nothing', Buffer.alloc(0)],
  ])(
    '%s is refused by its slot, and all of the application with it',
    async (_, content, why = '読み取れません') => {
      const response = await applyWith([
        songs[0] ?? content,
        songs[1] ?? content,
        songs[2] ?? content,
        content,
      ]);
      expect(response.status).toBe(400);
      const problems = (await response.json()) as Record<string, string>;
      expect(Object.keys(problems)).toEqual(['file_4']);
      expect(problems['file_4']).toMatch(new RegExp(`^${AUDIO_PROBLEM} .*${why}`));
      await expectNothing();
    },
  );

  test('names every invalid file: broken, too long, or sent twice', async () => {
    const hour = makeLongMp3(3_601);
    const [one = hour, two = hour] = songs;
    await expectReply(applyWith([one, two, Buffer.from('no sound'), one, hour]), 400, {
      file_3: expect.stringContaining('読み取れません'),
      file_4: expect.stringContaining('1曲目と同じファイル'),
      file_5: expect.stringContaining('60分以内'),
    });
    await expectNothing();
  });

  rule('accepts an existing type, and only the caller’s id', async () => {
    for (const [parts, field] of [
      [texts([]), 'types'],
      [texts(['999']), 'types'],
      [texts([bgm, '1 or 1=1']), 'types'],
      [texts([bgm], staff), 'user_id'],
      [texts().slice(1), 'user_id'],
      [[...texts(), { name: 'user_id', content: staff }], 'user_id'],
    ] as const) {
      await expectProblems(apply(api, member, [...toFileParts(songs), ...parts]), 400, [field]);
    }
    await expectNothing();
  });

  rule('refuses a type that another process has just removed', async () => {
    expect(await api.json('/api/sounds/types/')).toContainEqual(expect.objectContaining({ id: bgm }));
    await deleteRows(database, 'sound_types', { id: Number(bgm) });
    await expectProblems(applyWith(songs), 400, ['types']);
    await expectNothing();
  });

  rule('A2: accepts no other field', async () => {
    for (const name of ['is_verified', 'state', 'reason', 'file_7', '__proto__']) {
      await expectProblems(
        apply(api, member, [...toFileParts(songs), ...texts(), { name, content: '1' }]),
        400,
        [name],
      );
    }
    await expectNothing();
  });

  test.each([
    ['a verified member', { is_verified: 1 }, 409],
    ['who waits already', { status: 'pending' }, 409],
  ] as const)('%s is refused before a byte is read', async (_, change, status) => {
    await everyTable(database.db).updateTable('users').set(change).where('id', '=', member).execute();
    let isRead = false;
    const body = new ReadableStream<Uint8Array>({ pull: () => void (isRead = true) }, { highWaterMark: 0 });
    const headers = { 'content-type': FORM_TYPE, authorization: `Bearer ${await api.logIn(member)}` };
    const init = { method: 'POST', headers, body, duplex: 'half' } as RequestInit;
    const response = await api.app.request(applyForQualityCheck.path, init);
    expect([response.status, isRead]).toEqual([status, false]);
    expect(await readApplications()).toEqual([]);
  });

  test('20 concurrent ones create one, with three files and one pair of mails', async () => {
    const replies = await Promise.all(Array.from({ length: 20 }, () => applyWith(songs)));
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200,
      ...Array.from({ length: 19 }, () => 409),
    ]);
    expect(await readApplications()).toMatchObject([{ state: 'pending' }]);
    expect(storage.objects.size).toBe(3);
    expect(await readMails(database, EMAIL)).toHaveLength(1);
    expect(await readMails(database, OPERATOR)).toHaveLength(1);
  });

  rule('U15: stores nothing when the storage fills up half-way, and can be sent again', async () => {
    let puts = 0;
    const full: MemoryStorage = {
      ...storage,
      async put(key, content) {
        puts += 1;
        if (puts === 3) throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
        return storage.put(key, content);
      },
    };
    const response = await applyWith(
      songs,
      createTestApi(database, { storage: full, temporaryFiles, backgroundJobs: NO_JOBS }),
    );
    expect(response.status).toBe(507);
    await expectNothing();
    expect((await applyWith(songs)).status).toBe(200);
  });

  test('P11 is taken from ten members of a network a day, and from others', async () => {
    const rateLimits = createMemoryRateLimits();
    const limited = createTestApi(database, { storage, temporaryFiles, backgroundJobs: NO_JOBS, rateLimits });
    const applyFrom = async (address: string) => {
      const id = await addMember(database, address, `${address}@example.test`);
      const body = toFormBytes([...toFileParts(songs), ...texts([bgm], id)]) as BodyInit;
      const headers = {
        'content-type': FORM_TYPE,
        authorization: `Bearer ${await limited.logIn(id)}`,
        'x-client-address': address,
      };
      return (await limited.app.request(applyForQualityCheck.path, { method: 'POST', headers, body })).status;
    };
    for (let host = 1; host <= 10; host += 1) expect(await applyFrom(`203.0.113.${host}`)).toBe(200);
    expect([await applyFrom('203.0.113.11'), await applyFrom('203.0.114.1')]).toEqual([429, 200]);
  });

  rule('is refused when storing takes so long that it is collected, and leaves nothing', async () => {
    let puts = 0;
    const slow: MemoryStorage = {
      ...storage,
      async put(key, content) {
        await storage.put(key, content);
        puts += 1;
        if (puts < 3) return;
        api.clock.advance(3_600_001);
        await collectLeftovers(deps(), QUALITY_CHECK);
      },
    };
    const slowApi = createTestApi(database, { storage: slow, temporaryFiles, backgroundJobs: NO_JOBS });
    expect((await applyWith(songs, slowApi)).status).toBe(409);
    await expectNothing();
  });

  rule('approved: the member may upload and is told, the files are deleted; on record', async () => {
    const id = await applyOnce();
    const submitted_at = new Date(api.clock.now()).toISOString();
    api.clock.advance(60_000);
    let changes = 0;
    await approveQualityCheck(
      toReviewDeps(database, api, storage, () => (changes += 1)),
      id,
      staff,
    );
    expect(await readUser(database, member)).toMatchObject({ is_verified: 1, status: '' });
    expect(await readStanding()).toEqual({
      state: 'approved',
      submitted_at,
      decided_at: new Date(api.clock.now()).toISOString(),
    });
    expect([storage.objects.size, changes]).toEqual([0, 1]);
    expect(await readApplications()).toMatchObject([
      { state: 'approved', decided_by: staff, decided_at: api.clock.now() },
    ]);
    expect(await readActions()).toMatchObject([
      { staff_id: staff, action: 'approve quality check', subject: id, at: api.clock.now() },
    ]);
    expect((await readMails(database, EMAIL)).at(-1)?.subject).toContain('合格');
    expect((await applyWith(songs)).status).toBe(409);
  });

  test('a member who is blocked meanwhile is not told that they may upload', async () => {
    const id = await applyOnce();
    api.clock.advance(60_000);
    await updateRows(database, 'users', { is_blocked: 1 }, { id: member });
    await approveQualityCheck(deps(), id, staff);
    const mail = (await readMails(database, EMAIL)).at(-1);
    expect(mail?.text).toContain('アカウントの制限が解除されると');
    expect(mail?.text).not.toContain('アップロードできるようになりました');
  });

  rule('rejected: the member is told why, the files are deleted, a new one can be sent', async () => {
    const id = await applyOnce();
    api.clock.advance(60_000);
    await rejectQualityCheck(deps(), id, staff, '音が\n  割れています。');
    const reason = '音が 割れています。';
    expect(await readUser(database, member)).toMatchObject({ is_verified: 0, status: '' });
    expect(await readStanding()).toMatchObject({ state: 'rejected', reason });
    expect(storage.objects.size).toBe(0);
    expect((await readMails(database, EMAIL)).at(-1)?.text).toContain(`理由: ${reason}`);
    expect(await readActions()).toMatchObject([{ action: 'reject quality check', note: reason }]);
    const again = await applyOnce();
    expect(again).not.toBe(id);
    expect(await readStanding()).not.toHaveProperty('reason');
    expect(await getQualityCheck(database.db, again)).toMatchObject({
      history: [{ state: 'rejected', decided_by: 'staff' }],
    });
  });

  rule('is not rejected without a reason, nor decided by members who are not staff', async () => {
    const id = await applyOnce();
    for (const reason of [' \n', 'あ'.repeat(501)]) {
      await expect(rejectQualityCheck(deps(), id, staff, reason)).rejects.toMatchObject({ status: 400 });
    }
    await expect(approveQualityCheck(deps(), id, member)).rejects.toMatchObject({ status: 403 });
    await expect(approveQualityCheck(deps(), 'nobody', staff)).rejects.toMatchObject({ status: 404 });
    expect(await readUser(database, member)).toMatchObject({ is_verified: 0, status: 'pending' });
    expect([storage.objects.size, await readActions()]).toEqual([3, []]);
  });

  test('20 concurrent decisions take effect once, and the other callers are informed', async () => {
    const id = await applyOnce();
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) =>
        index % 2 === 0
          ? approveQualityCheck(deps(), id, staff)
          : rejectQualityCheck(deps(), id, staff, '理由'),
      ),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const result of results) {
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ status: 409 });
    }
    const [application] = await readApplications();
    expect((await readUser(database, member)).is_verified).toBe(application?.state === 'approved' ? 1 : 0);
    expect([await readMails(database, EMAIL), await readActions()]).toMatchObject([
      { length: 2 },
      { length: 1 },
    ]);
  });

  rule('files that a crash left behind are collected, those of waiting applications not', async () => {
    const undeletable = { ...storage, delete: () => Promise.reject(new Error('not now')) };
    await rejectQualityCheck(deps(undeletable), await applyOnce(), staff, '理由');
    expect(storage.objects.size).toBe(3);
    const waiting = await applyOnce();
    await insertRow(database, 'quality_checks', {
      id: 'crashed',
      user_id: member,
      state: 'incoming',
      submitted_at: api.clock.now(),
      decided_at: null,
      decided_by: null,
    });
    await insertRow(database, 'quality_check_files', {
      quality_check_id: 'crashed',
      slot: 1,
      object_key: 'quality-check/crashed-1',
      filename: '',
      mime: 'audio/mpeg',
      size_bytes: 1,
      duration_ms: 1,
      bit_rate: 1,
      sample_rate: 1,
      sha256: '',
    });
    await storage.put('quality-check/crashed-1', Buffer.from('x'));
    const kept = [1, 2, 3].map((slot) => `quality-check/${waiting}-${slot}`);

    await collectLeftovers(deps(), QUALITY_CHECK);
    const afterCrash = [...storage.objects.keys()];
    expect(afterCrash.toSorted()).toEqual([...kept, 'quality-check/crashed-1'].toSorted());
    api.clock.advance(2 * 3_600_000);
    await collectLeftovers(deps(), QUALITY_CHECK);
    expect([...storage.objects.keys()].toSorted()).toEqual(kept.toSorted());
    expect((await readApplications()).map(({ state }) => state).toSorted()).toEqual(['pending', 'rejected']);
  });
});
