import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { StaffActionName } from '../../../../contract/operator/action-texts.ts';
import { SITE_FLAGS, SITE_PICTURES } from '../../../../contract/operator/site.ts';
import { countOf } from '../check.ts';
import type { Check } from '../check.ts';
import { SET_RIGHT, compareRows } from '../comparison.ts';
import type { Comparison } from '../comparison.ts';

/**
 * Rights, takedowns and pages that are not as the last action of the staff left them. The record of actions is
 * append-only, so that it proves what a row can only state.
 */
export const decisions: Check = {
  name: 'decisions',
  priority: 'critical',
  consoleText: null,
  run: async (site) => compareRows((await site.openDatabase()).db, COMPARISONS),
};

/** Whether `action` is on record for the subject, and the newer of it and of `undo`. */
function wasLast(action: StaffActionName, undo: StaffActionName, subject: string): RawBuilder<boolean> {
  return sql<boolean>`(select action from operator_actions
    where subject = ${sql.ref(subject)} and action in (${sql.lit(action)}, ${sql.lit(undo)})
    order by at desc, id desc limit 1) = ${sql.lit(action)}`;
}

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

const COMPARISONS: readonly Comparison[] = [
  {
    kind: 'unrecorded-staff',
    query: sql`select 'member ' || users.id as name from users
      where is_staff = 1 and (${wasLast('make staff', 'remove staff', 'users.id')}) is not true`,
    found: (count) => `${countOf(count, 'member')} is staff, and no action made them so.`,
    meaning:
      'They can decide about members, sounds and money. Someone may have given them the right in the database.',
    remedy:
      'If nobody knows why, remove the right: "npm run operator -- members remove-staff". Otherwise give it again after that, which puts it on record.',
  },
  {
    kind: 'lifted-blocks',
    query: sql`select 'member ' || users.id as name from users where deleted_at is null and (
      suspension_reason is null and ${wasLast('suspend member', 'unsuspend member', 'users.id')}
      or is_blocked = 0 and ${wasLast('block member', 'unblock member', 'users.id')})`,
    found: (count) =>
      `${countOf(count, 'member')} was blocked or suspended by the staff and is not any more.`,
    meaning: 'They can publish and be paid again, and no action of the staff allowed it.',
    remedy: 'Block or suspend the member again in the console; ending it there puts the end on record.',
  },
  {
    kind: 'lifted-takedowns',
    query: sql`select 'sound ' || sounds.id as name from sounds
      where deleted_at is null and hidden_reason is null and ${wasLast('hide sound', 'unhide sound', 'sounds.id')}`,
    found: (count) => `${countOf(count, 'sound')} was hidden by the staff and is not any more.`,
    meaning: 'Its artist can publish it, and no action of the staff allowed it.',
    remedy: 'Hide the sound again in the console; showing it there puts that on record.',
  },
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
  {
    kind: 'other-artists',
    // From the other tables, which have no index for the reverse; union leaves each sound once.
    query: sql`select 'sound ' || sounds.id as name from download_credits as other
        join sounds on sounds.id = other.sound_id where other.artist_id <> sounds.artist_id
      union select 'sound ' || sounds.id from sound_changes as other
        join sounds on sounds.seq = other.sound_seq where other.artist_id <> sounds.artist_id
      union select 'sound ' || sounds.id from reports as other
        join sounds on sounds.id = other.sound_id where other.artist_id <> sounds.artist_id
      union select 'sound ' || sounds.id from resumable_uploads as other
        join sounds on sounds.id = other.sound_id where other.user_id <> sounds.artist_id`,
    found: (count) => `${countOf(count, 'sound')} has downloads, changes or reports of another artist.`,
    meaning: 'Someone has given it to another artist in the database. That artist earns from now on.',
    remedy: SET_RIGHT,
  },
];
