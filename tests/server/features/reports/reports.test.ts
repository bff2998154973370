import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ANSWER_LENGTH_MAX, OWN_REPORTS_MAX, REPORT_LENGTH_MAX } from '../../../../contract/reports.ts';
import { createUser } from '../../../../server/features/accounts/users.ts';
import { OPEN_PER_NETWORK_MAX, OPEN_PER_SOUND_MAX } from '../../../../server/features/reports/limits.ts';
import {
  REPORTS_PER_PAGE,
  decideReport,
  deleteOldReports,
  getReport,
  listReports,
} from '../../../../server/features/reports/reports.ts';
import type { StaffAction } from '../../../../server/features/reports/reports.ts';
import { closeOverdueReports } from '../../../../server/features/reports/deadlines.ts';
import { hideSound } from '../../../../server/features/takedowns/sounds.ts';
import type { Database } from '../../../../server/platform/database/open.ts';
import { createRateLimits } from '../../../../server/platform/limits/counting.ts';
import { from, readMails } from '../../../support/accounts.ts';
import { TEST_SITE_URL, createTestApi } from '../../../support/api.ts';
import type { TestApi } from '../../../support/api.ts';
import { everyDatabase } from '../../../support/databases.ts';
import { addSoundOf } from '../../../support/downloads.ts';
import { createMemoryStorage } from '../../../support/memory-files.ts';
import type { MemoryStorage } from '../../../support/memory-files.ts';
import { as } from '../../../support/profiles.ts';
import {
  REPORT,
  confirmWith,
  readSecret,
  reportSound,
  sendReport,
  toReporterEmail,
} from '../../../support/reports.ts';
import { removeSound } from '../../../support/uploads.ts';

const DAY_MS = 86_400_000;
const WHY = '権利者の説明を確認しました。';
const OPERATOR = 'operator@example.test';

