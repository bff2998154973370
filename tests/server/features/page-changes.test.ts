import * as fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { getArtist, listArtists } from '#contract/artists/artists.ts';
import { ApiError } from '#contract/calls/errors.ts';
import { countFacts } from '#contract/sounds/fact-counts.ts';
import { getSound, listSimilar, listSounds } from '#contract/sounds/sounds.ts';
import { listUses } from '#contract/artists/uses.ts';
import { announcePicture } from '#server/features/artists/changes.ts';
import { replacePictureKey } from '#server/features/profile/queries.ts';
import { unlimitedAdmission } from '#server/platform/limits/admission.ts';
import { type PageCache, createPageCache } from '#server/web/page-cache.ts';
import { toPage } from '#server/web/pages.ts';
import { type Api, createClient } from '#src/api/client.ts';
import { rememberReplies } from '#src/render/remembering.ts';
import { recordDependencies } from '#src/render/page-dependencies.ts';
import { createTestApi } from '#support/http/api.ts';
import { fillCatalogue } from '#support/sounds/catalogue.ts';
import { insertRow, listRows, openTestDatabase } from '#support/databases/databases.ts';
import { patchProfile } from '#support/members/profiles.ts';
import { addUse } from '#support/members/uses.ts';
import { patchSound, removeSound } from '#support/sounds/uploads.ts';
import { toHtml } from '#support/http/web.ts';

/** The API reads of src/pages, and everything they could show of the replies. */
const PAGES: Record<string, (api: Api, name: string) => Promise<unknown>> = {
  home: async (api) => [
    await api(listArtists),
    await api(listSounds, { query: { page_size: 8, ordering: '-downloads' } }),
  ],
  sounds: async (api) => [
    await api(listSounds, { query: { page: 1 } }),
    await api(countFacts, { query: {} }),
  ],
  search: async (api, search) => [
    await api(listSounds, { query: { search } }),
    await api(countFacts, { query: { search } }),
  ],
  artist: async (api, username) => [
    await api(getArtist, { params: { username } }),
    await api(listSounds, { query: { user: username } }),
    await api(listUses, { query: { artist: username } }),
  ],
  sound: async (api, id) => {
    const sound = await api(getSound, { params: { id } });
    const others = await api(listSounds, { query: { user: sound.artist_name, page_size: 9 } });
    const uses = await api(listUses, { query: { sound: id } });
    return [sound, others, uses, await api(listSimilar, { params: { id } })];
  },
};

async function renderWith(api: Api, path: string): Promise<Response> {
  const [, page = '', name = ''] = path.split('/').map(decodeURIComponent);
  try {
    return toHtml(JSON.stringify(await PAGES[page]?.(api, name)));
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return toHtml('Not Found', { status: 404 });
    throw error;
  }
}

