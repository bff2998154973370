import { describe, expect, test } from 'vitest';
import { closeOverdueReports } from '#server/features/reports/deadlines.ts';
import * as limits from '#server/features/reports/limits.ts';
import { getReport, listReports } from '#server/features/reports/staff-view.ts';
import { randomId } from '#server/platform/database/statements/random-id.ts';
import { createRateLimits } from '#server/platform/limits/counting.ts';
import { from, readMails } from '#support/members/accounts.ts';
import { createTestApi } from '#support/http/api.ts';
import { bothDatabases, insertMany, listRows } from '#support/databases/databases.ts';
import { addArtist, addSoundOf } from '#support/sounds/downloads.ts';
import { OPERATOR, WHY, useReportPlace } from '#support/members/report-place.ts';
import {
  confirmWith,
  readSecret,
  reportSound,
  sendReport,
  toReporterEmail,
} from '#support/members/reports.ts';
import { everyTable } from '#server/platform/database/schema.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

describe.each(bothDatabases)('floods of reports on $name', ({ open, rule }) => {
  const { database, place } = useReportPlace(open);

  const send = async (address: string, changes: object = {}) => {
    place.api.clock.advance(1);
    const response = await sendReport(
      place.api,
      place.sound,
      { email: toReporterEmail(), ...changes },
      from(address),
    );
    return response.status;
  };
  const listUnconfirmed = () =>
    everyTable(database.db)
      .selectFrom('reports')
      .select(['id', 'name'])
      .where('state', '=', 'unconfirmed')
      .orderBy('created_at')
      .execute();
  /** A confirmed report from a network of its own. */
  let networks = 0;
  const report = async (email: string, soundId = place.sound) => {
    networks += 1;
    const address = from(`10.${networks >> 8}.${networks & 255}.1`);
    const response = await sendReport(place.api, soundId, { email }, address);
    expect(response.status).toBe(200);
    return (await confirmWith(place.api, await readSecret(database, email))).id;
  };
  const runJobs = () => closeOverdueReports(place.deps());
  const heldOf = async () => (await listReports(place.deps(), { state: 'held' })).reports.map(({ id }) => id);

  rule('stop one address and one e-mail address', async () => {
    const limited = createTestApi(database, { rateLimits: createRateLimits(database) });
    const tryAll = async (count: number, call: (index: number) => Promise<Response>) => {
      const statuses: number[] = [];
      for (let index = 0; index < count; index += 1) statuses.push((await call(index)).status);
      return statuses;
    };
    const fromOne = await tryAll(12, () =>
      sendReport(limited, place.sound, { email: toReporterEmail() }, from('198.51.100.1')),
    );
    expect(fromOne).toEqual([...Array<number>(10).fill(200), 429, 429]);
    // Whoever enters an address mails it.
    const email = toReporterEmail();
    const withOne = await tryAll(7, (index) =>
      sendReport(limited, place.sound, { email }, from(`203.0.113.${index}`)),
    );
    expect(withOne).toEqual([...Array<number>(5).fill(200), 429, 429]);
    const fromOthers = await tryAll(16, (index) =>
      sendReport(limited, place.sound, { email }, from(`203.0.${index}.1`)),
    );
    expect(fromOthers).toEqual([...Array<number>(15).fill(200), 429]);
    expect(await readMails(database, email)).toHaveLength(20);
  });

  rule('W21: unconfirmed reports of a sound, from any number of addresses, refuse nobody', async () => {
    for (let index = 0; index < 60; index += 1) {
      expect(await send(`198.51.${index % 6}.7`, { name: '偽の名前' })).toBe(200);
    }
    const email = 'owner@rights.example.test';
    expect(await send('203.0.113.5', { email })).toBe(200);
    const confirmed = await confirmWith(place.api, await readSecret(database, email));
    expect(confirmed.state).toBe('waiting');
    expect(await place.own()).toMatchObject([{ id: confirmed.id, can_answer: true }]);
  });

  rule('W21: a network stores a bounded number, and its busiest address loses the oldest', async () => {
    expect(await send('192.0.2.200', { name: '隣の人' })).toBe(200);
    for (let index = 0; index < 3 * limits.UNCONFIRMED_PER_NETWORK_MAX; index += 1) {
      expect(await send(`192.0.2.${index % 4}`, { name: `偽${index}` })).toBe(200);
    }
    const stored = await listUnconfirmed();
    expect(stored).toHaveLength(limits.UNCONFIRMED_PER_NETWORK_MAX);
    expect(stored.map(({ name }) => name)).toEqual(['隣の人', ...stored.slice(1).map(({ name }) => name)]);
    expect(stored.at(-1)?.name).toBe(`偽${3 * limits.UNCONFIRMED_PER_NETWORK_MAX - 1}`);
    expect(await send('192.0.2.201')).toBe(200);
    expect((await listUnconfirmed())[0]?.name).toBe('隣の人');
  });

  rule('W21: all networks store a bounded number; the busiest one loses the oldest', async () => {
    const row = (index: number, network: string) => ({
      id: randomId(),
      sound_id: place.sound,
      sound_title: '',
      artist_id: place.artist,
      reason: 'other' as const,
      name: `${network}${index}`,
      email: '',
      email_key: '',
      explanation: '',
      shares_name: 0 as const,
      network,
      secret_hash: randomId(),
      // A lapsed report is stored for a month.
      state: index % 2 === 0 ? ('lapsed' as const) : ('unconfirmed' as const),
      due_at: null,
      created_at: index,
      updated_at: index,
    });
    const rows = Array.from({ length: limits.UNCONFIRMED_MAX }, (_, index) =>
      row(index, index % 3 === 0 ? 'small' : 'large'),
    );
    await insertMany(database, 'reports', rows);
    expect(await send('203.0.113.9')).toBe(200);
    const { total } = await everyTable(database.db)
      .selectFrom('reports')
      .select(({ fn }) => fn.countAll<number | string>().as('total'))
      .executeTakeFirstOrThrow();
    expect(Number(total)).toBe(limits.UNCONFIRMED_MAX);
    const names = (await listRows(database, 'reports', {}, ['name'])).map(({ name }) => name);
    expect(names).not.toContain('large1');
    expect(names).toContain('large2');
    expect(names).toContain('small0');
  });

  test('W22: of a flood from one mail domain an artist hears a few reports, in one mail a day', async () => {
    const ids: string[] = [];
    for (let index = 0; index < 60; index += 1)
      ids.push(await report(`false-${index}@a${index}.flood.co.jp`));
    expect(await heldOf()).toEqual(ids.slice(limits.NOTIFIED_PER_DOMAIN_MAX));
    expect(await place.subjectsTo(place.artistEmail)).toEqual(['サウンドについて報告が届きました']);
    expect((await place.own()).map(({ id }) => id)).toEqual([ids[0]]);
    // The staff hears of the first report and of the first held one.
    expect(await place.subjectsTo(OPERATOR)).toEqual([
      'サウンドの報告が届きました',
      'サウンドの報告を保留しています',
    ]);
    place.api.clock.advance(DAY_MS - HOUR_MS);
    await runJobs();
    expect(await place.own()).toHaveLength(1);
    place.api.clock.advance(HOUR_MS);
    await Promise.all([runJobs(), runJobs()]);
    expect((await place.own()).map(({ id }) => id).toSorted()).toEqual(
      ids.slice(0, limits.NOTIFIED_PER_DOMAIN_MAX).toSorted(),
    );
    expect(await place.subjectsTo(place.artistEmail)).toEqual([
      'サウンドについて報告が届きました',
      'サウンドについて報告が4件届きました',
    ]);
    // The next day nothing is left to tell.
    place.api.clock.advance(2 * DAY_MS);
    await runJobs();
    expect(await place.subjectsTo(place.artistEmail)).toHaveLength(2);
    // The deadlines pass in one mail, too.
    place.api.clock.advance(20 * DAY_MS);
    await runJobs();
    expect((await place.subjectsTo(place.artistEmail)).slice(2)).toEqual([
      '報告5件への回答の期限が過ぎました',
    ]);
    expect(await place.stateOf(ids.at(-1) ?? '')).toBe('waiting');
  });

  rule('W22: a flood from one domain of com.au does not hold the reports of another', async () => {
    for (let index = 0; index < limits.NOTIFIED_PER_DOMAIN_MAX; index += 1)
      await report(`x${index}@a${index}.flood.com.au`);
    await report('honest@other.com.au');
    expect(await heldOf()).toEqual([]);
    const held = await report('y@b.flood.com.au');
    expect(await heldOf()).toEqual([held]);
  });

  rule('W22: an honest reporter with the same domain or a new one is accepted all the same', async () => {
    for (let index = 0; index < limits.NOTIFIED_PER_DOMAIN_MAX; index += 1)
      await report(`x${index}@mail.example.org`);
    const held = await report('honest@mail.example.org');
    expect((await place.subjectsTo('honest@mail.example.org')).at(-1)).toBe('ご報告を確定しました');
    const other = await report('honest@other.example.com');
    expect(await heldOf()).toEqual([held]);
    // Another artist is told at once.
    const { artistId, soundId } = await addArtist(database);
    const elsewhere = await report('second@mail.example.org', soundId);
    expect(await place.api.json('/api/account/reports/', artistId)).toMatchObject([{ id: elsewhere }]);
    // The staff wants an answer to the held one: it is in the next mail, with a whole week.
    await place.decide(held, 'ask');
    expect(await heldOf()).toEqual([]);
    expect((await getReport(place.deps(), held)).due_at).toBeNull();
    place.api.clock.advance(DAY_MS);
    await runJobs();
    const own = await place.own();
    expect(own.map(({ id }) => id)).toEqual(expect.arrayContaining([held, other]));
    // 2 April in Japan: seven whole days after that day.
    expect(own.find(({ id }) => id === held)).toMatchObject({ due_at: '2026-04-09T14:59:59.999Z' });
    expect((await place.subjectsTo('honest@mail.example.org')).at(-1)).toBe('ご報告を投稿者に知らせました');
  });

  rule('W22: many domains fill an artist’s list up to its bound, one network only its own', async () => {
    for (let index = 0; index < limits.NOTIFIED_PER_ARTIST_MAX; index += 1)
      await report(`x@d${index}.example`);
    const beyond = await report('x@one-more.example');
    expect(await heldOf()).toEqual([beyond]);
    const others: string[] = [];
    for (let index = 0; index <= limits.NOTIFIED_PER_NETWORK_MAX; index += 1) {
      const { soundId } = await addArtist(database);
      const email = `x@n${index}.example`;
      await sendReport(place.api, soundId, { email }, from(`198.51.100.${index}`));
      others.push((await confirmWith(place.api, await readSecret(database, email))).id);
    }
    expect(await heldOf()).toEqual([beyond, others.at(-1)]);
  });

  rule('W22: an artist learns of a held report only if it hides the sound', async () => {
    for (let index = 0; index < limits.NOTIFIED_PER_DOMAIN_MAX; index += 1)
      await report(`x${index}@flood.example`);
    const first = await report('x8@flood.example');
    const second = await report('x9@flood.example');
    const before = await place.subjectsTo(place.artistEmail);
    await place.decide(first, 'dismiss');
    expect(await place.subjectsTo(place.artistEmail)).toEqual(before);
    expect((await place.answer(second)).status).toBe(404);
    await place.decide(second, 'hide');
    const [mail] = (await readMails(database, place.artistEmail)).slice(-1);
    expect(mail?.subject).toContain('サウンドを非公開にしました');
    expect(mail?.text).toContain('回答の期限: 2026年4月8日 23:59（日本時間）');
    expect((await place.own()).map(({ id }) => id)).toContain(second);
    expect(JSON.stringify(await place.own())).not.toContain(first);
    expect((await place.answer(second)).status).toBe(200);
    await expect(place.decide(second, 'ask')).rejects.toMatchObject({ status: 409 });
  });

  test('an artist answers several reports at once, each of them once', async () => {
    const email = toReporterEmail();
    const first = await report(email);
    const second = await report(toReporterEmail(), await addSoundOf(database, place.artist));
    place.api.clock.advance(DAY_MS);
    await runJobs();
    const answer = async (ids: readonly string[], text = '自作です。', who = place.artist) => {
      place.api.clock.advance(1);
      const response = await place.api.post('/api/account/report-answers/', { ids, text }, who);
      return { status: response.status, body: (await response.json()) as Record<string, unknown> };
    };
    const { artistId } = await addArtist(database);
    expect((await answer([first, second], '別人', artistId)).status).toBe(404);
    expect((await answer([first, 'nothing'])).status).toBe(404);
    expect((await answer([first, second], '\u3164')).body).toEqual({ text: '回答を入力してください。' });
    expect((await answer([])).body).toEqual({ ids: '回答する報告を選んでください。' });
    expect((await answer(Array.from({ length: 101 }, () => first))).status).toBe(400);
    expect((await getReport(place.deps(), first)).state).toBe('waiting');
    const mails = (await place.subjectsTo(OPERATOR)).length;

    const { status, body } = await answer([second, first, first]);
    expect(status).toBe(200);
    expect(body).toHaveLength(2);
    for (const id of [first, second]) {
      expect(await getReport(place.deps(), id)).toMatchObject({ state: 'answered', answer: '自作です。' });
    }
    expect((await place.subjectsTo(OPERATOR)).slice(mails)).toEqual(['報告に投稿者が回答しました']);
    expect((await answer([first, second], '二度目')).status).toBe(409);
    const third = await reportSound(place.api, await addSoundOf(database, place.artist));
    place.api.clock.advance(DAY_MS);
    await runJobs();
    expect((await answer([first, third], '三つ目')).status).toBe(200);
    expect((await getReport(place.deps(), first)).answer).toBe('自作です。');
    expect((await getReport(place.deps(), third)).answer).toBe('三つ目');
    await place.decide(third, 'dismiss');
    expect((await getReport(place.deps(), third)).history.at(-1)).toMatchObject({ reason: WHY });
  });
});
