import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createSoundType } from '#server/features/catalogue/genres/service.ts';
import { createSound, indexSound } from '#server/features/catalogue/service.ts';
import { putFeatures } from '#server/features/catalogue/features-queries.ts';
import { type Pace, compareSounds } from '#server/features/catalogue/similar/rounds.ts';
import { openComparer } from '#server/features/catalogue/similar/thread.ts';
import { createUser } from '#server/features/accounts/users.ts';
import { hideSound } from '#server/features/takedowns/sounds.ts';
import { suspendMember } from '#server/features/takedowns/suspensions.ts';
import { FEATURE_NUMBERS } from '#server/media/analysis/sound-features.ts';
import { openDatabase } from '#server/schema/open.ts';
import type { Database } from '#server/platform/database/open.ts';
import { type TestApi, createTestApi } from '#support/http/api.ts';
import { toFile } from '#support/sounds/catalogue.ts';
import { bothDatabases, deleteRows, getRow, updateRows } from '#support/databases/databases.ts';
import { startDoomed } from '#support/processes/doomed.ts';
import { everyTable } from '#server/platform/database/schema.ts';
import type { Handle } from '#server/platform/database/handle.ts';

const COMPARE_AND_HANG = new URL(
  '../../../../support/processes/hanging/compare-and-hang.ts',
  import.meta.url,
);
const DAY_MS = 24 * 60 * 60 * 1000;
const FAMILIES = 5;

