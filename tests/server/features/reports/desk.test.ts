import { describe, expect, test } from 'vitest';
import type { ReportDetails, ReportLine } from '#contract/operator/reports.ts';
import { createUser } from '#server/features/accounts/users.ts';
import { closeOverdueReports } from '#server/features/reports/deadlines.ts';
import { getRow, ruleDatabases, updateRows } from '#support/databases/databases.ts';
import { useReportPlace } from '#support/members/report-place.ts';
import { REPORT, reportSound, sendReport, toReporterEmail } from '#support/members/reports.ts';

const DAY_MS = 86_400_000;
const WHY = '権利の侵害を確認しました。';

describe.each(ruleDatabases)('reports in the console on $name', ({ open }) => {
  const { database, place } = useReportPlace(open);

  const list = (query = '') =>
    place.api.json(`/api/operator/reports/${query}`, place.staff) as Promise<{
      results: ReportLine[];
      next: string | null;
    }>;
  const statesIn = async (query = '') => (await list(query)).results.map(({ state }) => state);
  const view = (id: string, staff = place.staff) =>
    place.api.json(`/api/operator/reports/${id}/`, staff) as Promise<ReportDetails>;
  const decide = async (id: string, body: object, staff = place.staff) => {
    place.api.clock.advance(1);
    return place.api.post(`/api/operator/reports/${id}/decide/`, { reason: WHY, ...body }, staff);
  };

  test('are listed by urgency: overdue, answered, asked, unconfirmed; the closed ones on their own', async () => {
    await reportSound(place.api, place.sound);
    place.api.clock.advance(9 * DAY_MS);
    await closeOverdueReports(place.deps());
    await sendReport(place.api, place.sound);
    const answered = await reportSound(place.api, place.sound);
    expect((await place.answer(answered)).status).toBe(200);
    const queued = await reportSound(place.api, place.sound);
    const closed = await reportSound(place.api, place.sound);
    await place.decide(closed, 'dismiss');
    expect((await list('?list=asked')).results).toMatchObject([
      { id: queued, asking: 'queued', due_at: null },
    ]);
    const setAsking = (asking: 'queued' | 'held') =>
      updateRows(database, 'reports', { asking }, { id: queued });
    await setAsking('held');
    expect((await list('?list=held')).results).toMatchObject([{ id: queued, asking: 'held' }]);
    expect(await statesIn('?list=asked')).toEqual([]);
    expect((await view(queued)).allowed).toEqual(['ask', 'hide', 'delete', 'dismiss']);
    await setAsking('queued');
    // The artist is told of it a day after the mail before.
    place.api.clock.advance(DAY_MS);
    await closeOverdueReports(place.deps());

    expect(await statesIn()).toEqual(['unanswered', 'answered', 'waiting', 'unconfirmed']);
    expect(await statesIn('?list=due')).toEqual(['unanswered', 'answered']);
    expect(await statesIn('?list=asked')).toEqual(['waiting']);
    expect(await statesIn('?list=unconfirmed')).toEqual(['unconfirmed']);
    expect(await statesIn('?list=closed')).toEqual(['dismissed']);
    const { results } = await list();
    expect(results.map(({ is_overdue }) => is_overdue)).toEqual([true, false, false, false]);
    expect(results[2]?.due_at).toBeGreaterThan(place.api.clock.now());
    // Nothing about the reporter.
    expect(JSON.stringify(results)).not.toMatch(new RegExp(`${REPORT.name}|@|${REPORT.relation}|公開した曲`));
    for (const query of ['list=all', 'cursor=x'])
      expect((await place.api.get(`/api/operator/reports/?${query}`, place.staff)).status).toBe(400);
  });

  test('show both sides, who decided, and an address that plays the hidden sound', async () => {
    const email = toReporterEmail();
    const id = await reportSound(place.api, place.sound, { email });
    const other = await reportSound(place.api, place.sound);
    const { version } = await view(id);
    expect((await decide(id, { action: 'hide', version })).status).toBe(200);
    await place.answer(id, '自分で作りました。');
    const report = await view(id);
    expect(report).toMatchObject({
      id,
      state: 'answered-hidden',
      sound: place.sound,
      sound_title: '朝の音',
      artist: place.artistName,
      name: REPORT.name,
      email,
      is_confirmed: true,
      shares_name: false,
      relation: REPORT.relation,
      explanation: REPORT.explanation,
      answer: '自分で作りました。',
      others: 1,
      audio: { is_public: false, is_hidden: true, downloads: 0, favorites: 0 },
      allowed: ['hide', 'delete', 'dismiss'],
      is_own: false,
    });
    expect(report.audio?.url).toBe(`/audio/${place.sound}?signed`);
    const { username } = await getRow(database, 'users', { id: place.staff });
    expect(report.history.map(({ event, reason, by }) => [event, reason, by])).toEqual([
      ['submit', '', null],
      ['confirm', '', null],
      ['tell', '', null],
      ['hide', WHY, username],
      ['answer', '', null],
    ]);
    expect((await view(other)).others).toBe(1);
    await decide(id, { action: 'delete', version: report.version });
    expect(await view(id)).toMatchObject({ state: 'deleted', audio: null, allowed: [], others: 1 });
    // The sound of the other report is gone: it can only be dismissed.
    expect((await view(other)).allowed).toEqual(['dismiss']);
  });

  test('tell the second of two who was first', async () => {
    const id = await reportSound(place.api, place.sound);
    const { version } = await view(id);
    const email = toReporterEmail();
    const second = await createUser(database, { username: '別の運営', email, is_staff: true });
    expect((await decide(id, { action: 'dismiss', version }, second)).status).toBe(200);
    const late = await decide(id, { action: 'delete', version });
    expect([late.status, await late.text()]).toEqual([
      409,
      expect.stringContaining('別の運営 さんが先に対応しないと決めました。'),
    ]);
  });

  test('are not decided on a version that the staff has not seen', async () => {
    const id = await reportSound(place.api, place.sound);
    const { version } = await view(id);
    await place.answer(id);
    const stale = await decide(id, { action: 'hide', version });
    expect([stale.status, await stale.text()]).toEqual([
      409,
      expect.stringContaining('この報告の状態が変わりました'),
    ]);
    expect(await place.stateOf(id)).toBe('answered');
  });

  test('of the caller’s own sounds allow nothing', async () => {
    const id = await reportSound(place.api, place.sound);
    await updateRows(database, 'users', { is_staff: 1 }, { id: place.artist });
    expect(await view(id, place.artist)).toMatchObject({ is_own: true, allowed: [] });
  });

  test('show the reporter, and are decided, only after a password that was given within 15 minutes', async () => {
    const id = await reportSound(place.api, place.sound);
    const { version } = await view(id);
    const authorization = `Bearer ${await place.api.logIn(place.staff)}`;
    const authenticated_at = place.api.clock.now() - DAY_MS / 96 - 1;
    await updateRows(database, 'sessions', { authenticated_at });
    const ask = (path: string) => place.api.app.request(path, { headers: { authorization } });
    expect((await ask('/api/operator/reports/')).status).toBe(200);
    expect((await ask(`/api/operator/reports/${id}/`)).status).toBe(403);
    const body = { action: 'delete', reason: WHY, version };
    const refused = await place.api.post(`/api/operator/reports/${id}/decide/`, body, { authorization });
    expect(refused.status).toBe(403);
    expect(await place.stateOf(id)).toBe('waiting');
  });
});
