import { sql } from 'kysely';
import type { RichSite } from '../rich-site.ts';
import { DAY_MS } from '../doctor.ts';
import { type Damage, BOTH } from './damage.ts';

const changeSound = (site: RichSite, change: string, of: 'sound' | 'draft' = 'sound') =>
  site.run(`update sounds set ${change} where seq = ${site[of].seq}`);

const OTHER_PASSWORD = `$argon2id$v=19$m=47104,t=1,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`;

const COUNT_DAMAGES: readonly Damage[] = [
  {
    name: 'the number of favourites of a sound changes',
    on: BOTH,
    plant: (site) => changeSound(site, 'favorite_count = 900'),
    finds: { counters: ['wrong'], 'search index': ['outdated'] },
    fix: 'sets it to the number of rows, which the popularity confirms',
  },
  {
    name: 'rows of favourites are lost',
    plant: (site) => site.run('delete from favorites'),
    finds: { counters: ['doubtful'] },
  },
  {
    name: 'the popularity of a sound changes',
    plant: (site) => changeSound(site, 'popularity = 900'),
    finds: { counters: ['wrong'], 'search index': ['outdated'] },
    fix: 'computes it again from counts that their rows confirm',
  },
  {
    name: 'the number of downloads of a sound changes while all of their rows exist',
    plant: (site) => changeSound(site, 'download_count = 900'),
    finds: { counters: ['wrong'], 'search index': ['outdated'] },
    fix: 'sets it to the number of rows, which the popularity confirms',
  },
  {
    name: 'the number of downloads of a sound changes after old rows were deleted',
    plant: (site) => changeSound(site, 'download_count = 6', 'draft'),
    finds: { counters: ['doubtful'] },
  },
  {
    name: 'the number of downloads of a sound is less than that of its rows',
    plant: (site) => changeSound(site, 'download_count = 0, popularity = 21', 'draft'),
    finds: { counters: ['doubtful'], 'search index': ['outdated'] },
    fix: 'indexes it; the number stays',
    left: { counters: ['doubtful'] },
  },
  {
    name: 'the number of downloads of a sound and its popularity rise together after old rows were deleted',
    plant: (site) => changeSound(site, 'download_count = 6, popularity = 27', 'draft'),
    finds: {},
    outOfReach: 'refused downloads are counted, and their rows deleted after `CREDIT_REPEAT_DAYS`',
  },
  {
    name: 'rows of credited downloads are lost',
    plant: (site) => site.run(`delete from download_credits where id = 'one'`),
    finds: { ledger: ['inconsistent'], counters: ['doubtful', 'artist-days'] },
  },
  {
    name: 'the credits of a day of an artist change',
    on: BOTH,
    plant: (site) => site.run('update download_counts set credits = 50'),
    finds: { counters: ['artist-days'] },
  },
  {
    name: 'the copied counts in the search index of PostgreSQL differ',
    on: ['postgres'],
    plant: (site) => site.run('update sound_search set download_count = 900'),
    finds: { 'search index': ['outdated'] },
    fix: 'copies them again',
  },
];

const LEDGER_DAMAGES: readonly Damage[] = [
  {
    name: 'a balance changes',
    on: BOTH,
    plant: (site) => site.run(`update ledger_accounts set balance = balance + 1 where id = 'rewards'`),
    finds: { ledger: ['inconsistent'] },
  },
  {
    name: `a month's earnings change`,
    plant: (site) => site.run('update artist_months set reward_yen = reward_yen + 1'),
    finds: { ledger: ['inconsistent'] },
  },
  {
    name: `a day's earnings are lost`,
    plant: (site) => site.run('delete from artist_days'),
    finds: { ledger: ['inconsistent'] },
  },
  {
    name: 'an entry of the ledger is deleted',
    async plant(site) {
      const { rows } = await sql<{ sql: string }>`
        select sql from sqlite_schema where name = 'ledger_entries_no_delete'`.execute(site.database.db);
      await site.run(
        'drop trigger ledger_entries_no_delete',
        'delete from ledger_entries',
        rows[0]?.sql ?? '',
      );
    },
    finds: { ledger: ['inconsistent'] },
  },
  {
    name: 'an entry of the ledger moves to another month, with its sums',
    async plant(site) {
      const { rows } = await sql<{ sql: string }>`
        select sql from sqlite_schema where name = 'ledger_entries_no_update'`.execute(site.database.db);
      await site.run(
        'drop trigger ledger_entries_no_update',
        `update ledger_entries set month = '2031-01'`,
        `update artist_months set month = '2031-01'`,
        rows[0]?.sql ?? '',
      );
    },
    finds: { ledger: ['inconsistent'] },
  },
  {
    name: 'an entry of the record of staff actions is deleted',
    async plant(site) {
      await site.run(
        `insert into operator_actions (id, staff_id, action, subject, at) values ('a', null, 'x', 'y', ${Date.now()})`,
      );
      const { rows } = await sql<{ sql: string }>`
        select sql from sqlite_schema where name = 'operator_actions_no_delete'`.execute(site.database.db);
      await site.run(
        'drop trigger operator_actions_no_delete',
        `delete from operator_actions where id = 'a'`,
        rows[0]?.sql ?? '',
      );
    },
    finds: {},
    outOfReach: 'nothing refers to an entry',
  },
];

