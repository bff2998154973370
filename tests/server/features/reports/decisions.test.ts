import { describe, expect, test } from 'vitest';
import { OWN_REPORTS_MAX } from '#contract/reports.ts';
import { closeOverdueReports, deleteOldReports } from '#server/features/reports/deadlines.ts';
import { decideReport } from '#server/features/reports/decisions.ts';
import { getReport, listReports, REPORTS_PER_PAGE } from '#server/features/reports/staff-view.ts';
import type { StaffAction } from '#server/features/reports/machine.ts';
import { hideSound } from '#server/features/takedowns/sounds.ts';
import { from, readMails } from '#support/members/accounts.ts';
import { bothDatabases, listRows, updateRows } from '#support/databases/databases.ts';
import { addSoundOf } from '#support/sounds/downloads.ts';
import { WHY, useReportPlace } from '#support/members/report-place.ts';
import { REPORT, reportSound, sendReport, toReporterEmail } from '#support/members/reports.ts';
import { eraseDeleted, removeSound } from '#support/sounds/uploads.ts';

const DAY_MS = 86_400_000;

describe.each(bothDatabases)('decisions on reports on $name', ({ open, rule }) => {
  const { database, place } = useReportPlace(open);

  describe('a decision', () => {
    test('hides the sound while the artist answers, then for good, and can be undone', async () => {
      const email = toReporterEmail();
      const id = await reportSound(place.api, place.sound, { email });
      expect(await place.decide(id, 'hide')).toMatchObject({ report: { state: 'waiting-hidden' } });
      expect(await place.isShown()).toBe(false);
      expect(await getReport(place.deps(), id)).toMatchObject({
        due_at: Date.parse('2026-04-08T14:59:59.999Z'),
        allowedActions: ['restore', 'delete', 'dismiss'],
      });
      expect((await place.answer(id)).status).toBe(200);
      await place.decide(id, 'hide');
      expect(await place.stateOf(id)).toBe('hidden');
      expect(await place.decide(id, 'restore')).toMatchObject({
        report: { state: 'restored' },
        sound: 'public',
      });
      expect(await place.isShown()).toBe(true);
      expect(await place.subjectsTo(place.artistEmail)).toEqual([
        'サウンドについて報告が届きました',
        'サウンドを非公開にしました',
        'サウンドを非公開にしました',
        'サウンドの非公開を解除しました',
      ]);
      const told = (await place.subjectsTo(email)).slice(2);
      expect(told).toEqual([
        '報告されたサウンドを非公開にしました',
        '投稿者が回答しました',
        '報告されたサウンドを非公開にしました',
        '報告による非公開を解除しました',
      ]);
      for (const mail of (await readMails(database, place.artistEmail)).slice(1))
        expect(mail.text).toMatch(new RegExp(`理由: ${WHY}\\n日時: 2026年4月1日 9:00（日本時間）`));
      expect((await place.actions()).map(({ action, subject }) => [action, subject])).toEqual([
        ['hide report', id],
        ['hide sound', place.sound],
        ['hide report', id],
        ['restore report', id],
        ['unhide sound', place.sound],
      ]);
      expect((await getReport(place.deps(), id)).history.map(({ event, state }) => [event, state])).toEqual([
        ['submit', 'unconfirmed'],
        ['confirm', 'waiting'],
        ['tell', 'waiting'],
        ['hide', 'waiting-hidden'],
        ['answer', 'answered-hidden'],
        ['hide', 'hidden'],
        ['restore', 'restored'],
      ]);
      expect(await place.own()).toMatchObject([{ state: 'restored', can_answer: false }]);
    });

    rule('deletes the sound with its file; reports of the same sound close', async () => {
      const id = await reportSound(place.api, place.sound);
      const email = toReporterEmail();
      const other = await reportSound(place.api, place.sound, { email });
      await place.decide(id, 'delete');
      expect(await place.isShown()).toBe(false);
      expect(await listRows(database, 'sounds', { id: place.sound }, ['id'])).toEqual([]);
      await expect(place.decide(other, 'hide')).rejects.toMatchObject({ status: 409 });
      await closeOverdueReports(place.deps());
      expect([await place.stateOf(id), await place.stateOf(other)]).toEqual(['deleted', 'gone']);
      expect(await place.subjectsTo(email)).toContain('報告されたサウンドは削除されました');
      expect(await place.subjectsTo(place.artistEmail)).toContain('サウンドを削除しました');
    });

    rule('dismisses a report and shows the sound that it had hidden', async () => {
      const id = await reportSound(place.api, place.sound);
      await place.decide(id, 'hide');
      expect(await place.decide(id, 'dismiss')).toMatchObject({
        report: { state: 'dismissed' },
        sound: 'public',
      });
      expect(await place.isShown()).toBe(true);
      expect(await place.subjectsTo(place.artistEmail)).toContain('報告の確認を終えました');
      expect((await place.answer(id)).status).toBe(409);
    });

    rule('leaves a sound hidden that another report, or earlier the staff, has hidden', async () => {
      const [one, two] = [
        await reportSound(place.api, place.sound),
        await reportSound(place.api, place.sound),
      ];
      await place.decide(one, 'hide');
      await place.decide(two, 'hide');
      expect(await place.decide(one, 'dismiss')).toMatchObject({ sound: 'other-reason' });
      expect(await place.isShown()).toBe(false);
      expect(await place.decide(two, 'dismiss')).toMatchObject({ sound: 'public' });
      expect(await place.isShown()).toBe(true);

      const three = await reportSound(place.api, place.sound);
      await hideSound(place.deps(), place.sound, place.staff, '別の理由');
      await place.decide(three, 'hide');
      expect(await place.decide(three, 'dismiss')).toMatchObject({ sound: 'other-reason' });
      expect(await place.isShown()).toBe(false);
    });

    rule('about an unconfirmed report tells the artist, and the address nothing', async () => {
      await sendReport(place.api, place.sound);
      const [{ id } = { id: '' }] = (await listReports(place.deps(), {})).reports;
      await place.decide(id, 'hide');
      expect(await place.isShown()).toBe(false);
      expect(await place.subjectsTo(place.artistEmail)).toEqual(['サウンドを非公開にしました']);
      expect(await place.subjectsTo(REPORT.email)).toEqual(['ご報告の確認']);
      expect(await place.own()).toEqual([]);
    });

    rule('that dismisses an unconfirmed report mails nobody', async () => {
      await sendReport(place.api, place.sound);
      const [{ id } = { id: '' }] = (await listReports(place.deps(), {})).reports;
      await place.decide(id, 'dismiss');
      expect(await place.subjectsTo(place.artistEmail)).toEqual([]);
      expect(await place.subjectsTo(REPORT.email)).toEqual(['ご報告の確認']);
    });

    test('W19: of two staff accounts who decide at once is made once; the second gets 409', async () => {
      const id = await reportSound(place.api, place.sound);
      const { version } = await getReport(place.deps(), id);
      const results = await Promise.allSettled([
        place.decide(id, 'hide', version),
        place.decide(id, 'dismiss', version),
      ]);
      expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
      const refused = results.find((result) => result.status === 'rejected');
      expect(refused?.reason).toMatchObject({ status: 409 });
      const { state, version: after } = await getReport(place.deps(), id);
      expect(after).toBe(version + 1);
      expect(await place.isShown()).toBe(state === 'dismissed');
      expect((await place.actions()).filter(({ subject }) => subject === id)).toHaveLength(1);
      await expect(place.decide(id, 'delete', version)).rejects.toMatchObject({ status: 409 });
    });

    rule('needs staff, a reason, an allowed action, and another person than the artist', async () => {
      const id = await reportSound(place.api, place.sound);
      const by = (who: string, action: StaffAction, reason = WHY) =>
        decideReport(place.deps(), id, who, { action, reason });
      await expect(by(place.artist, 'hide')).rejects.toMatchObject({ status: 403 });
      await expect(by(place.staff, 'hide', ' ')).rejects.toMatchObject({ status: 400 });
      await expect(by(place.staff, 'restore')).rejects.toMatchObject({ status: 409 });
      await expect(place.decide('nothing', 'hide')).rejects.toMatchObject({ status: 404 });
      await expect(place.decide('\u0000', 'hide')).rejects.toMatchObject({ status: 404 });
      await updateRows(database, 'users', { is_staff: 1 }, { id: place.artist });
      await expect(by(place.artist, 'dismiss')).rejects.toMatchObject({ status: 403 });
      expect(await place.stateOf(id)).toBe('waiting');
    });
  });

  rule('only the final deletion of the sound by its artist closes the report', async () => {
    const email = toReporterEmail();
    const id = await reportSound(place.api, place.sound, { email });
    await closeOverdueReports(place.deps());
    expect(await place.stateOf(id)).toBe('waiting');
    expect((await removeSound(place.api, place.artist, place.sound)).status).toBe(200);
    await closeOverdueReports(place.deps());
    expect(await place.stateOf(id)).toBe('waiting');
    await eraseDeleted(place.api, place.deps().storage);
    await closeOverdueReports(place.deps());
    expect(await place.stateOf(id)).toBe('gone');
    expect(await place.subjectsTo(email)).toContain('報告されたサウンドは削除されました');
  });

  rule('hostile texts stay text in mails and replies', async () => {
    const email = toReporterEmail();
    const hostile = '<img src=x onerror=alert(1)>\u202e"\'&\r\nBcc: a@example.test';
    const title = '<script>alert(2)</script>';
    await updateRows(database, 'sounds', { title }, { id: place.sound });
    const id = await reportSound(place.api, place.sound, {
      email,
      name: '<b>花子</b>',
      explanation: hostile,
      shares_name: true,
    });
    expect((await place.answer(id, hostile)).status).toBe(200);
    await place.decide(id, 'dismiss');
    const mails = await listRows(database, 'mail_outbox');
    expect(mails.length).toBeGreaterThan(6);
    for (const { subject, html, to_address } of mails) {
      expect(`${subject}${to_address}`).not.toMatch(/[\r\n<>]/);
      expect(html).not.toMatch(/<script|<img|<b>/);
    }
    expect(await place.own()).toMatchObject([{ reporter_name: '<b>花子</b>', sound_title: title }]);
  });

  test('the staff’s list pages in order and filters by state', async () => {
    const address = (index: number) => from(`10.${Math.floor(index / 200)}.${index % 200}.1`);
    const more = [await addSoundOf(database, place.artist), await addSoundOf(database, place.artist)];
    const sounds = [place.sound, ...more];
    for (let index = 0; index < REPORTS_PER_PAGE + 2; index += 1) {
      if (index % 3 === 0) place.api.clock.advance(1);
      await sendReport(place.api, sounds[index % 3] ?? '', { email: toReporterEmail() }, address(index));
    }
    const confirmed = await reportSound(place.api, place.sound);
    const first = await listReports(place.deps(), {});
    const second = await listReports(place.deps(), { cursor: first.nextCursor });
    expect([first.reports.length, second.reports.length, second.nextCursor]).toEqual([
      REPORTS_PER_PAGE,
      3,
      null,
    ]);
    const all = [...first.reports, ...second.reports];
    expect(new Set(all.map(({ id }) => id)).size).toBe(REPORTS_PER_PAGE + 3);
    const toAges = (reports: readonly (typeof all)[number][]) => reports.map(({ created_at }) => created_at);
    const [{ id: urgent } = { id: '' }, ...unconfirmed] = all;
    expect(urgent).toBe(confirmed);
    expect(toAges(unconfirmed)).toEqual(toAges(unconfirmed).toSorted());
    expect((await listReports(place.deps(), { state: 'waiting' })).reports).toMatchObject([{ id: urgent }]);
    await updateRows(database, 'reports', { state: 'dismissed' });
    const closed = (await listReports(place.deps(), { state: 'closed' })).reports;
    expect(closed).toHaveLength(REPORTS_PER_PAGE);
    expect(toAges(closed)).toEqual(toAges(closed).toSorted().toReversed());
    for (const cursor of ['', '1', 'a-b', '1-1', `0-1-${'x'.repeat(50)}`]) {
      await expect(listReports(place.deps(), { cursor })).rejects.toMatchObject({ status: 400 });
    }
    expect((await place.own()).length).toBeLessThanOrEqual(OWN_REPORTS_MAX);
  });

  rule('retention deletes closed reports of a certain age with their history, and no others', async () => {
    const [old, open, young] = [
      await reportSound(place.api, place.sound),
      await reportSound(place.api, place.sound),
      await reportSound(place.api, place.sound),
    ];
    await place.decide(old, 'dismiss');
    place.api.clock.advance(100 * DAY_MS);
    await place.decide(young, 'dismiss');
    expect(await deleteOldReports(place.deps(), 90 * DAY_MS)).toBe(1);
    await expect(getReport(place.deps(), old)).rejects.toMatchObject({ status: 404 });
    expect(await listRows(database, 'report_events', { report_id: old })).toEqual([]);
    expect([await place.stateOf(open), await place.stateOf(young)]).toEqual(['waiting', 'dismissed']);
  });
});