describe.each(everyDatabase)('reports on $name', ({ open }) => {
  let database: Database;
  let storage: MemoryStorage;
  let api: TestApi;
  let artist: string;
  let artistEmail: string;
  let staff: string;
  let sound: string;
  let serial = 0;

  beforeAll(async () => {
    database = await open();
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    serial += 1;
    storage = createMemoryStorage();
    api = createTestApi(database, { storage });
    artistEmail = `artist${serial}@example.test`;
    artist = await createUser(database, {
      username: `音の人${serial}`,
      email: artistEmail,
      is_verified: true,
    });
    staff = await createUser(database, {
      username: `staff${serial}`,
      email: `staff${serial}@example.test`,
      is_staff: true,
    });
    sound = await addSoundOf(database, artist, { title: '朝の音' });
    await database.db.deleteFrom('mail_outbox').execute();
    await database.db.deleteFrom('reports').execute();
  });

  const deps = () => ({
    database,
    storage,
    clock: api.clock,
    logger: { error: () => undefined } as never,
    catalogueChanged: () => undefined,
    siteUrl: TEST_SITE_URL,
    siteName: 'Otoichi',
    operatorEmail: OPERATOR,
  });
  const decide = (id: string, action: StaffAction, version?: number) => {
    api.clock.advance(1);
    return decideReport(deps(), id, staff, { action, reason: WHY, version });
  };
  const stateOf = async (id: string) => (await getReport(deps(), id)).state;
  const isShown = async (id = sound) => (await api.get(`/api/sounds/${id}/`)).status === 200;
  const subjectsTo = async (to: string) =>
    (await readMails(database, to)).map(({ subject }) => subject.replace('【Otoichi】', ''));
  const actions = () =>
    database.db
      .selectFrom('operator_actions')
      .select(['action', 'subject', 'note'])
      .where('staff_id', '=', staff)
      .orderBy('at')
      .orderBy('action')
      .execute();
  const own = async () => (await api.json('/api/account/reports/', artist)) as Record<string, unknown>[];
  const answer = async (id: string, text = '自作です。', who = artist) => {
    api.clock.advance(1);
    return api.post(`/api/account/reports/${id}/answer/`, { text }, await as(api, who));
  };

  describe('a submitted report', () => {
    test('W18: is stored, receipted and shown to the staff, and the artist hears nothing', async () => {
      const response = await sendReport(api, sound);
      expect([response.status, await response.json()]).toEqual([
        200,
        { detail: '報告を受け付けました。メールのリンクから確定してください。' },
      ]);
      const { reports } = await listReports(deps(), {});
      expect(reports).toMatchObject([
        {
          state: 'unconfirmed',
          sound_id: sound,
          sound_title: '朝の音',
          artist: `音の人${serial}`,
          name: '権利 花子',
          email: REPORT.email,
          isOverdue: false,
          allowedActions: ['hide', 'delete', 'dismiss'],
        },
      ]);
      expect(JSON.stringify(reports)).not.toMatch(/secret|network|email_key/);
      expect(await readMails(database, artistEmail)).toEqual([]);
      expect(await readMails(database, OPERATOR)).toEqual([]);
      expect(await own()).toEqual([]);
      const [receipt, ...more] = await readMails(database, REPORT.email);
      expect(more).toEqual([]);
      expect(receipt?.subject).toBe('【Otoichi】ご報告の確認');
      expect(receipt?.text).toContain(reports[0]?.id);
      expect(receipt?.text).toContain('2026年4月4日 9:00（日本時間）');
      // The address may be someone else's: nothing that the sender or the artist wrote reaches it.
      expect(receipt?.text).not.toMatch(/花子|公開した曲|朝の音/);
    });

    test('needs each field, and a statement where a right is claimed', async () => {
      const refused = async (changes: object) => {
        const response = await sendReport(api, sound, changes);
        return [response.status, await response.json()];
      };
      expect(await refused({ reason: 'spam' })).toEqual([400, { reason: '理由を選んでください。' }]);
      expect(await refused({ name: ' ' })).toEqual([400, { name: 'お名前を入力してください。' }]);
      expect(await refused({ name: 'a\u0000b' })).toMatchObject([400, { name: expect.any(String) }]);
      expect(await refused({ email: 'nobody' })).toEqual([400, { email: 'Invalid email format' }]);
      expect(await refused({ explanation: '' })).toEqual([400, { explanation: '説明を入力してください。' }]);
      expect(await refused({ explanation: 'あ'.repeat(REPORT_LENGTH_MAX + 1) })).toMatchObject([
        400,
        { explanation: expect.stringContaining('4,000文字以内') },
      ]);
      for (const reason of ['copyright', 'likeness']) {
        expect(await refused({ reason, relation: '', is_truthful: false })).toEqual([
          400,
          {
            relation: '権利との関係を入力してください。',
            is_truthful: '内容が事実であることを確認してください。',
          },
        ]);
      }
      for (const reason of ['terms', 'other']) {
        expect((await sendReport(api, sound, { reason, relation: '', is_truthful: false })).status).toBe(200);
      }
      expect((await listReports(deps(), {})).reports).toHaveLength(2);
    });

    test('is refused for a sound that is not public, and for the artist’s own', async () => {
      const hidden = await addSoundOf(database, artist, { is_published: false });
      expect((await sendReport(api, hidden)).status).toBe(404);
      expect((await sendReport(api, 'Zz00Zz00Zz00Zz00')).status).toBe(404);
      const response = await sendReport(api, sound, {}, await as(api, artist));
      expect([response.status, await response.json()]).toEqual([
        400,
        { detail: 'ご自身のサウンドは報告できません。' },
      ]);
      expect((await listReports(deps(), {})).reports).toEqual([]);
    });

    test('repeated after its confirmation is answered alike, told by mail and not stored', async () => {
      const id = await reportSound(api, sound, { email: REPORT.email });
      const again = await sendReport(api, sound, { email: 'RIGHTS@example.test' });
      expect(again.status).toBe(200);
      expect((await listReports(deps(), {})).reports.map((each) => each.id)).toEqual([id]);
      expect((await readMails(database, 'RIGHTS@example.test')).at(-1)).toMatchObject({
        subject: '【Otoichi】ご報告は受付済みです',
        text: expect.stringContaining(id),
      });
    });

    test('repeated before its confirmation can be confirmed once only', async () => {
      await sendReport(api, sound);
      const first = await readSecret(database, REPORT.email);
      await database.db.deleteFrom('mail_outbox').execute();
      await sendReport(api, sound, { explanation: '二度目' });
      const second = await readSecret(database, REPORT.email);
      await confirmWith(api, second);
      const response = await api.post('/api/reports/confirm/', { token: first });
      expect([response.status, await response.json()]).toEqual([
        409,
        { detail: '同じサウンドについての以前のご報告を、まだ確認しています。' },
      ]);
      expect(await own()).toMatchObject([{ explanation: '二度目' }]);
    });

    test('lapses when nobody confirms it, and is deleted a month later', async () => {
      await sendReport(api, sound);
      const token = await readSecret(database, REPORT.email);
      api.clock.advance(3 * DAY_MS + 1);
      const late = await api.post('/api/reports/confirm/', { token });
      expect(late.status).toBe(409);
      await closeOverdueReports(deps());
      const [{ id } = { id: '' }] = (await listReports(deps(), { state: 'lapsed' })).reports;
      expect(await stateOf(id)).toBe('lapsed');
      expect(await subjectsTo(REPORT.email)).toEqual(['ご報告の確認']);
      expect(await readMails(database, artistEmail)).toEqual([]);
      api.clock.advance(31 * DAY_MS);
      await closeOverdueReports(deps());
      expect((await listReports(deps(), { state: 'lapsed' })).reports).toEqual([]);
    });
  });

  describe('limits', () => {
    test('stop one address, one e-mail address and guesses of secrets', async () => {
      const limited = createTestApi(database, { rateLimits: createRateLimits(database) });
      const tryAll = async (count: number, send: (index: number) => Promise<Response>) => {
        const statuses: number[] = [];
        for (let index = 0; index < count; index += 1) statuses.push((await send(index)).status);
        return statuses;
      };
      const fromOne = await tryAll(12, () =>
        sendReport(limited, sound, { email: toReporterEmail() }, from('198.51.100.1')),
      );
      expect(fromOne).toEqual([...Array<number>(10).fill(200), 429, 429]);
      const email = toReporterEmail();
      const withOne = await tryAll(12, (index) =>
        sendReport(limited, sound, { email }, from(`203.0.113.${index}`)),
      );
      expect(withOne).toEqual([...Array<number>(10).fill(200), 429, 429]);
      expect(await readMails(database, email)).toHaveLength(10);
      const guesses = await tryAll(121, () =>
        limited.post('/api/reports/view/', { token: 'x'.repeat(43) }, from('198.51.100.9')),
      );
      expect(new Set(guesses.slice(0, 120))).toEqual(new Set([400]));
      expect(guesses.at(-1)).toBe(429);
    });

    test('W18: bound the open reports of a network and of a sound', async () => {
      const send = (address: string, soundId = sound) =>
        sendReport(api, soundId, { email: toReporterEmail() }, from(address));
      for (let index = 0; index < OPEN_PER_NETWORK_MAX; index += 1) {
        expect((await send(`192.0.2.${index + 1}`)).status).toBe(200);
      }
      const refused = await send('192.0.2.250');
      expect([refused.status, await refused.json()]).toEqual([
        409,
        { detail: expect.stringContaining('この接続からの報告') },
      ]);
      const other = await addSoundOf(database, artist);
      expect((await send('192.0.2.250', other)).status).toBe(409);
      expect((await send('198.51.100.1', other)).status).toBe(200);
      for (let index = OPEN_PER_NETWORK_MAX; index < OPEN_PER_SOUND_MAX; index += 1) {
        expect((await send(`10.0.${index}.1`)).status).toBe(200);
      }
      const full = await send('10.1.0.1');
      expect([full.status, await full.json()]).toEqual([
        409,
        { detail: expect.stringContaining('このサウンドについては') },
      ]);
    });
  });

  describe('a confirmed report', () => {
    test('asks the artist, who learns nothing about the reporter', async () => {
      await sendReport(api, sound);
      const token = await readSecret(database, REPORT.email);
      const seen = await (await api.post('/api/reports/view/', { token })).json();
      expect(seen).toMatchObject({
        state: 'unconfirmed',
        can_confirm: true,
        name: '権利 花子',
        due_at: '2026-04-04T00:00:00.000Z',
      });
      const confirmed = await confirmWith(api, token);
      // 1 April 9:00 in Japan: seven whole days after that day.
      expect(confirmed).toMatchObject({ state: 'waiting', due_at: '2026-04-08T14:59:59.999Z' });
      expect(await confirmWith(api, token)).toEqual(confirmed);

      const [mail, ...more] = await readMails(database, artistEmail);
      expect(more).toEqual([]);
      expect(mail?.subject).toBe('【Otoichi】サウンドについて報告が届きました');
      expect(mail?.text).toContain('回答の期限: 2026年4月8日 23:59（日本時間）');
      expect(mail?.text).toContain('報告の理由: 著作権の侵害');
      const shown = await own();
      expect(shown).toMatchObject([
        { id: confirmed.id, state: 'waiting', reporter_name: '', can_answer: true, sound_title: '朝の音' },
      ]);
      for (const text of [mail?.text ?? '', mail?.html ?? '', JSON.stringify(shown)]) {
        expect(text).not.toMatch(/花子|rights@|著作権者本人/);
      }
      expect(await subjectsTo(REPORT.email)).toEqual(['ご報告の確認', 'ご報告を確定しました']);
      expect(await subjectsTo(OPERATOR)).toEqual(['サウンドの報告が届きました']);
    });

    test('tells the artist the name if the reporter agreed', async () => {
      await reportSound(api, sound, { shares_name: true });
      const shown = await own();
      expect(shown).toMatchObject([{ reporter_name: '権利 花子' }]);
      expect(JSON.stringify(shown)).not.toContain('@example.test"');
    });

    test('takes one answer of its artist, which the staff reads and the reporter does not', async () => {
      const email = toReporterEmail();
      const id = await reportSound(api, sound, { email });
      const stranger = await createUser(database, {
        username: `他人${serial}`,
        email: `x${serial}@example.test`,
      });
      expect((await answer(id, '別人です', stranger)).status).toBe(404);
      expect((await answer('nothing', '？')).status).toBe(404);
      expect(await (await answer(id, ' ')).json()).toEqual({ text: '回答を入力してください。' });
      expect((await answer(id, 'あ'.repeat(ANSWER_LENGTH_MAX + 1))).status).toBe(400);
      const answered = await answer(id, '自作の曲です。\n制作データがあります。');
      expect(await answered.json()).toMatchObject({ state: 'answered', can_answer: false, due_at: null });
      expect((await answer(id)).status).toBe(409);
      expect(await getReport(deps(), id)).toMatchObject({
        answer: '自作の曲です。\n制作データがあります。',
        allowedActions: ['hide', 'delete', 'dismiss'],
      });
      const view = await (
        await api.post('/api/reports/view/', { token: await readSecret(database, email) })
      ).text();
      expect(view).toContain('"answered"');
      expect(view).not.toContain('制作データ');
      expect((await subjectsTo(email)).at(-1)).toBe('投稿者が回答しました');
      expect((await readMails(database, email)).at(-1)?.text).not.toContain('制作データ');
      expect((await subjectsTo(OPERATOR)).at(-1)).toBe('報告に投稿者が回答しました');
    });

    test('can be answered by a blocked artist', async () => {
      const id = await reportSound(api, sound);
      await database.db.updateTable('users').set({ is_blocked: 1 }).where('id', '=', artist).execute();
      expect((await answer(id)).status).toBe(200);
    });

    test('becomes overdue after its deadline, without a change of the sound; a late answer still counts', async () => {
      const email = toReporterEmail();
      const id = await reportSound(api, sound, { email });
      api.clock.advance(Date.parse('2026-04-08T14:59:59.999Z') - api.clock.now());
      await closeOverdueReports(deps());
      expect(await getReport(deps(), id)).toMatchObject({ state: 'waiting', isOverdue: false });
      api.clock.advance(1);
      expect(await getReport(deps(), id)).toMatchObject({ state: 'waiting', isOverdue: true });
      await Promise.all([closeOverdueReports(deps()), closeOverdueReports(deps())]);
      expect(await getReport(deps(), id)).toMatchObject({
        state: 'unanswered',
        isOverdue: true,
        due_at: null,
        version: 2,
      });
      expect(await isShown()).toBe(true);
      const title = (who: string) =>
        subjectsTo(who).then((list) => list.filter((each) => each.includes('期限')));
      expect(await title(email)).toEqual(['投稿者の回答の期限が過ぎました']);
      expect(await title(artistEmail)).toEqual(['報告への回答の期限が過ぎました']);
      expect(await title(OPERATOR)).toEqual(['報告への回答の期限が過ぎました']);
      expect((await answer(id)).status).toBe(200);
      expect(await getReport(deps(), id)).toMatchObject({ state: 'answered', isOverdue: false });
    });
  });

  describe('a decision', () => {
    test('hides the sound while the artist answers, then for good, and can be undone', async () => {
      const email = toReporterEmail();
      const id = await reportSound(api, sound, { email });
      expect(await decide(id, 'hide')).toMatchObject({ report: { state: 'waiting-hidden' } });
      expect(await isShown()).toBe(false);
      expect(await getReport(deps(), id)).toMatchObject({
        due_at: Date.parse('2026-04-08T14:59:59.999Z'),
        allowedActions: ['restore', 'delete', 'dismiss'],
      });
      expect((await answer(id)).status).toBe(200);
      await decide(id, 'hide');
      expect(await stateOf(id)).toBe('hidden');
      expect(await decide(id, 'restore')).toMatchObject({ report: { state: 'restored' }, sound: 'public' });
      expect(await isShown()).toBe(true);
      expect(await subjectsTo(artistEmail)).toEqual([
        'サウンドについて報告が届きました',
        'サウンドを非公開にしました',
        'サウンドを非公開にしました',
        'サウンドの非公開を解除しました',
      ]);
      const told = (await subjectsTo(email)).slice(2);
      expect(told).toEqual([
        '報告されたサウンドを非公開にしました',
        '投稿者が回答しました',
        '報告されたサウンドを非公開にしました',
        '報告による非公開を解除しました',
      ]);
      for (const mail of (await readMails(database, artistEmail)).slice(1))
        expect(mail.text).toMatch(new RegExp(`理由: ${WHY}\\n日時: 2026年4月1日 9:00（日本時間）`));
      expect((await actions()).map(({ action, subject }) => [action, subject])).toEqual([
        ['hide report', id],
        ['hide sound', sound],
        ['hide report', id],
        ['restore report', id],
        ['unhide sound', sound],
      ]);
      expect((await getReport(deps(), id)).history.map(({ event, state }) => [event, state])).toEqual([
        ['submit', 'unconfirmed'],
        ['confirm', 'waiting'],
        ['hide', 'waiting-hidden'],
        ['answer', 'answered-hidden'],
        ['hide', 'hidden'],
        ['restore', 'restored'],
      ]);
      expect(await own()).toMatchObject([{ state: 'restored', can_answer: false }]);
    });

    test('deletes the sound with its file; reports of the same sound close', async () => {
      const id = await reportSound(api, sound);
      const email = toReporterEmail();
      const other = await reportSound(api, sound, { email });
      await decide(id, 'delete');
      expect(await isShown()).toBe(false);
      expect(await database.db.selectFrom('sounds').select('id').where('id', '=', sound).execute()).toEqual(
        [],
      );
      await expect(decide(other, 'hide')).rejects.toMatchObject({ status: 409 });
      await closeOverdueReports(deps());
      expect([await stateOf(id), await stateOf(other)]).toEqual(['deleted', 'gone']);
      expect((await subjectsTo(email)).at(-1)).toBe('報告されたサウンドは削除されました');
      expect((await subjectsTo(artistEmail)).at(-1)).toBe('サウンドを削除しました');
    });

    test('dismisses a report and shows the sound that it had hidden', async () => {
      const id = await reportSound(api, sound);
      await decide(id, 'hide');
      expect(await decide(id, 'dismiss')).toMatchObject({ report: { state: 'dismissed' }, sound: 'public' });
      expect(await isShown()).toBe(true);
      expect((await subjectsTo(artistEmail)).at(-1)).toBe('報告の確認を終えました');
      expect((await answer(id)).status).toBe(409);
    });

    test('leaves a sound hidden that another report, or the staff before any report, has hidden', async () => {
      const [one, two] = [await reportSound(api, sound), await reportSound(api, sound)];
      await decide(one, 'hide');
      await decide(two, 'hide');
      expect(await decide(one, 'dismiss')).toMatchObject({ sound: 'other-reason' });
      expect(await isShown()).toBe(false);
      expect(await decide(two, 'dismiss')).toMatchObject({ sound: 'public' });
      expect(await isShown()).toBe(true);

      const three = await reportSound(api, sound);
      await hideSound(deps(), sound, staff, '別の理由');
      await decide(three, 'hide');
      expect(await decide(three, 'dismiss')).toMatchObject({ sound: 'other-reason' });
      expect(await isShown()).toBe(false);
    });

    test('about an unconfirmed report tells the artist of the takedown, and the address nothing', async () => {
      await sendReport(api, sound);
      const [{ id } = { id: '' }] = (await listReports(deps(), {})).reports;
      await decide(id, 'hide');
      expect(await isShown()).toBe(false);
      expect(await subjectsTo(artistEmail)).toEqual(['サウンドを非公開にしました']);
      expect(await subjectsTo(REPORT.email)).toEqual(['ご報告の確認']);
      expect(await own()).toEqual([]);
    });

    test('that dismisses an unconfirmed report mails nobody', async () => {
      await sendReport(api, sound);
      const [{ id } = { id: '' }] = (await listReports(deps(), {})).reports;
      await decide(id, 'dismiss');
      expect(await subjectsTo(artistEmail)).toEqual([]);
      expect(await subjectsTo(REPORT.email)).toEqual(['ご報告の確認']);
    });

    test('W19: of two staff accounts who decide at once is made once; the second gets 409', async () => {
      const id = await reportSound(api, sound);
      const { version } = await getReport(deps(), id);
      const results = await Promise.allSettled([decide(id, 'hide', version), decide(id, 'dismiss', version)]);
      expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
      const refused = results.find((result) => result.status === 'rejected');
      expect(refused?.reason).toMatchObject({ status: 409 });
      const { state, version: after } = await getReport(deps(), id);
      expect(after).toBe(version + 1);
      expect(await isShown()).toBe(state === 'dismissed');
      expect((await actions()).filter(({ subject }) => subject === id)).toHaveLength(1);
      await expect(decide(id, 'delete', version)).rejects.toMatchObject({ status: 409 });
    });

    test('needs staff, a reason, an allowed action, and another person than the artist', async () => {
      const id = await reportSound(api, sound);
      const by = (who: string, action: StaffAction, reason = WHY) =>
        decideReport(deps(), id, who, { action, reason });
      await expect(by(artist, 'hide')).rejects.toMatchObject({ status: 403 });
      await expect(by(staff, 'hide', ' ')).rejects.toMatchObject({ status: 400 });
      await expect(by(staff, 'restore')).rejects.toMatchObject({ status: 409 });
      await expect(decide('nothing', 'hide')).rejects.toMatchObject({ status: 404 });
      await expect(decide('\u0000', 'hide')).rejects.toMatchObject({ status: 404 });
      await database.db.updateTable('users').set({ is_staff: 1 }).where('id', '=', artist).execute();
      await expect(by(artist, 'dismiss')).rejects.toMatchObject({ status: 403 });
      expect(await stateOf(id)).toBe('waiting');
    });
  });

  test('the sound’s deletion by its artist closes the report; nothing else does', async () => {
    const email = toReporterEmail();
    const id = await reportSound(api, sound, { email });
    await closeOverdueReports(deps());
    expect(await stateOf(id)).toBe('waiting');
    expect((await removeSound(api, artist, sound)).status).toBe(200);
    await closeOverdueReports(deps());
    expect(await stateOf(id)).toBe('gone');
    expect((await subjectsTo(email)).at(-1)).toBe('報告されたサウンドは削除されました');
  });

  test('hostile texts stay text in mails and replies', async () => {
    const email = toReporterEmail();
    const hostile = '<img src=x onerror=alert(1)>\u202e"\'&\r\nBcc: a@example.test';
    const title = '<script>alert(2)</script>';
    await database.db.updateTable('sounds').set({ title }).where('id', '=', sound).execute();
    const id = await reportSound(api, sound, {
      email,
      name: '<b>花子</b>',
      explanation: hostile,
      shares_name: true,
    });
    expect((await answer(id, hostile)).status).toBe(200);
    await decide(id, 'dismiss');
    const mails = await database.db.selectFrom('mail_outbox').selectAll().execute();
    expect(mails.length).toBeGreaterThan(6);
    for (const { subject, html, to_address } of mails) {
      expect(`${subject}${to_address}`).not.toMatch(/[\r\n<>]/);
      expect(html).not.toMatch(/<script|<img|<b>/);
    }
    expect(await own()).toMatchObject([{ reporter_name: '<b>花子</b>', sound_title: title }]);
  });

  test('the staff’s list pages in order and filters by state', async () => {
    const address = (index: number) => from(`10.${Math.floor(index / 200)}.${index % 200}.1`);
    const sounds = [sound, await addSoundOf(database, artist)];
    for (let index = 0; index < REPORTS_PER_PAGE + 2; index += 1) {
      if (index % 3 === 0) api.clock.advance(1);
      await sendReport(api, sounds[index % 2] ?? '', { email: toReporterEmail() }, address(index));
    }
    const first = await listReports(deps(), {});
    const second = await listReports(deps(), { cursor: first.nextCursor });
    expect([first.reports.length, second.reports.length, second.nextCursor]).toEqual([
      REPORTS_PER_PAGE,
      2,
      null,
    ]);
    const all = [...first.reports, ...second.reports];
    expect(new Set(all.map(({ id }) => id)).size).toBe(REPORTS_PER_PAGE + 2);
    expect(all.map(({ created_at }) => created_at)).toEqual(
      all.map(({ created_at }) => created_at).toSorted(),
    );
    expect((await listReports(deps(), { state: 'waiting' })).reports).toEqual([]);
    for (const cursor of ['', '1', 'a-b', `1-${'x'.repeat(50)}`]) {
      await expect(listReports(deps(), { cursor })).rejects.toMatchObject({ status: 400 });
    }
    expect((await own()).length).toBeLessThanOrEqual(OWN_REPORTS_MAX);
  });

  test('retention deletes closed reports of a certain age with their history, and no others', async () => {
    const [old, open, young] = [
      await reportSound(api, sound),
      await reportSound(api, sound),
      await reportSound(api, sound),
    ];
    await decide(old, 'dismiss');
    api.clock.advance(100 * DAY_MS);
    await decide(young, 'dismiss');
    expect(await deleteOldReports(deps(), 90 * DAY_MS)).toBe(1);
    await expect(getReport(deps(), old)).rejects.toMatchObject({ status: 404 });
    expect(
      await database.db.selectFrom('report_events').selectAll().where('report_id', '=', old).execute(),
    ).toEqual([]);
    expect([await stateOf(open), await stateOf(young)]).toEqual(['waiting', 'dismissed']);
  });
});
