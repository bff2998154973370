import { expect, it } from 'vitest';
import { toDay } from '#contract/values/months.ts';
import { withDatabaseOf } from '#support/http/host.ts';
import { expectAccessible } from '../support/axe.ts';
import { expectNarrowTable, useConsole } from '../support/console.ts';
import { everyTable } from '#server/platform/database/schema.ts';

const { site, openConsole } = useConsole();

it('the overview shows weeks and months as charts and as a table', async () => {
  const today = toDay(Date.now());
  await withDatabaseOf(site.dataDir, ({ db }) =>
    everyTable(db)
      .insertInto('download_counts')
      .values(
        Array.from({ length: 90 }, (_, ago) => ({
          subject: 'site',
          day: today - 1 - ago,
          downloads: 0,
          counted: 40 + ((ago * 37) % 50),
          credits: 30,
        })),
      )
      .execute(),
  );
  const page = await openConsole('/operator');
  const trends = page.getByRole('region', { name: '推移' });
  await trends
    .getByText(/^先週 /)
    .first()
    .waitFor();
  await trends.getByRole('button', { name: '月ごと' }).press('Enter');
  await trends.getByText(/^先月 [12],\d{3}回$/).waitFor();
  await trends.getByText('表で見る').click();
  expect(await trends.getByRole('row').count()).toBe(13);
  await expectAccessible(page);
  await expectNarrowTable(page);
});