// Which pages a change affects does not depend on the database.
describe('cached pages', () => {
  /** Two artists with sounds, a verified artist without sounds, and a member who is not an artist. */
  async function setUp() {
    const database = await openTestDatabase('sqlite');
    onTestFinished(() => database.close());
    const caches: PageCache[] = [];
    const replies = new Map<string, unknown>();
    const onChange = (tags?: readonly string[]) => {
      replies.clear();
      for (const cache of caches) cache.changed(tags);
    };
    const api = createTestApi(database, { onChange });
    const catalogue = await fillCatalogue(database, [
      { key: 'rain', title: '雨', artist: '音工房' },
      { key: 'wind', title: '風', artist: '音工房', isPublished: false },
      { key: 'sea', title: '海', artist: '渚' },
      { key: 'fire', title: '火', artist: '新人', isPublished: false },
    ]);
    const artistIds = [...catalogue.artistIds.values()];
    const names = [...catalogue.artistIds.keys()];
    const sounds = [...catalogue.ids.values()].map((id, index) => ({
      id,
      artistId: artistIds[[0, 0, 1, 2][index] ?? 0] ?? '',
    }));
    const client = createClient({
      origin: 'http://api.internal',
      fetch: async (input, init) => api.app.fetch(new Request(input, init)),
      retries: 'none',
      filesOrigin: '',
    });
    const rendered: string[] = [];
    const cache = createPageCache({
      toKey: ({ path }) => path,
      admission: unlimitedAdmission,
      maxBytes: 10_000_000,
      now: () => 0,
      async render(path, _, note) {
        rendered.push(path);
        return toPage(await renderWith(recordDependencies(rememberReplies(client, replies), note), path), []);
      },
    });
    caches.push(cache);
    const get = async (path: string) =>
      (
        await (cache.find(path, '') ?? (await cache.get({ path, query: '' }, path, 'id', ''))).encode(
          'identity',
        )
      ).body.toString();
    const toPath = (...parts: string[]) => `/${parts.map(encodeURIComponent).join('/')}`;
    const listPaths = () => [
      '/home/',
      '/sounds/',
      ...sounds.map(({ id }) => toPath('sound', id)),
      ...names.flatMap((name) => [toPath('artist', name), toPath('search', name)]),
    ];
    const deps = { database, catalogueChanged: onChange };
    return { api, database, artistIds, names, sounds, client, cache, rendered, get, toPath, listPaths, deps };
  }

  test('show the same as without a cache after every change', async () => {
    const step = fc.record({
      kind: fc.constantFrom('bio', 'rename', 'picture', 'publish', 'hide', 'title', 'delete', 'use'),
      who: fc.nat(3),
      sound: fc.nat(3),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 8 }), async (steps) => {
        const { api, database, artistIds, names, sounds, client, get, listPaths, deps } = await setUp();
        const paper = { kind: 'avatar', column: 'picture_key' } as const;
        let serial = 0;
        for (const { kind, who, sound } of steps) {
          for (const path of listPaths()) await get(path);
          const artistId = artistIds[who % artistIds.length] ?? '';
          const { id, artistId: owner } = sounds[sound] ?? { id: '', artistId: '' };
          serial += 1;
          if (kind === 'bio') await patchProfile(api, artistId, { bio: `${serial}` });
          else if (kind === 'rename') {
            names.push(`新しい名前${serial}`);
            await patchProfile(api, artistId, { username: names.at(-1) });
          } else if (kind === 'picture') {
            await replacePictureKey(database, artistId, { ...paper, key: `key${serial}` }, serial);
            await announcePicture(deps, artistId);
          } else if (kind === 'use') {
            const ids = [await addUse(database, id, { atMs: serial })];
            await api.post('/api/account/use-decisions/', { ids, state: 'confirmed' }, owner);
          } else if (kind === 'delete') await removeSound(api, owner, id);
          else {
            const change =
              kind === 'title' ? { title: `題${serial}` } : { is_published: String(kind === 'publish') };
            await patchSound(api, owner, id, change);
          }
          for (const path of listPaths()) {
            expect(await get(path), `${path} after ${kind}`).toBe(
              await (await renderWith(client, path)).text(),
            );
          }
        }
      }),
      { numRuns: 4 },
    );
  });

  test('stay cached when a member saves profile fields that they do not show', async () => {
    const { api, artistIds, names, get, listPaths, rendered, toPath } = await setUp();
    for (const path of listPaths()) await get(path);
    rendered.length = 0;
    // The third artist has no public sound.
    for (const bio of ['一', '二', '三']) {
      await patchProfile(api, artistIds[2] ?? '', { bio });
      for (const path of listPaths()) await get(path);
    }
    expect(new Set(rendered)).toEqual(new Set([toPath('artist', names[2] ?? '')]));
    expect(rendered).toHaveLength(3);
    expect(api.changedTags).toEqual(['一', '二', '三'].map(() => [`artist ${names[2]}`]));
  });

  test('show a similar sound of another artist as it is now, and not once it is withdrawn', async () => {
    const { api, database, sounds, get, toPath } = await setUp();
    const [rain, , sea] = sounds;
    const seqs = await listRows(database, 'sounds', {}, ['seq', 'id', 'type_id']);
    const seqOf = (id: string | undefined) => seqs.find((row) => row.id === id)?.seq ?? 0;
    await insertRow(database, 'sound_neighbours', {
      sound_seq: seqOf(rain?.id),
      type_id: seqs[0]?.type_id ?? 0,
      neighbours: `${seqOf(sea?.id)}`,
    });
    const path = toPath('sound', rain?.id ?? '');
    expect(await get(path)).toContain('海');
    await patchSound(api, sea?.artistId ?? '', sea?.id ?? '', { title: '湖' });
    expect(await get(path)).toContain('湖');
    await patchSound(api, sea?.artistId ?? '', sea?.id ?? '', { is_published: 'false' });
    expect(await get(path)).not.toContain('湖');
  });
});
