import { INCOMING_MS_MAX } from '../../../platform/storage/port.ts';
import { PERSONAL_INFO } from '../personal-info/kind.ts';
import { QUALITY_CHECK } from '../quality-check/kind.ts';
import { collectLeftovers } from '../life-cycle.ts';
import { Tally, countOf } from '../../doctor/check.ts';
import type { Check, Site } from '../../doctor/check.ts';
import { own } from '../tables.ts';

/** A running server removes what is left over once an hour. */
const OVERDUE_MS = 2 * INCOMING_MS_MAX;
const COUNTED_MAX = 1_000;

export const submissions: Check = {
  name: 'submissions',
  priority: 'warning',
  stage: 'quick',
  consoleText: '止まった申請があります',
  async run(site) {
    const { incoming, undeleted } = await findLeftovers(site);
    const lost = await findLostMembers(site);
    return [
      ...incoming.diagnose({
        kind: 'stuck-submissions',
        found: (count) =>
          `${countOf(count, 'submission')} never arrived completely and should have been removed.`,
        meaning: 'The hourly jobs of the server do not run, or fail.',
        remedy: 'Start the server; if it is running, look into its log (--fix removes them at once).',
        fix: collect,
      }),
      ...undeleted.diagnose({
        kind: 'undeleted-submissions',
        found: (count) => `The files of ${countOf(count, 'decided submission')} still exist.`,
        meaning:
          'Photographs of IDs must not be kept after the decision. The hourly jobs do not run, or the storage refuses to delete.',
        remedy: 'Start the server; if it is running, look into its log (--fix deletes them at once).',
        fix: collect,
      }),
      ...lost.diagnose({
        kind: 'lost-submissions',
        found: (count) =>
          `${countOf(count, 'member', 'waits')} for a decision about a submission that does not exist.`,
        meaning: 'They can neither submit again nor be decided on.',
        remedy: 'Restore the database from a backup, or write to the members.',
      }),
    ];
  },
};

async function findLeftovers(site: Site) {
  const { db } = await site.openDatabase();
  const before = site.clock.now() - INCOMING_MS_MAX - OVERDUE_MS;
  const [incoming, undeleted] = [new Tally(), new Tally()];
  for (const { table, files, name } of [PERSONAL_INFO, QUALITY_CHECK]) {
    const stuck = await own(db)
      .selectFrom(table)
      .select('id')
      .where('state', '=', 'incoming')
      .where('submitted_at', '<', before)
      .limit(COUNTED_MAX)
      .execute();
    for (const { id } of stuck) incoming.add(`${name} ${id}`);
    const [filesTable, submissionId] = files;
    const kept = await own(db)
      .selectFrom(table)
      .select('id')
      .where('decided_at', '<', before)
      .where('id', 'in', (query) =>
        query.selectFrom(filesTable).select(submissionId).where('object_key', 'is not', null),
      )
      .limit(COUNTED_MAX)
      .execute();
    for (const { id } of kept) undeleted.add(`${name} ${id}`);
  }
  return { incoming, undeleted };
}

async function findLostMembers(site: Site): Promise<Tally> {
  const { db } = await site.openDatabase();
  const lost = new Tally();
  const rows = await own(db)
    .selectFrom('users')
    .select('username')
    .where((eb) =>
      eb.or([
        eb.and([
          eb('status', '=', 'pending'),
          eb.not(
            eb.exists(
              eb
                .selectFrom('quality_checks')
                .select('id')
                .whereRef('quality_checks.user_id', '=', 'users.id')
                .where('state', '=', 'pending'),
            ),
          ),
        ]),
        eb.and([
          eb('personal_info_status', '=', 'pending'),
          eb.not(
            eb.exists(
              eb
                .selectFrom('personal_info_submissions')
                .select('id')
                .whereRef('personal_info_submissions.user_id', '=', 'users.id')
                .where('state', '=', 'pending'),
            ),
          ),
        ]),
      ]),
    )
    .limit(COUNTED_MAX)
    .execute();
  for (const { username } of rows) lost.add(username);
  return lost;
}

async function collect(deps: Parameters<typeof collectLeftovers>[0]): Promise<string> {
  await collectLeftovers(deps, PERSONAL_INFO);
  await collectLeftovers(deps, QUALITY_CHECK);
  return 'deleted the files of submissions that are not pending';
}
