import { cp, readFile, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pino } from 'pino';
import { beforeEach, describe, expect, test } from 'vitest';
import { createUser } from '#server/features/accounts/users.ts';
import { expirePersonalInfo } from '#server/features/reviews/personal-info/expiry.ts';
import { openImage, storeImage } from '#server/features/reviews/personal-info/images.ts';
import { toPersonalInfoImageKey } from '#server/media/object-keys.ts';
import { openPersonalInfoKey, warnOfMissingKeys } from '#server/features/reviews/personal-info/key.ts';
import { PERSONAL_INFO, findPersonalInfoReviewState } from '#server/features/reviews/personal-info/kind.ts';
import { decidePersonalInfo, viewPersonalInfo } from '#server/features/reviews/personal-info/review.ts';
import { insertIncoming } from '#server/features/reviews/personal-info/submission-queries.ts';
import { markPending } from '#server/features/reviews/life-cycle.ts';
import { createTestClock } from '#server/platform/concurrency/clock.ts';
import { readOpeningKeys } from '#server/platform/crypto/sealed-keys.ts';
import { openFolderStorage } from '#server/platform/storage/folder.ts';
import type { Storage } from '#server/platform/storage/port.ts';
import { parseSettings } from '#server/settings.ts';
import { useDatabase } from '#support/databases/use-database.ts';
import { readMails } from '#support/members/accounts.ts';
import { ruleDatabases } from '#support/databases/databases.ts';
import { PAYOUT_DETAILS } from '#support/members/payouts.ts';
import { listFiles, makeFolder } from '#support/files/folders.ts';
import { everyTable } from '#server/platform/database/schema.ts';

const EMAIL = 'member@example.test';
const ID = 'submission1';
const DAY_MS = 86_400_000;
const PHOTOGRAPH = Buffer.from('a photograph of an ID');

function toKeyPlaces(dataDir: string, personalInfoKeyFile: string) {
  return { ...parseSettings({ DATA_DIR: dataDir }), personalInfoKeyFile };
}

