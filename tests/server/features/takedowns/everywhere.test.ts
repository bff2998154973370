import * as fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { suspendMember, unsuspendMember } from '#server/features/takedowns/suspensions.ts';
import { findSoundFile } from '#server/features/catalogue/service.ts';
import { hideSound, unhideSound } from '#server/features/takedowns/sounds.ts';
import { useApiOnce } from '#support/http/use-api.ts';
import { createTestApi } from '#support/http/api.ts';
import { type TestCatalogue, fillCatalogue } from '#support/sounds/catalogue.ts';
import { insertMany, insertRow, listRows, ruleDatabases, updateRows } from '#support/databases/databases.ts';
import { createVisitor } from '#support/sounds/downloads.ts';
import { addUse } from '#support/members/uses.ts';
import { patchSound } from '#support/sounds/uploads.ts';

/** Every GET of the contract. Add new ones to one of these lists. */
const SHOWING = [
  '/api/sounds/',
  '/api/sounds/{id}/',
  '/api/sounds/{id}/similar/',
  '/api/account/artist/{username}/',
  '/api/account/artists/',
  '/api/search/suggestions/',
  '/api/search/completions/',
  '/api/sounds/fact-counts/',
  '/api/uses/',
  '/api/sitemap/{part}/',
];
const SHOWING_NOTHING_OF_OTHERS = [
  '/api/site-config',
  '/api/page/',
  '/api/page/{slug}/',
  '/api/genres/',
  '/api/sounds/types/',
  '/api/sitemap/',
  '/api/account/profile/',
  '/api/account/reports/',
  '/api/account/uses/',
  '/api/account/statistics/',
  '/api/sounds/{id}/changes/',
  '/api/account/deletion/',
  '/api/account/verify-email/{uid}/{token}/',
  // They say what was downloaded, to those who have their address: also of a sound that is hidden since.
  '/api/certificates/{id}/',
  '/api/certificate-keys/',
  '/api/licences/{hash}/',
  '/api/account/certificates/',
  '/api/finance/statements/{month}/',
  '/api/finance/transfer-requests/',
];

const ARTISTS = ['なぎ工房', '風見工房'] as const;
const SOUNDS = ['a', 'b', 'c', 'd'] as const;
type Artist = (typeof ARTISTS)[number];
type Key = (typeof SOUNDS)[number];
const artistOf = (key: Key): Artist => (key === 'd' ? ARTISTS[1] : ARTISTS[0]);

