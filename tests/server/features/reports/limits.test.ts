import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { OPEN_PER_NETWORK_MAX, OPEN_PER_SOUND_MAX } from '../../../../server/features/reports/limits.ts';
import type { Database } from '../../../../server/platform/database/open.ts';
import { createRateLimits } from '../../../../server/platform/limits/counting.ts';
import { from, readMails } from '../../../support/accounts.ts';
import { createTestApi } from '../../../support/api.ts';
import { everyDatabase } from '../../../support/databases.ts';
import { addSoundOf } from '../../../support/downloads.ts';
import { openReportPlace } from '../../../support/report-place.ts';
import type { ReportPlace } from '../../../support/report-place.ts';
import { sendReport, toReporterEmail } from '../../../support/reports.ts';
describe.each(everyDatabase)('limits of reports on $name', ({ open }) => {
  let database: Database;
  let place: ReportPlace;

  beforeAll(async () => {
    database = await open();
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    place = await openReportPlace(database);
  });

  test('stop one address, one e-mail address and guesses of secrets', async () => {
    const limited = createTestApi(database, { rateLimits: createRateLimits(database) });
    const tryAll = async (count: number, send: (index: number) => Promise<Response>) => {
      const statuses: number[] = [];
      for (let index = 0; index < count; index += 1) statuses.push((await send(index)).status);
      return statuses;
    };
    const fromOne = await tryAll(12, () =>
      sendReport(limited, place.sound, { email: toReporterEmail() }, from('198.51.100.1')),
    );
    expect(fromOne).toEqual([...Array<number>(10).fill(200), 429, 429]);
    const email = toReporterEmail();
    const withOne = await tryAll(12, (index) =>
      sendReport(limited, place.sound, { email }, from(`203.0.113.${index}`)),
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
    const send = (address: string, soundId = place.sound) =>
      sendReport(place.api, soundId, { email: toReporterEmail() }, from(address));
    for (let index = 0; index < OPEN_PER_NETWORK_MAX; index += 1) {
      expect((await send(`192.0.2.${index + 1}`)).status).toBe(200);
    }
    const refused = await send('192.0.2.250');
    expect([refused.status, await refused.json()]).toEqual([
      409,
      { detail: expect.stringContaining('この接続からの報告') },
    ]);
    const other = await addSoundOf(database, place.artist);
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
