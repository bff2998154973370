import { describe, expect, test } from 'vitest';
import { ANSWER_LENGTH_MAX, REPORT_LENGTH_MAX } from '#contract/reports.ts';
import { createUser } from '#server/features/accounts/users.ts';
import { closeOverdueReports } from '#server/features/reports/deadlines.ts';
import { getReport, listReports } from '#server/features/reports/staff-view.ts';
import { expectReply } from '#support/http/replies.ts';
import { readMails } from '#support/members/accounts.ts';
import { bothDatabases, deleteRows, updateRows } from '#support/databases/databases.ts';
import { addSoundOf } from '#support/sounds/downloads.ts';
import { as } from '#support/members/profiles.ts';
import { OPERATOR, useReportPlace } from '#support/members/report-place.ts';
import {
  REPORT,
  confirmWith,
  readSecret,
  reportSound,
  sendReport,
  toReporterEmail,
} from '#support/members/reports.ts';

const DAY_MS = 86_400_000;

describe.each(bothDatabases)('reports on $name', ({ open, rule }) => {
  const { database, place } = useReportPlace(open);

  describe('a submitted report', () => {
    rule('W18: is stored, receipted and shown to the staff, and the artist hears nothing', async () => {
      await expectReply(sendReport(place.api, place.sound), 200, {
        detail: '報告を受け付けました。メールのリンクから確定してください。',
      });
      const { reports } = await listReports(place.deps(), {});
      expect(reports).toMatchObject([
        {
          state: 'unconfirmed',
          sound_id: place.sound,
          sound_title: '朝の音',
          artist: place.artistName,
          name: '権利 花子',
          email: REPORT.email,
          isOverdue: false,
          allowedActions: ['hide', 'delete', 'dismiss'],
        },
      ]);
      expect(JSON.stringify(reports)).not.toMatch(/secret|network|email_key/);
      expect(await readMails(database, place.artistEmail)).toEqual([]);
      expect(await readMails(database, OPERATOR)).toEqual([]);
      expect(await place.own()).toEqual([]);
      const [receipt, ...more] = await readMails(database, REPORT.email);
      expect(more).toEqual([]);
      expect(receipt?.subject).toBe('【Otoichi】ご報告の確認');
      expect(receipt?.text).toContain(reports[0]?.id);
      expect(receipt?.text).toContain('2026年4月4日 9:00（日本時間）');
      // The address may be someone else's: nothing that the sender or the artist wrote reaches it.
      expect(receipt?.text).not.toMatch(/花子|公開した曲|朝の音/);
    });

    rule('needs each field, and a statement where a right is claimed', async () => {
      const refused = async (changes: object) => {
        const response = await sendReport(place.api, place.sound, changes);
        return [response.status, await response.json()];
      };
      expect(await refused({ reason: 'spam' })).toEqual([400, { reason: '理由を選んでください。' }]);
      expect(await refused({ name: ' ' })).toEqual([400, { name: 'お名前を入力してください。' }]);
      expect(await refused({ name: '\u3164\u0000' })).toEqual([400, { name: 'お名前を入力してください。' }]);
      expect(await refused({ email: 'nobody' })).toEqual([
        400,
        { email: 'メールアドレスの形式が正しくありません。' },
      ]);
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
        expect(
          (await sendReport(place.api, place.sound, { reason, relation: '', is_truthful: false })).status,
        ).toBe(200);
      }
      expect((await listReports(place.deps(), {})).reports).toHaveLength(2);
    });

    rule('is refused for a sound that is not public, and for the artist’s own', async () => {
      const hidden = await addSoundOf(database, place.artist, { is_published: false });
      expect((await sendReport(place.api, hidden)).status).toBe(404);
      expect((await sendReport(place.api, 'Zz00Zz00Zz00Zz00')).status).toBe(404);
      await expectReply(sendReport(place.api, place.sound, {}, await as(place.api, place.artist)), 400, {
        detail: 'ご自身のサウンドは報告できません。',
      });
      expect((await listReports(place.deps(), {})).reports).toEqual([]);
    });

    rule('repeated after its confirmation is answered alike, told by mail and not stored', async () => {
      const id = await reportSound(place.api, place.sound, { email: REPORT.email });
      const again = await sendReport(place.api, place.sound, { email: 'RIGHTS@example.test' });
      expect(again.status).toBe(200);
      expect((await listReports(place.deps(), {})).reports.map((each) => each.id)).toEqual([id]);
      expect((await readMails(database, 'RIGHTS@example.test')).at(-1)).toMatchObject({
        subject: '【Otoichi】ご報告は受付済みです',
        text: expect.stringContaining(id),
      });
    });

    rule('repeated before its confirmation can be confirmed once only', async () => {
      await sendReport(place.api, place.sound);
      const first = await readSecret(database, REPORT.email);
      await deleteRows(database, 'mail_outbox');
      await sendReport(place.api, place.sound, { explanation: '二度目' });
      const second = await readSecret(database, REPORT.email);
      await confirmWith(place.api, second);
      await expectReply(place.api.post('/api/reports/confirm/', { token: first }), 409, {
        detail: '同じサウンドについての以前のご報告を、まだ確認しています。',
      });
      expect(await place.own()).toMatchObject([{ explanation: '二度目' }]);
    });

    rule('lapses when nobody confirms it, and is deleted a month later', async () => {
      await sendReport(place.api, place.sound);
      const token = await readSecret(database, REPORT.email);
      place.api.clock.advance(3 * DAY_MS + 1);
      const late = await place.api.post('/api/reports/confirm/', { token });
      expect(late.status).toBe(409);
      await closeOverdueReports(place.deps());
      const [{ id } = { id: '' }] = (await listReports(place.deps(), { state: 'lapsed' })).reports;
      expect(await place.stateOf(id)).toBe('lapsed');
      expect(await place.subjectsTo(REPORT.email)).toEqual(['ご報告の確認']);
      expect(await readMails(database, place.artistEmail)).toEqual([]);
      place.api.clock.advance(31 * DAY_MS);
      await closeOverdueReports(place.deps());
      expect((await listReports(place.deps(), { state: 'lapsed' })).reports).toEqual([]);
    });
  });

  describe('a confirmed report', () => {
    rule('asks the artist, who learns nothing about the reporter', async () => {
      await sendReport(place.api, place.sound);
      const token = await readSecret(database, REPORT.email);
      const seen = await (await place.api.post('/api/reports/view/', { token })).json();
      expect(seen).toMatchObject({
        state: 'unconfirmed',
        can_confirm: true,
        name: '権利 花子',
        due_at: '2026-04-04T00:00:00.000Z',
      });
      const confirmed = await confirmWith(place.api, token);
      // 1 April 9:00 in Japan: seven whole days after that day.
      expect(confirmed).toMatchObject({ state: 'waiting', due_at: '2026-04-08T14:59:59.999Z' });
      expect(await confirmWith(place.api, token)).toEqual(confirmed);

      const [mail, ...more] = await readMails(database, place.artistEmail);
      expect(more).toEqual([]);
      expect(mail?.subject).toBe('【Otoichi】サウンドについて報告が届きました');
      expect(mail?.text).toContain('回答の期限: 2026年4月8日 23:59（日本時間）');
      expect(mail?.text).toContain('報告の理由: 著作権の侵害');
      const shown = await place.own();
      expect(shown).toMatchObject([
        { id: confirmed.id, state: 'waiting', reporter_name: '', can_answer: true, sound_title: '朝の音' },
      ]);
      for (const text of [mail?.text ?? '', mail?.html ?? '', JSON.stringify(shown)]) {
        expect(text).not.toMatch(/花子|rights@|著作権者本人/);
      }
      expect(await place.subjectsTo(REPORT.email)).toEqual(['ご報告の確認', 'ご報告を投稿者に知らせました']);
      expect(await place.subjectsTo(OPERATOR)).toEqual(['サウンドの報告が届きました']);
      expect((await readMails(database, OPERATOR))[0]?.text).toMatch(
        /\/operator\/reports\?id=[0-9A-Za-z]+\n/,
      );
    });

    rule('tells the artist the name if the reporter agreed', async () => {
      await reportSound(place.api, place.sound, { shares_name: true });
      const shown = await place.own();
      expect(shown).toMatchObject([{ reporter_name: '権利 花子' }]);
      expect(JSON.stringify(shown)).not.toContain('@example.test"');
    });

    rule('takes one answer of its artist, which the staff reads and the reporter does not', async () => {
      const email = toReporterEmail();
      const id = await reportSound(place.api, place.sound, { email });
      const stranger = await createUser(database, { username: '他人', email: 'other@example.test' });
      expect((await place.answer(id, '別人です', stranger)).status).toBe(404);
      expect((await place.answer('nothing', '？')).status).toBe(404);
      expect(await (await place.answer(id, ' ')).json()).toEqual({ text: '回答を入力してください。' });
      expect((await place.answer(id, 'あ'.repeat(ANSWER_LENGTH_MAX + 1))).status).toBe(400);
      const answered = await place.answer(id, '自作の曲です。\n制作データがあります。');
      expect(await answered.json()).toMatchObject({ state: 'answered', can_answer: false, due_at: null });
      expect((await place.answer(id)).status).toBe(409);
      expect(await getReport(place.deps(), id)).toMatchObject({
        answer: '自作の曲です。\n制作データがあります。',
        allowedActions: ['hide', 'delete', 'dismiss'],
      });
      const view = await (
        await place.api.post('/api/reports/view/', { token: await readSecret(database, email) })
      ).text();
      expect(view).toContain('"answered"');
      expect(view).not.toContain('制作データ');
      expect(await place.subjectsTo(email)).toContain('投稿者が回答しました');
      const texts = (await readMails(database, email)).map(({ text }) => text);
      expect(texts.join('\n')).not.toContain('制作データ');
      expect(await place.subjectsTo(OPERATOR)).toContain('報告に投稿者が回答しました');
    });

    test('can be answered by a blocked artist', async () => {
      const id = await reportSound(place.api, place.sound);
      await updateRows(database, 'users', { is_blocked: 1 }, { id: place.artist });
      expect((await place.answer(id)).status).toBe(200);
    });

    test('becomes overdue after its deadline, without a change of the sound; a late answer still counts', async () => {
      const email = toReporterEmail();
      const id = await reportSound(place.api, place.sound, { email });
      place.api.clock.advance(Date.parse('2026-04-08T14:59:59.999Z') - place.api.clock.now());
      await closeOverdueReports(place.deps());
      expect(await getReport(place.deps(), id)).toMatchObject({ state: 'waiting', isOverdue: false });
      place.api.clock.advance(1);
      expect(await getReport(place.deps(), id)).toMatchObject({ state: 'waiting', isOverdue: true });
      await Promise.all([closeOverdueReports(place.deps()), closeOverdueReports(place.deps())]);
      expect(await getReport(place.deps(), id)).toMatchObject({
        state: 'unanswered',
        isOverdue: true,
        due_at: null,
        version: 3,
      });
      expect(await place.isShown()).toBe(true);
      const title = (who: string) =>
        place.subjectsTo(who).then((list) => list.filter((each) => each.includes('期限')));
      expect(await title(email)).toEqual(['投稿者の回答の期限が過ぎました']);
      expect(await title(place.artistEmail)).toEqual(['報告への回答の期限が過ぎました']);
      expect(await title(OPERATOR)).toEqual(['報告への回答の期限が過ぎました']);
      expect((await place.answer(id)).status).toBe(200);
      expect(await getReport(place.deps(), id)).toMatchObject({ state: 'answered', isOverdue: false });
    });
  });
});
