import { sql } from 'kysely';
import { DAY_MS } from '../../../contract/values/time-units.ts';
import { INCOMING_MS_MAX } from '../../platform/storage/port.ts';
import { EXPIRED_MS } from './uploads/leftovers.ts';
import { releaseExpiredLeases } from './decoding-queries.ts';
import { Tally, countOf } from '../doctor/check.ts';
import type { Check } from '../doctor/check.ts';
import { SET_RIGHT, checkRows } from '../doctor/comparison.ts';
import { DECISIONS, OVERDUE, UNDONE } from '../doctor/parts.ts';
import { checkTexts, encodedIn, isObject } from '../doctor/stored-texts.ts';
import { SOUND_GRACE_DAYS } from '../catalogue/sound-rows.ts';
import { own } from './tables.ts';

/** A running server removes what is left over once an hour. */
const OVERDUE_MS = 2 * INCOMING_MS_MAX;
/** A server renews its lease every twenty seconds, and looks for expired ones every five. */
const LEASE_OVERDUE_MS = OVERDUE_MS;
const COUNTED_MAX = 1_000;

const uploads: Check = {
  name: 'uploads',
  priority: 'warning',
  stage: 'quick',
  consoleText: '止まったアップロードがあります',
  async run(site) {
    const { db } = await site.openDatabase();
    const nowMs = site.clock.now();
    const [expired, files, leases, unreadable] = [new Tally(), new Tally(), new Tally(), new Tally()];
    const oldUploads = await own(db)
      .selectFrom('resumable_uploads')
      .select('id')
      .where('created_at', '<', nowMs - EXPIRED_MS - OVERDUE_MS)
      .limit(COUNTED_MAX)
      .execute();
    for (const { id } of oldUploads) expired.add(id);
    for (const state of ['incoming', 'removed'] as const) {
      const rows = await own(db)
        .selectFrom('unclaimed_files')
        .select('file_key')
        .where('state', '=', state)
        .where('state_since', '<', nowMs - INCOMING_MS_MAX - OVERDUE_MS)
        .limit(COUNTED_MAX)
        .execute();
      for (const { file_key } of rows) files.add(file_key);
    }
    const pieces = await own(db)
      .selectFrom('upload_pieces')
      .select('id')
      .where('state', '<>', 'received')
      .where('state_since', '<', nowMs - INCOMING_MS_MAX - OVERDUE_MS)
      .limit(COUNTED_MAX)
      .execute();
    for (const { id } of pieces) files.add(`piece ${id}`);
    const undecoded = own(db)
      .selectFrom('undecoded_sounds')
      .innerJoin('sounds', 'sounds.seq', 'undecoded_sounds.sound_seq')
      .select('sounds.id')
      .orderBy('undecoded_sounds.sound_seq')
      .limit(COUNTED_MAX);
    for (const { id } of await undecoded.where('state', '=', 'failed').execute()) unreadable.add(id);
    const leased = undecoded.where('lease_id', 'is not', null);
    const overdue = await leased.where('not_before', '<', nowMs - LEASE_OVERDUE_MS).execute();
    for (const { id } of overdue) leases.add(id);
    return [
      ...expired.diagnose({
        kind: 'expired-uploads',
        found: (count) => `${countOf(count, 'unfinished upload')} should have been removed.`,
        meaning: 'They take room on the disk. The hourly jobs of the server do not run, or fail.',
        remedy: 'Start the server; if it is running, look for "a scheduled job failed" in its log.',
      }),
      ...files.diagnose({
        kind: 'undeleted-files',
        found: (count) =>
          `${countOf(count, 'file')} of deleted sounds, or of uploads that have ended, should have been deleted.`,
        meaning:
          'They take room on the disk. The hourly jobs of the server do not run, or the storage refuses to delete.',
        remedy: 'Start the server; if it is running, look for "could not be deleted" in its log.',
      }),
      ...leases.diagnose({
        kind: 'stuck-leases',
        found: (count) =>
          `The decoding of ${countOf(count, 'sound')} is reserved for a process that has ended.`,
        meaning: 'These sounds may have no waveform and no measured loudness yet.',
        remedy: 'A running server takes them over within seconds (--fix releases them at once).',
        fix: async ({ database, clock }) =>
          `released ${countOf(await releaseExpiredLeases(database.db, clock.now() - LEASE_OVERDUE_MS), 'lease')}`,
      }),
      ...unreadable.diagnose({
        kind: 'unreadable-sounds',
        found: (count) => `${countOf(count, 'sound')} could not be decoded.`,
        meaning:
          'They have no waveform, or lack measurements. Their file may be damaged or missing, or the decoder fails with it.',
        remedy:
          'Listen to them; "missing files" and "altered files" tell whether the file is as it was uploaded.',
      }),
    ];
  },
};

/** What the doctor checks of uploads, and of what artists do with their sounds. */
export const MY_SOUND_CHECKS: readonly Check[] = [
  uploads,
  checkRows(OVERDUE, (nowMs) => [
    {
      ...UNDONE,
      query: sql`select 'delete sound ' || id as name from sounds
        where deleted_at < ${nowMs - (SOUND_GRACE_DAYS + 1) * DAY_MS}`,
    },
  ]),
  checkRows(DECISIONS, () => [
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
  ]),
  checkTexts(encodedIn({ table: 'sound_changes', id: 'seq', first: 0, columns: { before: isObject } })),
];
