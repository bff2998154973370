import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '#server/platform/database/open.ts';
import { lockProfile } from '#server/features/profile/queries.ts';
import { rename as renameMember } from '#server/features/profile/renames.ts';
import { finishIndexing } from '#server/features/catalogue/search/reindexing.ts';
import { insertUnindexed } from '#server/features/catalogue/search/reindexing-queries.ts';
import { pronounceSounds } from '#server/features/catalogue/search/pronouncing.ts';
import { createSound } from '#server/features/catalogue/service.ts';
import { createRateLimits } from '#server/platform/limits/counting.ts';
import { useFreshApi } from '#support/http/use-api.ts';
import { PASSWORD, addMember, readLink, readMails } from '#support/members/accounts.ts';
import { createTestApi } from '#support/http/api.ts';
import { type TestCatalogue, fillCatalogue, toFile } from '#support/sounds/catalogue.ts';
import { bothDatabases, listRows, updateRows } from '#support/databases/databases.ts';
import { as, patchProfile, readUser } from '#support/members/profiles.ts';
import { everyTable } from '#server/platform/database/schema.ts';
import type { Handle } from '#server/platform/database/handle.ts';

const DAY_MS = 86_400_000;
const TAKEN = { username: 'このユーザー名はすでに使われています。' };

describe.each(bothDatabases)('a username on $name', ({ name: kind, open, rule }) => {
  const { database, api } = useFreshApi(open);
  let catalogue: TestCatalogue;
  let serial = 0;
  let userId: string;
  let name: string;
  let other: string;

  beforeAll(async () => {
    catalogue = await fillCatalogue(database, []);
  });
  beforeEach(async () => {
    serial += 1;
    name = `凪 number${serial}x`;
    userId = await addMember(database, name, `nagi-${serial}@example.test`);
    other = await addMember(database, `別人 ${serial}番`, `other-${serial}@example.test`);
    await updateRows(database, 'users', { is_verified: 1 }, { id: userId });
  });

  const rename = (username: string, id = userId) => patchProfile(api, id, { username });
  const answer = async (response: Response) => [response.status, await response.json()] as const;
  const register = (username: string, email = `new-${serial}@example.test`) =>
    api.post('/api/account/register/', { username, email, password: PASSWORD });
  async function findArtistName(username: string): Promise<string | null> {
    const response = await api.get(`/api/account/artist/${encodeURIComponent(username)}/`);
    return response.status === 200 ? (await response.json()).username : null;
  }
  const addSounds = async (count: number, isPublished = true) => {
    for (let index = 0; index < count; index += 1) {
      const sound = { ...toFile(`s${serial}-${index}`), artist_id: userId, title: `曲 ${index}` };
      const type_id = catalogue.typeIds.get('BGM') ?? 0;
      await createSound(database, { ...sound, type_id, is_published: isPublished });
    }
  };
  const countFound = async (search: string) =>
    (await api.json(`/api/sounds/?search=${encodeURIComponent(`"${search}"`)}&page_size=100`)).results.length;

  test('is not changed by who has read another one, also by two at once', async () => {
    const save = (username: string, read: object) => patchProfile(api, userId, { username, read });
    const replies = await Promise.all([
      save(`一 ${serial}`, { username: name }),
      save(`二 ${serial}`, { username: name }),
    ]);
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const loser = replies.find(({ status }) => status === 409);
    expect(await loser?.json()).toEqual({ username: 'ほかで変更されています。' });
    const { username } = await readUser(database, userId);
    expect((await save(`三 ${serial}`, { username })).status).toBe(200);
    const refusals = [{ password: 'x' }, { bio: 7 }, { bio: 'x'.repeat(10_001) }];
    for (const read of refusals) expect((await save(`四 ${serial}`, read)).status).toBe(400);
    expect((await patchProfile(api, userId, { read: { bio: '' } })).status).toBe(400);
  });

  rule('changes, and its keys with it', async () => {
    expect((await rename(` Ｎａｇｉ  ${serial} `)).status).toBe(200);
    expect(await readUser(database, userId)).toMatchObject({
      username: `Nagi ${serial}`,
      username_key: `nagi ${serial}`,
    });
    expect(await answer(await rename(`NAGI ${serial}`, other))).toEqual([400, TAKEN]);
  });

  rule('can change only in width and case, and in the characters that join its words', async () => {
    for (const spelling of [name.toUpperCase(), name, name.replace(' ', '_'), name.replace(' ', '')]) {
      expect((await rename(spelling)).status, spelling).toBe(200);
      expect((await readUser(database, userId)).username).toBe(spelling);
    }
  });

  rule.each([
    ['another member has it', (taken: string) => taken],
    ['it differs in case and width', (taken: string) => taken.toUpperCase().replace('N', 'Ｎ')],
    ['it only looks like it', (taken: string) => taken.replace('number', 'nurnber').replace(' ', '・')],
  ])('is refused where %s', async (_what, spell) => {
    const before = await readUser(database, other);
    const response = await patchProfile(api, other, { username: spell(name), bio: 'neu' });
    expect(await answer(response)).toEqual([400, TAKEN]);
    expect(await readUser(database, other)).toEqual(before);
  });

  test('is refused while a registration reserves it, and free once that has expired', async () => {
    await register(`待つ人 ${serial}番`);
    expect(await answer(await rename(`待つ人・${serial}番`))).toEqual([400, TAKEN]);
    api.clock.advance(DAY_MS + 1);
    expect((await rename(`待つ人・${serial}番`)).status).toBe(200);
  });

  test('is given to one of twenty concurrent requests', async () => {
    const ids = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        addMember(database, `競う人${serial} no${index}`, `race-${serial}-${index}@example.test`),
      ),
    );
    await Promise.all(ids.map((id) => api.logIn(id)));
    const wanted = `人気の名前 ${serial}番`;
    const replies = await Promise.all(ids.map(async (id) => answer(await rename(wanted, id))));
    expect(replies.filter(([status]) => status === 200)).toHaveLength(1);
    for (const [status, body] of replies) if (status !== 200) expect([status, body]).toEqual([400, TAKEN]);
  });

  rule('that was given up still leads to the artist', async () => {
    await rename(`第二の名 ${serial}番`);
    await rename(`第三の名 ${serial}番`);
    for (const old of [name, name.toUpperCase(), `第二の名 ${serial}番`, `第三の名 ${serial}番`]) {
      expect(await findArtistName(old), old).toBe(`第三の名 ${serial}番`);
    }
    await rename(name);
    expect(await findArtistName(`第二の名 ${serial}番`)).toBe(name);
    expect(await findArtistName(name)).toBe(name);
  });

  rule('that was given up is reserved for 90 days for its former owner', async () => {
    await rename(`新しい名 ${serial}番`);
    expect(await answer(await rename(name, other))).toEqual([400, TAKEN]);
    expect(await answer(await rename(name.replace(' ', ''), other))).toEqual([400, TAKEN]);
    expect(await answer(await register(name))).toEqual([400, TAKEN]);
    api.clock.advance(89 * DAY_MS);
    expect(await answer(await rename(name, other))).toEqual([400, TAKEN]);
    api.clock.advance(DAY_MS);
    expect((await rename(name, other)).status).toBe(200);
    expect(await findArtistName(name)).toBeNull(); // its new owner is not an artist
  });

  rule('that was given up leads to its artist also when it is no longer reserved', async () => {
    await rename(`新しい名 ${serial}番`);
    api.clock.advance(90 * DAY_MS);
    await api.scheduledJobs.find((each) => each.name === 'expired sessions and links')?.run();
    expect(await findArtistName(name)).toBe(`新しい名 ${serial}番`);
  });

  test('that was given up twice leads to its newest former owner', async () => {
    await updateRows(database, 'users', { is_verified: 1 }, { id: other });
    await rename(`新しい名 ${serial}番`);
    api.clock.advance(90 * DAY_MS);
    await rename(name, other);
    expect(await findArtistName(name)).toBe(name);
    await rename(`もう一人 ${serial}番`, other);
    expect(await findArtistName(name)).toBe(`もう一人 ${serial}番`);
  });

  rule('reserved by a registration that is confirmed too late is reported as taken', async () => {
    await register(`先の名 ${serial}番`);
    const link = readLink((await readMails(database, `new-${serial}@example.test`))[0]);
    // As if both ran concurrently, when neither sees the other.
    const row = { username: `先の名 ${serial}番`, username_key: `先の名 ${serial}番` };
    await everyTable(database.db).updateTable('users').set(row).where('id', '=', userId).execute();
    const { searchParams } = link;
    const path = `/api/account/verify-email/${searchParams.get('user')}/${searchParams.get('token')}/`;
    expect((await api.get(path)).status).toBe(400);
  });

  rule('can change three times a day; refused attempts do not count', async () => {
    const limited = createTestApi(database, { rateLimits: createRateLimits(database) });
    const headers = await as(limited, userId);
    const tryName = (username: string) => patchProfile(limited, userId, { username }, headers);
    for (let index = 0; index < 4; index += 1) {
      expect((await tryName(`別人 ${serial}番`)).status).toBe(400);
    }
    for (let index = 0; index < 3; index += 1)
      expect((await tryName(`名${index} ${serial}番`)).status).toBe(200);
    const refused = await tryName(`名4 ${serial}番`);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(80_000);
    expect((await tryName(`名2 ${serial}番`)).status).toBe(200); // the present name
  });

  test('is then found for all sounds in the search', async () => {
    await addSounds(60);
    const renamed = `海鳴り${serial}工房`;
    expect(await countFound(name)).toBe(60);
    expect((await rename(renamed)).status).toBe(200);
    expect(await countFound(renamed)).toBe(60);
    expect(await countFound(name)).toBe(0);
    const [sound] = (await api.json(`/api/sounds/?search=${encodeURIComponent(renamed)}`)).results;
    expect(sound.artist_name).toBe(renamed);
    expect(await listRows(database, 'unindexed_artists')).toEqual([]);
  });

  test('is found for sounds added concurrently, too', async () => {
    const renamed = `並行${serial}工房`;
    await Promise.all([addSounds(15), rename(renamed), addSounds(15)]);
    expect(await countFound(renamed)).toBe(30);
  });

  test('is found by the reading that its artist gives', async () => {
    await addSounds(1);
    const patch = { name_reading: 'ナミノオトクラブ' };
    expect((await patchProfile(api, userId, patch, await as(api, userId))).status).toBe(200);
    await pronounceSounds(api.deps);
    expect(await countFound('なみのおとくらぶ')).toBe(0);
    const { results } = await api.json(`/api/sounds/?search=${encodeURIComponent('なみのおとくらぶ')}`);
    expect(results).toMatchObject([{ artist_name: name }]);
  });

  test('is found when the process died before it updated the search', async () => {
    await addSounds(3);
    const renamed = `途中${serial}工房`;
    const broken: Database = {
      ...database,
      search: { ...database.search, put: () => Promise.reject(new Error('killed')) },
    };
    const dying = createTestApi(broken);
    const response = await patchProfile(dying, userId, { username: renamed }, await as(api, userId));
    expect(response.status).toBe(200); // the name has changed even though the search update failed
    expect(dying.logged).toHaveLength(1);
    expect(await countFound(renamed)).toBe(0);
    await finishIndexing(database);
    expect(await countFound(renamed)).toBe(3);
    expect(await listRows(database, 'unindexed_artists')).toEqual([]);
  });

  test('has each sound indexed by one of several processes', async () => {
    await addSounds(120);
    await insertUnindexed(database.db, userId);
    const indexed = await Promise.all([1, 2, 3].map(() => finishIndexing(database)));
    expect(indexed.reduce((sum, each) => sum + each, 0)).toBe(120);
  });

  test('changed twice concurrently leaves one name, by which everything is found', async () => {
    await addSounds(60);
    const names = [`東${serial}工房`, `西${serial}工房`];
    await Promise.all(names.map((each) => rename(each)));
    const { username } = await readUser(database, userId);
    expect(names).toContain(username);
    for (const each of names) expect(await countFound(each)).toBe(each === username ? 60 : 0);
  });

  // SQLite has one writer, so nothing can run in between.
  test.runIf(kind === 'postgres').for([5, 60])(
    'that comes in while %i sounds are being indexed is what all of them are found by',
    async (count) => {
      await addSounds(count);
      const [first, second] = [`先発${serial}工房`, `後発${serial}工房`];
      const renameBeside = () =>
        database.db.transaction().execute(async (transaction: Handle) => {
          const member = await lockProfile(transaction, userId);
          if (member) await renameMember(transaction, member, second, api.clock.now());
        });
      let beside: Promise<void> | undefined;
      const overtaken: Database = {
        ...database,
        search: {
          ...database.search,
          async put(db, seq, tokens) {
            await (beside ??= renameBeside());
            return database.search.put(db, seq, tokens);
          },
        },
      };
      const headers = await as(api, userId);
      const response = await patchProfile(createTestApi(overtaken), userId, { username: first }, headers);
      expect(response.status).toBe(200);
      expect([await countFound(first), await countFound(second)]).toEqual([0, count]);
    },
  );
});
