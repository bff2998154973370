import { INCOMING_MS_MAX } from '../../../platform/storage/storage.ts';
import { releaseExpiredLeases } from '../../catalogue/catalogue.ts';
import { EXPIRED_MS } from '../../my-sounds/my-sounds.ts';
import { Tally, countOf } from '../check.ts';
import type { Check } from '../check.ts';

/** A running server removes what is left over once an hour. */
const OVERDUE_MS = 2 * INCOMING_MS_MAX;
/** A server renews its lease every twenty seconds, and looks for expired ones every hour. */
const LEASE_OVERDUE_MS = OVERDUE_MS;
const COUNTED_MAX = 1_000;

export const uploads: Check = {
  name: 'uploads',
  priority: 'warning',
  isCheap: true,
  async run(site) {
    const { db } = await site.openDatabase();
    const nowMs = site.clock.now();
    const [expired, files, leases, unreadable] = [new Tally(), new Tally(), new Tally(), new Tally()];
    const oldUploads = await db
      .selectFrom('resumable_uploads')
      .select('id')
      .where('created_at', '<', nowMs - EXPIRED_MS - OVERDUE_MS)
      .limit(COUNTED_MAX)
      .execute();
    for (const { id } of oldUploads) expired.add(id);
    for (const is_doomed of [0, 1] as const) {
      const rows = await db
        .selectFrom('unclaimed_files')
        .select('file_key')
        .where('is_doomed', '=', is_doomed)
        .where('noted_at', '<', nowMs - INCOMING_MS_MAX - OVERDUE_MS)
        .limit(COUNTED_MAX)
        .execute();
      for (const { file_key } of rows) files.add(file_key);
    }
    const pieces = await db
      .selectFrom('upload_pieces')
      .select('id')
      .where('state', '<>', 'received')
      .where('noted_at', '<', nowMs - INCOMING_MS_MAX - OVERDUE_MS)
      .limit(COUNTED_MAX)
      .execute();
    for (const { id } of pieces) files.add(`piece ${id}`);
    const waveforms = await db
      .selectFrom('unread_waveforms')
      .innerJoin('sounds', 'sounds.seq', 'unread_waveforms.sound_seq')
      .select(['sounds.id', 'unread_waveforms.state', 'unread_waveforms.leased_until'])
      .orderBy('unread_waveforms.sound_seq')
      .limit(COUNTED_MAX)
      .execute();
    for (const { id, state, leased_until } of waveforms) {
      if (state === 'failed') unreadable.add(id);
      else if (leased_until !== null && leased_until < nowMs - LEASE_OVERDUE_MS) leases.add(id);
    }
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
          `The waveform of ${countOf(count, 'sound')} is reserved for a process that has ended.`,
        meaning: 'These sounds have no waveform and no measured loudness yet.',
        remedy: 'The hourly jobs of a running server take them over (--fix releases them at once).',
        fix: async ({ database, clock }) =>
          `released ${countOf(await releaseExpiredLeases(database.db, clock.now() - LEASE_OVERDUE_MS), 'lease')}`,
      }),
      ...unreadable.diagnose({
        kind: 'unreadable-sounds',
        found: (count) => `${countOf(count, 'sound')} could not be decoded.`,
        meaning: 'They have no waveform. Their file may be damaged or missing, or the decoder fails with it.',
        remedy:
          'Listen to them; "missing files" and "altered files" tell whether the file is as it was uploaded.',
      }),
    ];
  },
};
