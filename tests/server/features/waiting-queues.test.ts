import { describe, expect, test } from 'vitest';
import { QUEUES, QUEUE_COUNT_MAX } from '#contract/operator/operator.ts';
import { FEATURES } from '#server/features.ts';
import { readQueues } from '#server/features/waiting-queues.ts';
import { useDatabaseOnce } from '#support/databases/use-database.ts';
import { getRow, ruleDatabases, updateRows } from '#support/databases/databases.ts';
import { openReportPlace } from '#support/members/report-place.ts';
import { reportSound } from '#support/members/reports.ts';
import { everyTable } from '#server/platform/database/schema.ts';

const CHUNK = 500;

describe.each(ruleDatabases)('the queues on $name', ({ open }) => {
  const database = useDatabaseOnce(open);

  const find = async (wanted: string) =>
    (await readQueues(database.db, FEATURES)).find(({ name }) => name === wanted);

  test('are declared once each, and read in the order of the contract', async () => {
    expect((await readQueues(database.db, FEATURES)).map(({ name }) => name)).toEqual(QUEUES);
  });

  test('are counted up to 10,000, with the age of the oldest', async () => {
    const mail = {
      to_address: 'a@example.test',
      reply_to: null,
      subject: '',
      text: '',
      html: '',
      finished_at: null,
    };
    for (let from = 0; from <= QUEUE_COUNT_MAX; from += CHUNK) {
      const rows = Array.from({ length: CHUNK }, (_, index) => ({
        ...mail,
        id: `mail${from + index}`,
        state: 'given-up' as const,
        created_at: 1_000 + from + index,
        next_attempt_at: 1_000 + from + index,
      }));
      await everyTable(database.db).insertInto('mail_outbox').values(rows).execute();
    }
    expect(await find('failed-mails')).toEqual({
      name: 'failed-mails',
      count: QUEUE_COUNT_MAX,
      oldest_at: 1_000,
    });
    expect(await find('credits')).toEqual({ name: 'credits', count: 0, oldest_at: null });
  });

  test('of reports hold those that were answered or are overdue, or that the staff lets the artist know of', async () => {
    const place = await openReportPlace(database);
    const [oldest, second] = [
      await reportSound(place.api, place.sound),
      await reportSound(place.api, place.sound),
    ];
    await reportSound(place.api, place.sound);
    expect(await find('reports')).toMatchObject({ count: 0 });
    // The artist was told of the first only; the others are in the next mail.
    await place.answer(oldest);
    await updateRows(database, 'reports', { state: 'unanswered-hidden' }, { id: second });
    const { created_at } = await getRow(database, 'reports', { id: oldest });
    expect(await find('reports')).toEqual({ name: 'reports', count: 2, oldest_at: Number(created_at) });
    await updateRows(database, 'reports', { asking: 'held', created_at: 1 }, { state: 'waiting' });
    expect(await find('reports')).toEqual({ name: 'reports', count: 3, oldest_at: 1 });
  });
});