const step = fc.oneof(
  fc.record({ does: fc.constantFrom('suspend', 'unsuspend'), artist: fc.constantFrom(...ARTISTS) }),
  fc.record({
    does: fc.constantFrom('hide', 'unhide', 'publish', 'withdraw'),
    key: fc.constantFrom(...SOUNDS),
  }),
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** The intended state, from which the visible state is derived. */
class Model {
  readonly published = new Set<Key>(SOUNDS);
  readonly hidden = new Set<Key>();
  readonly suspended = new Set<Artist>();

  apply(taken: Step): void {
    if ('artist' in taken) {
      if (taken.does === 'suspend') this.suspended.add(taken.artist);
      else this.suspended.delete(taken.artist);
      return;
    }
    const { does, key } = taken;
    if (does === 'hide') this.hidden.add(key);
    if (does === 'unhide') this.hidden.delete(key);
    if (this.suspended.has(artistOf(key))) return;
    if (does === 'withdraw') this.published.delete(key);
    if (does === 'publish' && !this.hidden.has(key)) this.published.add(key);
  }

  sounds(): Key[] {
    return SOUNDS.filter(
      (key) => this.published.has(key) && !this.hidden.has(key) && !this.suspended.has(artistOf(key)),
    );
  }

  /** The second artist is not verified, so only a public sound makes them an artist. */
  artists(): Artist[] {
    return ARTISTS.filter(
      (artist) =>
        !this.suspended.has(artist) &&
        (artist === ARTISTS[0] || this.sounds().some((key) => artistOf(key) === artist)),
    );
  }
}

describe.each(ruleDatabases)('what others see on $name', ({ open }) => {
  const { database, api, useStaff, useMember } = useApiOnce(open);
  const staff = useStaff();
  const fan = useMember({ username: 'fan' });
  let catalogue: TestCatalogue;

  beforeAll(async () => {
    catalogue = await fillCatalogue(
      database,
      SOUNDS.map((key) => ({
        key,
        title: `潮騒 ${key}`,
        artist: artistOf(key),
        subGenres: ['海'],
        type: key === 'b' ? ('効果音' as const) : ('BGM' as const),
        downloads: 3,
      })),
    );
    await updateRows(database, 'users', { is_verified: 0 }, { username: ARTISTS[1] });
    const former = { username_skeleton: '旧', user_id: idOf(ARTISTS[0]), since: 1 };
    await insertRow(database, 'former_usernames', { username_key: '旧名', ...former });
    for (const key of SOUNDS) {
      await toggle(key);
      await addUse(database, catalogue.idOf(key), { state: 'confirmed' });
    }
    const rows = await listRows(database, 'sounds', {}, ['seq', 'type_id']);
    const neighbours = rows.map(({ seq }) => seq).join(' ');
    await insertMany(
      database,
      'sound_neighbours',
      rows.map(({ seq, type_id }) => ({ sound_seq: seq, type_id, neighbours })),
    );
  });

  const idOf = (artist: Artist) => catalogue.artistIds.get(artist) ?? '';
  const toggle = async (key: Key) =>
    api.post(`/api/sounds/${catalogue.idOf(key)}/toggle-favorite`, undefined, fan);
  const deps = () => api.deps;

  async function take(taken: Step): Promise<void> {
    if ('artist' in taken) {
      const id = idOf(taken.artist);
      if (taken.does === 'suspend') await suspendMember(deps(), id, staff, '理由');
      else await unsuspendMember(deps(), id, staff);
      return;
    }
    const id = catalogue.idOf(taken.key);
    if (taken.does === 'hide') await hideSound(deps(), id, staff, '理由');
    else if (taken.does === 'unhide') await unhideSound(deps(), id, staff);
    else {
      const owner = idOf(artistOf(taken.key));
      // Logs in again, because the session may have ended.
      await patchSound(createTestApi(database), owner, id, {
        is_published: String(taken.does === 'publish'),
      });
    }
  }

  async function reset(): Promise<Model> {
    for (const artist of ARTISTS) await take({ does: 'unsuspend', artist });
    for (const key of SOUNDS) {
      await take({ does: 'unhide', key });
      await take({ does: 'publish', key });
    }
    return new Model();
  }

  const ids = SOUNDS.map((key) => `ids=${key}`).join('&');
  const listings = () => [
    '',
    'ordering=-downloads',
    'ordering=-favorites',
    'is_ai_generated=false',
    `sub_genres=${catalogue.subGenre('海')}`,
    'search=潮騒',
    'search=潮騒&ordering=-created',
    ids.replaceAll(/ids=(\w)/g, (_, key: Key) => `ids=${catalogue.idOf(key)}`),
  ];

  async function list(query: string, user?: string): Promise<Key[]> {
    const { results, count } = await api.json(`/api/sounds/?${query}`, user);
    const keys = results.map(({ id }: { id: string }) => catalogue.keys.get(id)).toSorted();
    expect(count, query).toBe(keys.length);
    return keys;
  }

  async function countUses(query: string): Promise<number> {
    const { results } = (await api.json(`/api/uses/?${query}`)) as { results: unknown[] };
    return results.length;
  }

  async function expectSeen(model: Model): Promise<void> {
    const sounds = model.sounds();
    const of = (artist: Artist) => sounds.filter((key) => artistOf(key) === artist);
    for (const query of listings()) {
      expect(await list(query), query).toEqual(sounds);
      expect(await list(query, fan), query).toEqual(sounds);
    }
    expect(await list('favorite=true', fan)).toEqual(sounds);
    expect(await list('favorite=true&search=潮騒', fan)).toEqual(sounds);
    expect(await list(`type=${catalogue.typeIds.get('効果音')}`)).toEqual(
      sounds.filter((key) => key === 'b'),
    );
    // Without the word that nothing has.
    const { results } = await api.json('/api/search/suggestions/?search=潮騒 ヰヰヰヰヰヰ');
    expect(results).toEqual(sounds.length === 0 ? [] : [{ search: '潮騒', count: sounds.length }]);
    const completions = await api.json('/api/search/completions/?search=潮騒');
    expect(completions.sounds).toHaveLength(Math.min(3, sounds.length));
    for (const { id } of completions.sounds) expect(sounds).toContain(catalogue.keys.get(id));
    for (const artist of ARTISTS) {
      const { artists } = await api.json(`/api/search/completions/?search=${artist.slice(0, 2)}`);
      expect(artists).toEqual(of(artist).length === 0 ? [] : [artist]);
    }
    for (const query of ['', '?search=潮騒']) {
      const { results: counts } = await api.json(`/api/sounds/fact-counts/${query}`);
      expect(counts).toContainEqual({
        filter: 'is_ai_generated',
        value: 'false',
        count: sounds.length,
        is_capped: false,
      });
    }
    const cards = (await api.json('/api/account/artists/')) as { username: Artist; sound_count: number }[];
    expect(cards.map(({ username }) => username).toSorted()).toEqual(
      model
        .artists()
        .filter((artist) => of(artist).length > 0)
        .toSorted(),
    );
    const mapped = (await api.json('/api/sitemap/1/')) as {
      sounds: { id: string }[];
      artists: { username: string }[];
    };
    expect(mapped.sounds.map(({ id }) => catalogue.keys.get(id)).toSorted()).toEqual([...sounds].toSorted());
    expect(mapped.artists.map(({ username }) => username).toSorted()).toEqual(
      cards.map(({ username }) => username).toSorted(),
    );
    for (const artist of ARTISTS) {
      const isSeen = model.artists().includes(artist);
      expect(await list(`user=${artist}`)).toEqual(of(artist));
      expect(await countUses(`artist=${artist}`)).toBe(of(artist).length);
      expect(await list(`user=${artist}&include_private=true`, fan)).toEqual(of(artist));
      expect(await list(`user=${artist}&search=潮騒&include_private=true`, fan)).toEqual(of(artist));
      const answer = await api.get(`/api/account/artist/${artist}/`);
      expect(answer.status, artist).toBe(isSeen ? 200 : 404);
      if (isSeen) expect(await answer.json()).toMatchObject({ sound_count: of(artist).length });
      const letter = { artist_username: artist, text: 'こんにちは', recipient_email: '' };
      expect((await api.post('/api/messages/send/', letter)).status, artist).toBe(isSeen ? 200 : 404);
    }
    const former = await api.get('/api/account/artist/旧名/');
    expect(former.status).toBe(model.artists().includes(ARTISTS[0]) ? 200 : 404);
    const again = createTestApi(database);
    for (const key of SOUNDS) {
      const wanted = sounds.includes(key) ? 200 : 404;
      const id = catalogue.idOf(key);
      expect((await api.get(`/api/sounds/${id}/`)).status, key).toBe(wanted);
      expect(await countUses(`sound=${id}`), key).toBe(wanted === 200 ? 1 : 0);
      expect((await api.get(`/api/sounds/${id}/`, fan)).status, key).toBe(wanted);
      const similar = await api.get(`/api/sounds/${id}/similar/`, fan);
      expect(similar.status, key).toBe(wanted);
      if (wanted === 200) {
        const { results } = (await similar.json()) as { results: { id: string }[] };
        // The test lists each sound as similar to all, itself included; b is of another type.
        const alike = sounds.filter((other) => (other === 'b') === (key === 'b'));
        expect(results.map((sound) => catalogue.keys.get(sound.id)).toSorted(), key).toEqual(alike);
      }
      expect((await createVisitor(api).tryToBegin(id)).status, key).toBe(wanted);
      expect((await createVisitor(api).ask(id)).status, key).toBe(wanted);
      expect((await findSoundFile(database, id))?.is_published, key).toBe(wanted === 200);
      // The artist sees all of their sounds in any state.
      const own = await again.json(`/api/sounds/${id}/`, idOf(artistOf(key)));
      expect(own.is_published, key).toBe(wanted === 200);
      expect(own.hidden_reason, key).toBe(model.hidden.has(key) ? '理由' : undefined);
      if (wanted === 404) expect((await toggle(key)).status, key).toBe(404);
    }
  }

  test(
    'is exactly what is published, not hidden, and not of a suspended member',
    { timeout: 120_000 },
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 8 }), async (steps) => {
          const model = await reset();
          for (const taken of steps) {
            await take(taken);
            model.apply(taken);
          }
          await expectSeen(model);
        }),
        { numRuns: Number(process.env['TAKEDOWN_RUNS'] ?? 4) },
      );
    },
  );
});

test('every GET of the contract is checked, or shows nothing of other members', async () => {
  const modules = import.meta.glob<Record<string, unknown>>(
    ['../../../../contract/**/*.ts', '!**/operator/**'],
    { eager: true },
  );
  const paths = Object.values(modules)
    .flatMap((exports) => Object.values(exports))
    .flatMap((value) =>
      typeof value === 'object' &&
      value !== null &&
      'method' in value &&
      'path' in value &&
      value.method === 'GET'
        ? [String(value.path)]
        : [],
    );
  // The staff sees everything, and nobody else can call these (access.test.ts).
  const open = paths.filter((path) => !path.startsWith('/api/operator/'));
  expect([...new Set(open)].toSorted()).toEqual([...SHOWING, ...SHOWING_NOTHING_OF_OTHERS].toSorted());
});