describe.each(bothDatabases)('similar sounds on $name', ({ open, locate, rule }) => {
  let database: Database;
  let api: TestApi;
  let bgm: number;
  let effects: number;
  let names: Map<string, string>;
  let tags: string[];

  beforeEach(async () => {
    database = await open();
    api = createTestApi(database);
    bgm = await createSoundType(database, { name: 'BGM' });
    effects = await createSoundType(database, { name: '効果音' });
    names = new Map();
    tags = [];
  });
  afterEach(() => database.close());

  const deps = () => ({
    ...api.deps,
    catalogueChanged: (changed: readonly string[] = []) => void tags.push(...changed),
  });
  const pace = (change: Partial<Pace> = {}): Pace => ({
    soundsMax: 1_000,
    pauseShare: 0,
    open: openComparer,
    ...change,
  });
  const compare = (change: Partial<Pace> = {}, ending?: AbortSignal) =>
    compareSounds(deps(), ending, pace(change));

  async function addArtist(username: string): Promise<string> {
    return createUser(database, { username, email: `${username}@example.test`, is_verified: true });
  }
  /** A sound of a family: those of one family are alike. */
  async function add(
    name: string,
    artist_id: string,
    family: number,
    { type_id = bgm, is_published = true, measured = true } = {},
  ): Promise<number> {
    const { id, seq } = await createSound(database, {
      ...toFile(name),
      artist_id,
      type_id,
      title: name,
      is_published,
    });
    names.set(id, name);
    if (measured) await measure(seq, family);
    return seq;
  }
  async function measure(seq: number, family: number): Promise<void> {
    const numbers = Array.from(
      { length: FEATURE_NUMBERS },
      (_, index) => Math.sin(index * (family + 1) * 7.3) + 0.05 * Math.sin(seq * (index + 1)),
    );
    await database.db.transaction().execute(async (transaction: Handle) => {
      await putFeatures(transaction, seq, { bpm: null, key: null, numbers });
      await indexSound(database, transaction, seq);
    });
  }
  /** `each` sounds of every family, by as many artists. */
  async function fill(each = 6, type_id = bgm): Promise<string[]> {
    const artists: string[] = [];
    for (let index = 0; index < each; index += 1) {
      artists.push(await addArtist(`artist${type_id}x${index}`));
      for (let family = 0; family < FAMILIES; family += 1) {
        await add(`${type_id}-${family}-${index}`, artists.at(-1) ?? '', family, { type_id });
      }
    }
    return artists;
  }
  const idOf = (name: string) => [...names].find(([, other]) => other === name)?.[0] ?? '';
  async function similar(name: string): Promise<string[]> {
    const { results } = await api.json(`/api/sounds/${idOf(name)}/similar/`);
    return results.map(({ id }: { id: string }) => names.get(id));
  }
  const ofFamily = (family: number, except: number, type_id = bgm) =>
    Array.from({ length: 6 }, (_, index) => `${type_id}-${family}-${index}`).filter(
      (name) => name !== `${type_id}-${family}-${except}`,
    );

  test('they are of the same family and type, and the sound itself is not among them', async () => {
    await fill();
    await fill(6, effects);
    expect(await similar(`${bgm}-2-0`)).toEqual([]);
    expect(await api.json(`/api/sounds/${idOf(`${bgm}-2-0`)}/`)).not.toHaveProperty('has_similar');
    expect(await compare()).toBe(2 * 6 * FAMILIES);
    expect((await similar(`${bgm}-2-0`)).toSorted()).toEqual(ofFamily(2, 0));
    expect((await similar(`${effects}-2-0`)).toSorted()).toEqual(ofFamily(2, 0, effects));
    expect(tags).toContain(`sound ${idOf(`${bgm}-2-0`)}`);
    expect(await api.json(`/api/sounds/${idOf(`${bgm}-2-0`)}/`)).toMatchObject({ has_similar: true });
    expect(await compare()).toBe(0);
  });

  test('a sound that is like no other has the nearest few, marked as less sure', async () => {
    const [artist = ''] = await fill();
    await add('odd', artist, 40);
    await compare();
    const { results, sure_count } = await api.json(`/api/sounds/${idOf('odd')}/similar/`);
    expect([results.length, sure_count]).toEqual([4, 0]);
    expect(await api.json(`/api/sounds/${idOf('odd')}/`)).not.toHaveProperty('has_similar');
    expect(await api.json(`/api/sounds/${idOf(`${bgm}-2-0`)}/similar/`)).toMatchObject({ sure_count: 5 });
  });

  rule('nothing is compared while there are few sounds of a type', async () => {
    await fill(3);
    expect(await compare()).toBe(0);
  });

  test('what is hidden, suspended, withdrawn or deleted is no longer shown', async () => {
    const artists = await fill();
    await compare();
    const staff = await createUser(database, { username: 'st', email: 'st@example.test', is_staff: true });
    await hideSound(deps(), idOf(`${bgm}-2-1`), staff, '理由');
    await suspendMember(deps(), artists[2] ?? '', staff, '理由');
    await updateRows(database, 'sounds', { is_published: 0 }, { id: idOf(`${bgm}-2-3`) });
    await deleteRows(database, 'sounds', { id: idOf(`${bgm}-2-4`) });
    expect(await similar(`${bgm}-2-0`)).toEqual([`${bgm}-2-5`]);
    for (const gone of [1, 2, 3, 4]) {
      const response = await api.get(`/api/sounds/${idOf(`${bgm}-2-${gone}`)}/similar/`);
      expect(response.status, String(gone)).toBe(404);
    }
    expect((await api.get('/api/sounds/no-such-sound/similar/')).status).toBe(404);
  });

  rule('sounds that were withdrawn before they were compared start nothing again and again', async () => {
    await fill();
    const later = `${bgm}-2-%`;
    await everyTable(database.db)
      .updateTable('sounds')
      .set({ is_published: 0 })
      .where('title', '<', later)
      .execute();
    let opened = 0;
    const open = () => {
      opened += 1;
      return openComparer();
    };
    for (let call = 0; call < 3; call += 1) expect(await compare({ open })).toBe(0);
    expect(opened).toBe(1);
  });

  rule('at most two are of one artist', async () => {
    await fill();
    const prolific = await addArtist('prolific');
    for (let index = 0; index < 5; index += 1) await add(`more${index}`, prolific, 2);
    await compare();
    const found = await similar(`${bgm}-2-0`);
    expect(found.filter((name) => name.startsWith('more'))).toHaveLength(2);
    expect(found).toHaveLength(7);
  });

  rule('a new sound has neighbours at once, and is one of old ones after the next round', async () => {
    const [artist = ''] = await fill();
    await compare();
    api.clock.advance(1);
    await add('new', artist, 2);
    expect(await compare()).toBe(1);
    expect((await similar('new')).toSorted()).toEqual(ofFamily(2, -1));
    expect(await similar(`${bgm}-2-3`)).not.toContain('new');
    api.clock.advance(DAY_MS + 1);
    expect(await compare()).toBe(6 * FAMILIES + 1);
    expect(await similar(`${bgm}-2-3`)).toContain('new');
    api.clock.advance(DAY_MS + 1);
    expect(await compare()).toBe(0);
  });

  rule('a clock that is put back does not have new sounds compared again and again', async () => {
    const [artist = ''] = await fill();
    await compare();
    api.clock.advance(-30 * DAY_MS);
    await add('new', artist, 2);
    expect(await compare()).toBe(1);
    expect(await compare()).toBe(0);
    api.clock.advance(31 * DAY_MS + 1);
    expect(await compare()).toBe(6 * FAMILIES + 1);
    expect(await similar(`${bgm}-2-3`)).toContain('new');
  });

  rule('private sounds are not compared until published; a changed one is compared again', async () => {
    const [artist = ''] = await fill();
    await compare();
    const seq = await add('draft', artist, 2, { is_published: false });
    expect(await compare()).toBe(0);
    await database.db.transaction().execute(async (transaction: Handle) => {
      await everyTable(transaction)
        .updateTable('sounds')
        .set({ is_published: 1 })
        .where('seq', '=', seq)
        .execute();
      await indexSound(database, transaction, seq);
    });
    expect(await compare()).toBe(1);
    expect((await similar('draft')).toSorted()).toEqual(ofFamily(2, -1));
    await measure(seq, 3);
    expect(await compare()).toBe(1);
    expect((await similar('draft')).toSorted()).toEqual(ofFamily(3, -1));
  });

  rule('a sound that an older version has added is found while the others are loaded', async () => {
    const [artist = ''] = await fill();
    await compare();
    const unmarked = await add('unmarked', artist, 2);
    await deleteRows(database, 'sound_neighbours', { sound_seq: unmarked });
    await add('marked', artist, 2);
    expect(await compare()).toBe(1);
    expect(await compare()).toBe(1);
    expect((await similar('unmarked')).toSorted()).toEqual(
      [...ofFamily(2, -1).filter((name) => !name.endsWith('-0')), 'marked', `${bgm}-2-0`].toSorted(),
    );
  });

  test('each call compares a bounded number of sounds, and the next one continues', async () => {
    await fill();
    const counts: number[] = [];
    for (let call = 0; call < 5; call += 1) counts.push(await compare({ soundsMax: 12 }));
    expect(counts).toEqual([12, 12, 6, 0, 0]);
  });

  rule('a failed thread loses only its batch', async () => {
    await fill(12);
    const broken = () => {
      const comparer = openComparer();
      let calls = 0;
      return {
        ...comparer,
        nearest: (...given: Parameters<typeof comparer.nearest>) => {
          calls += 1;
          if (calls > 1) void comparer.close();
          return comparer.nearest(...given);
        },
      };
    };
    await expect(compare({ open: broken })).rejects.toThrow('ended');
    expect(await compare()).toBe(12 * FAMILIES - 50);
    expect(await similar(`${bgm}-2-0`)).toHaveLength(11);
  });

  test('a killed process loses only its batch, and another one continues when its lease has ended', async () => {
    await database.close();
    const place = await locate();
    onTestFinished(place.remove);
    database = await openDatabase(place.location);
    api = createTestApi(database);
    bgm = await createSoundType(database, { name: 'BGM' });
    await fill(12);
    const { hear, kill } = startDoomed(COMPARE_AND_HANG, [JSON.stringify(place.location), api.clock.now()]);
    await hear();
    await kill();
    expect(await compare()).toBe(0);
    await updateRows(database, 'leases', { expires_at: 0 });
    expect(await compare()).toBe(12 * FAMILIES - 50);
    expect(await compare()).toBe(0);
    const sizes = await Promise.all([...names.values()].map(async (name) => (await similar(name)).length));
    expect(new Set(sizes)).toEqual(new Set([11]));
  });

  test('two processes at once compare each sound once', async () => {
    await fill();
    let opened = 0;
    const open = () => {
      opened += 1;
      return openComparer();
    };
    const [one = 0, other = 0] = await Promise.all([compare({ open }), compare({ open })]);
    expect(one + other).toBe(6 * FAMILIES);
    expect(opened).toBe(1);
  });

  rule('a process that ends compares nothing more', async () => {
    await fill();
    expect(await compare({}, AbortSignal.abort())).toBe(0);
    expect(await compare()).toBe(6 * FAMILIES);
  });

  rule('the model is made anew when there are many more sounds', async () => {
    await fill();
    await compare();
    const model = () => getRow(database, 'similarity_models');
    const before = await model();
    const late = await addArtist('late');
    for (let index = 0; index < 20; index += 1) await add(`late${index}`, late, index % FAMILIES);
    expect(await compare()).toBe(20);
    expect((await model()).model).toBe(before.model);
    api.clock.advance(1);
    expect(await compare()).toBe(50);
    expect((await model()).sounds).toBe(50);
  });
});
