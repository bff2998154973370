import { sql } from 'kysely';
import { SITE_PICTURES } from '../../../contract/operator/site.ts';
import { countOf } from '../doctor/check.ts';
import type { Check } from '../doctor/check.ts';
import { checkRows } from '../doctor/comparison.ts';
import { RECORDS } from '../doctor/parts.ts';

/** What the doctor checks of pictures that are about to be deleted. */
export const PICTURE_CHECKS: readonly Check[] = [
  checkRows(RECORDS, () => [
    {
      kind: 'doomed-pictures',
      // Those of sounds are looked up before they are deleted.
      query: sql`select 'picture ' || picture_key as name from retired_pictures where picture_key in (
        select picture_key from users where picture_key is not null
        union all select background_key from users where background_key is not null
        ${sql.join(
          SITE_PICTURES.map(
            (picture) =>
              sql`union all select ${sql.ref(picture)} from site_config where ${sql.ref(picture)} is not null`,
          ),
          sql` `,
        )})`,
      found: (count) => `${countOf(count, 'picture', 'is')} in use, and the server is about to delete it.`,
      meaning: 'Older rows of members or of the site were restored; the files go within an hour.',
      remedy: 'Stop the server, delete these rows of the table retired_pictures, and start it again.',
    },
  ]),
];