describe.each(ruleDatabases)('photographs of IDs in the data folder, on $name', ({ open }) => {
  const logger = pino({ level: 'silent' });
  const database = useDatabase(open);
  let dataDir: string;
  let privateFile: string;
  let storage: Storage;
  let member: string;
  let staff: string;
  let clock: ReturnType<typeof createTestClock>;

  beforeEach(async () => {
    const folder = await makeFolder();
    dataDir = join(folder, 'data');
    privateFile = join(folder, 'data-keys', 'personal-info');
    storage = await openFolderStorage(join(dataDir, 'files'));
    clock = createTestClock(Date.now());
    member = await createUser(database, { username: '音の人', email: EMAIL, ...PAYOUT_DETAILS });
    staff = await createUser(database, { username: 'staff', email: 'staff@example.test', is_staff: true });
  });

  const openKey = (from = dataDir, file = privateFile) =>
    openPersonalInfoKey(toKeyPlaces(from, file), logger);
  const toDeps = () => ({
    database,
    storage,
    clock,
    logger,
    siteUrl: 'https://site.example',
    siteName: '音市',
  });
  const belonging = () => ({ submissionId: ID, userId: member });
  const openWith = (openingKeys: ReturnType<typeof readOpeningKeys>, from = storage) =>
    openImage({ storage: from, openingKeys }, belonging());
  async function addRow(): Promise<void> {
    const row = {
      id: ID,
      user_id: member,
      object_key: toPersonalInfoImageKey(ID),
      submitted_at: clock.now(),
    };
    await insertIncoming(database.db, row);
    await markPending(database.db, PERSONAL_INFO, ID, clock.now());
    const values = { personal_info_status: 'pending' } as const;
    await everyTable(database.db).updateTable('users').set(values).where('id', '=', member).execute();
  }
  async function submit(): Promise<void> {
    const personalInfoKey = openKey();
    await storeImage({ storage, personalInfoKey }, belonging(), PHOTOGRAPH);
    await addRow();
  }
  const readActions = () =>
    everyTable(database.db)
      .selectFrom('operator_actions')
      .select(['staff_id', 'action', 'note'])
      .orderBy('at')
      .execute();

  test('an older copy opens nothing without the private key; the present folder opens no decided one', async () => {
    await submit();
    expect(await openWith(readOpeningKeys(privateFile))).toEqual(PHOTOGRAPH);
    const copy = join(dataDir, '..', 'copy');
    await cp(dataDir, copy, { recursive: true });
    const copied = await openFolderStorage(join(copy, 'files'));

    await decidePersonalInfo(toDeps(), ID, staff, 'rejected', '不鮮明です。');
    const names = await listFiles(join(dataDir, 'files'));
    expect(names).toEqual([]);
    await expect(openWith(readOpeningKeys(privateFile))).rejects.toThrow('no object in storage');
    // The keys in the present folder do not open the copied image either.
    await storage.put(
      toPersonalInfoImageKey(ID),
      await buffer(await copied.open(toPersonalInfoImageKey(ID))),
    );
    await expect(openWith(readOpeningKeys(privateFile))).rejects.toThrow('personal-info-keys');

    // The copy has everything the server has; it contains no private key.
    for (const file of await listFiles(copy)) {
      const content = await readFile(file);
      expect([file, content.includes('PRIVATE'), content.includes(PHOTOGRAPH)]).toEqual([file, false, false]);
    }
    const foreign = openKey(await makeFolder(), join(await makeFolder(), 'keys'));
    expect(foreign.id).not.toEqual(openKey().id);
    const other = join(await makeFolder(), 'other');
    openKey(await makeFolder(), other);
    await expect(openWith(readOpeningKeys(other), copied)).rejects.toThrow(/private key \w+ is not here/);
    expect(await openWith(readOpeningKeys(privateFile), copied)).toEqual(PHOTOGRAPH);
  });

  test('are sealed by a server that has no private key', async () => {
    openKey();
    await rename(privateFile, `${privateFile}.away`);
    await submit();
    await expect(stat(privateFile)).rejects.toThrow('ENOENT');
    expect(await openWith(readOpeningKeys(`${privateFile}.away`))).toEqual(PHOTOGRAPH);
  });

  test('are reported at the start with the setting while their private key is missing', async () => {
    const lines: string[] = [];
    const told = { ...toDeps(), logger: pino({ level: 'warn' }, { write: (line) => void lines.push(line) }) };
    await warnOfMissingKeys(told, privateFile);
    await submit();
    await warnOfMissingKeys(told, privateFile);
    expect(lines).toEqual([]);
    // A container that kept only the data folder.
    await rename(privateFile, `${privateFile}.away`);
    openKey();
    await warnOfMissingKeys(told, privateFile);
    const keyId = openKey().id.toString('hex');
    // A container that lost both halves: the start created another pair.
    await rename(join(dataDir, 'secrets/personal-info.pub'), join(dataDir, 'lost'));
    openKey();
    await warnOfMissingKeys(told, privateFile);
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(
      [1, 2].map(() =>
        expect.objectContaining({
          waiting: 1,
          keys: [keyId],
          privateFile,
          msg: expect.stringContaining('PERSONAL_INFO_KEY_FILE') as string,
        }),
      ),
    );
    await expect(openWith(readOpeningKeys(privateFile))).rejects.toThrow(
      /set PERSONAL_INFO_KEY_FILE.*reject/,
    );
  });

  test('are viewed with a reason, which is recorded before the image is opened', async () => {
    await submit();
    const deps = { ...toDeps(), openingKeys: readOpeningKeys(privateFile) };
    await expect(viewPersonalInfo(deps, ID, staff, ' ')).rejects.toMatchObject({ status: 400 });
    expect(await readActions()).toEqual([]);
    let actionsAtOpening = 0;
    const watched: Storage = {
      ...storage,
      async open(key) {
        actionsAtOpening ||= (await readActions()).length;
        return storage.open(key);
      },
    };
    await viewPersonalInfo({ ...deps, storage: watched }, ID, staff, '新しい提出の審査');
    expect(actionsAtOpening).toBe(1);
    expect(await readActions()).toEqual([
      { staff_id: staff, action: 'view personal info', note: '新しい提出の審査' },
    ]);
  });

  test('that are undecided for 30 days are destroyed; the member is asked to submit again', async () => {
    await submit();
    clock.advance(30 * DAY_MS - 1);
    await expirePersonalInfo(toDeps());
    expect(await listFiles(join(dataDir, 'files'))).toHaveLength(2);
    clock.advance(1);
    await Promise.all([expirePersonalInfo(toDeps()), expirePersonalInfo(toDeps())]);
    expect(await listFiles(join(dataDir, 'files'))).toEqual([]);
    const user = await everyTable(database.db)
      .selectFrom('users')
      .select(['personal_info_status', 'is_personal_info_verified'])
      .where('id', '=', member)
      .executeTakeFirstOrThrow();
    expect(user).toEqual({ personal_info_status: 'rejected', is_personal_info_verified: 0 });
    expect((await findPersonalInfoReviewState(database.db, member))?.reason).toMatch(
      /30日以内.*もう一度提出/,
    );
    const mails = await readMails(database, EMAIL);
    expect(mails.map(({ subject }) => subject)).toEqual(['【音市】本人確認書類の再提出のお願い']);
    expect(await readActions()).toEqual([{ staff_id: null, action: 'expire personal info', note: '' }]);
  });
});
