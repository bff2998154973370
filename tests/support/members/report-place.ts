import { createUser } from '#server/features/accounts/users.ts';
import { decideReport } from '#server/features/reports/decisions.ts';
import { getReport } from '#server/features/reports/staff-view.ts';
import type { StaffAction } from '#server/features/reports/machine.ts';
import type { Database } from '#server/platform/database/open.ts';
import { useDatabaseOnce, useEach } from '#support/databases/use-database.ts';
import { readMails } from './accounts.ts';
import { createTestApi } from '#support/http/api.ts';
import { readActions } from './profiles.ts';
import { addSoundOf } from '#support/sounds/downloads.ts';
import { createMemoryStorage } from '#support/files/memory-files.ts';
import { everyTable } from '#server/platform/database/schema.ts';

/** The reason of every decision of the staff. */
export const WHY = '権利者の説明を確認しました。';
/** Recipient of the mails to the staff. */
export const OPERATOR = 'operator@example.test';

let serial = 0;

/** One database for the tests of a block, and such a place for each of them. */
export function useReportPlace(open: () => Promise<Database>) {
  const database = useDatabaseOnce(open);
  return { database, place: useEach(() => openReportPlace(database)) };
}

/** An artist with a public sound, and a staff account; no reports or mails. */
export async function openReportPlace(database: Database) {
  serial += 1;
  const storage = createMemoryStorage();
  const api = createTestApi(database, { storage });
  const artistName = `音の人${serial}`;
  const artistEmail = `reported${serial}@example.test`;
  const artist = await createUser(database, { username: artistName, email: artistEmail, is_verified: true });
  const staffEmail = `staff${serial}@example.test`;
  const staff = await createUser(database, { username: `staff${serial}`, email: staffEmail, is_staff: true });
  const sound = await addSoundOf(database, artist, { title: '朝の音' });
  await everyTable(database.db).deleteFrom('mail_outbox').execute();
  await everyTable(database.db).deleteFrom('reports').execute();

  const deps = () => api.deps;
  return {
    api,
    artist,
    artistName,
    artistEmail,
    staff,
    sound,
    deps,
    decide(id: string, action: StaffAction, version?: number) {
      // Mails and actions are told apart by their time.
      api.clock.advance(1);
      return decideReport(deps(), id, staff, { action, reason: WHY, version });
    },
    async answer(id: string, text = '自作です。', who = artist) {
      api.clock.advance(1);
      return api.post(`/api/account/reports/${id}/answer/`, { text }, who);
    },
    stateOf: async (id: string) => (await getReport(deps(), id)).state,
    isShown: async (id = sound) => (await api.get(`/api/sounds/${id}/`)).status === 200,
    /** The subjects of the mails to an address, oldest first. */
    subjectsTo: async (to: string) =>
      (await readMails(database, to)).map(({ subject }) => subject.replace('【Otoichi】', '')),
    /** The recorded actions of the staff account, oldest first. */
    actions: () =>
      readActions(database).then((actions) => actions.filter(({ staff_id }) => staff_id === staff)),
    /** The artist's list. */
    own: async () => (await api.json('/api/account/reports/', artist)) as Record<string, unknown>[],
  };
}