const RECORD_DAMAGES: readonly Damage[] = [
  {
    name: 'the key of a username changes',
    on: BOTH,
    plant: (site) => site.run(`update users set username_key = 'other' where username = 'artist'`),
    finds: { records: ['keys'] },
  },
  {
    name: 'the e-mail address of a member changes, but not its key',
    plant: (site) => site.run(`update users set email = 'x@example.test' where username = 'artist'`),
    finds: { records: ['keys'] },
  },
  {
    name: 'the password of a member changes',
    plant: (site) =>
      site.run(`update users set password_hash = '${OTHER_PASSWORD}' where username = 'artist'`),
    finds: {},
    outOfReach: 'it is stored once',
  },
  {
    name: 'the password of a member is emptied',
    on: BOTH,
    plant: (site) => site.run(`update users set password_hash = '' where username = 'artist'`),
    finds: { records: ['passwords'] },
  },
  {
    name: 'a hidden sound is public',
    on: BOTH,
    plant: (site) => changeSound(site, `hidden_reason = 'claim'`),
    finds: { records: ['public-takedowns'] },
  },
  {
    name: 'the sounds of a suspended member are public',
    plant: (site) =>
      site.run(`update users set is_blocked = 1, suspension_reason = 'claim' where username = 'artist'`),
    finds: { records: ['public-takedowns'] },
  },
  {
    name: 'a submission waits, but its member is not marked',
    on: BOTH,
    plant: (site) => site.run(`update users set status = '', personal_info_status = ''`),
    finds: { records: ['unmarked-submissions'] },
  },
  {
    name: 'a member is marked as waiting, but the submission is lost',
    plant: (site) => site.run(`update users set status = 'pending' where username = 'artist'`),
    finds: { submissions: ['lost-submissions'] },
  },
  {
    name: 'a member is verified by an ID that was never confirmed',
    on: BOTH,
    plant: (site) => site.run(`update users set is_personal_info_verified = 1 where username = 'artist'`),
    finds: { records: ['unverified-members'] },
  },
  {
    name: 'the state of a report changes',
    on: BOTH,
    plant: (site) => site.run(`update reports set state = 'hidden'`),
    finds: { records: ['report-states'] },
  },
  {
    name: 'a certificate changes',
    on: BOTH,
    plant: (site) => site.run(`update certificates set body = '{"id":"other"}'`),
    finds: { certificates: ['altered'] },
  },
  {
    name: 'the public key of certificates is lost',
    plant: (site) => site.run('delete from certificate_keys'),
    finds: { certificates: ['altered'] },
  },
  {
    name: 'the terms of use of certificates change',
    plant: (site) => site.run(`update licences set body = 'other'`),
    finds: { certificates: ['altered'] },
  },
  {
    name: 'the search index loses a sound',
    plant: ({ database, sound }) => database.search.remove(database.db, sound.seq),
    finds: { 'search index': ['missing'] },
    fix: 'indexes it again',
  },
  {
    name: 'the search index has a sound that does not exist',
    plant: ({ database }) => database.search.put(database.db, 9_000, ['xあ']),
    finds: { 'search index': ['orphaned'] },
    fix: 'removes it',
  },
  {
    name: 'the title of a sound changes',
    plant: (site) => changeSound(site, `title = '別の題'`),
    finds: { 'search index': ['outdated'] },
    fix: 'indexes the new one: it does not know which is right',
  },
  {
    name: 'the row of a sound is deleted',
    plant: (site) => site.run(`delete from sounds where seq = ${site.draft.seq}`),
    finds: { 'search index': ['orphaned'] },
    fix: 'removes it from the search index; its file is reported a day later',
  },
  {
    name: 'rows have times in the future',
    plant: (site) => changeSound(site, `created_at = ${Date.now() + DAY_MS}`),
    finds: { clock: ['future-rows'] },
  },
  {
    name: 'personal data of a deleted member remains',
    plant: (site) => site.run(`update users set deleted_at = ${Date.now()} where username = 'fan'`),
    finds: { records: ['unerased-members'] },
  },
  {
    name: 'a report loses its deadline',
    plant: (site) => site.run(`update reports set due_at = null`),
    finds: { records: ['undated-reports'] },
  },
  {
    name: 'a picture in use is marked as replaced',
    on: BOTH,
    plant: (site) =>
      site.run(`insert into retired_pictures (picture_key, kind, retired_at)
        values ('${site.pictureKey}', 'avatar', ${Date.now()})`),
    finds: { records: ['doomed-pictures'] },
  },
  {
    name: 'an account is not deleted two months after its member asked',
    plant: (site) =>
      site.run(`update users set deletion_requested_at = ${Date.now() - 60 * DAY_MS} where username = 'fan'`),
    finds: { 'overdue work': ['undone'] },
  },
  {
    name: 'the files of a decided ID remain',
    async plant(site) {
      await site.run(
        `update personal_info_submissions set state = 'approved', decided_at = ${Date.now() - 9 * DAY_MS}`,
        `update users set personal_info_status = 'confirmed', is_personal_info_verified = 1 where username = 'fan'`,
      );
    },
    finds: { submissions: ['undeleted-submissions'] },
    fix: 'deletes them',
  },
  {
    name: 'a process ended while it decoded a sound',
    plant: (site) =>
      site.run(
        `update undecoded_sounds set lease_id = 'dead', not_before = ${Date.now() - DAY_MS} where sound_seq = ${site.sound.seq}`,
      ),
    finds: { uploads: ['stuck-leases'] },
    fix: 'releases it',
  },
];

export const ROW_DAMAGES: readonly Damage[] = [...COUNT_DAMAGES, ...LEDGER_DAMAGES, ...RECORD_DAMAGES];
