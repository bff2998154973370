import { sql } from 'kysely';
import { SITE_FLAGS, SITE_PICTURES } from '../../../contract/operator/site.ts';
import { LICENCE_USES } from '../../../contract/sounds/sound-facts.ts';
import { countOf } from '../doctor/check.ts';
import type { Check } from '../doctor/check.ts';
import { checkRows } from '../doctor/comparison.ts';
import { DECISIONS } from '../doctor/parts.ts';
import { checkTexts, encodedIn, isWordsOf } from '../doctor/stored-texts.ts';
import { wasLast } from '../staff/last-action.ts';

/** What the record of a change says of each setting, as it is now. */
const CURRENT_SETTINGS = sql.join(
  [
    ...SITE_FLAGS.map(
      (flag) =>
        sql`select ${sql.lit(flag)} as name, case ${sql.ref(flag)} when 1 then 'on' else 'off' end as value from site_config`,
    ),
    ...SITE_PICTURES.map(
      (picture) =>
        sql`select ${sql.lit(picture)} as name, coalesce(${sql.ref(picture)}, 'none') as value from site_config`,
    ),
  ],
  sql` union all `,
);
/** Without a row of the site. */
const DEFAULT_SETTING = sql`case recorded.subject
  when 'maintenance_mode' then 'off' when 'allow_register' then 'on' else 'none' end`;

/** What the doctor checks of the settings and pages of the site. */
export const SITE_CHECKS: readonly Check[] = [
  checkRows(DECISIONS, () => [
    {
      kind: 'lost-pages',
      query: sql`select 'page ' || saved.subject as name
        from (select distinct subject from operator_actions where action = 'save page') as saved
        where not exists (select 1 from extra_pages where slug = saved.subject)
          and ${wasLast('save page', 'remove page', 'saved.subject')}`,
      found: (count) => `${countOf(count, 'page')} that the staff wrote is lost.`,
      meaning:
        'Visitors read the text of the product in its place, or nothing. Terms, and the licence in them, may be others than the staff decided.',
      remedy: 'Restore the row of extra_pages from a backup, or write the page again in the console.',
    },
    {
      kind: 'site-settings',
      query: sql`select 'setting ' || recorded.subject as name
        from (select distinct subject from operator_actions where action = 'set site') as recorded
        left join (${CURRENT_SETTINGS}) as current on current.name = recorded.subject
        where coalesce(current.value, ${DEFAULT_SETTING}) <> (select note from operator_actions
          where action = 'set site' and subject = recorded.subject order by at desc, id desc limit 1)`,
      found: (count) => `${countOf(count, 'setting')} of the site is not as the staff last set it.`,
      meaning:
        'The site is open or closed against a decision, or has other pictures. The row of the site may be lost.',
      remedy: 'Set it again in the console, which puts it on record.',
    },
  ]),
  checkTexts(
    encodedIn({ table: 'extra_pages', id: 'slug', columns: { licence_uses: isWordsOf(LICENCE_USES) } }),
  ),
];
