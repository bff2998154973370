import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import { DEFAULT_LICENCE } from '#contract/downloads/licence.ts';
import { fillPage } from '#contract/site/page-texts.ts';
import { LICENCE_USES } from '#contract/sounds/sound-facts.ts';
import { pages } from '#demo/texts/pages.ts';
import { invalidateCache } from '#server/platform/database/statements/cached.ts';
import { createVisitor } from '#support/sounds/downloads.ts';
import { useApi } from '#support/http/use-api.ts';
import { DEFAULT_ARTIST, fillCatalogue } from '#support/sounds/catalogue.ts';
import { patchSound, readSound } from '#support/sounds/uploads.ts';
import { bothDatabases } from '#support/databases/databases.ts';
import { everyTable } from '#server/platform/database/schema.ts';

const TERMS = readFileSync(new URL('../../../../src/texts/member-terms.md', import.meta.url), 'utf8');
const ADDED = ['venues', 'broadcast', 'songs'];
const OWN = {
  title: '利用規約',
  order: 0,
  is_listed: true,
  body: '# 条件\n\n{licence}',
  licence_line: '動画と店舗で、無料で使えます。',
  licence_uses: ['venues', 'video'],
};

describe.each(bothDatabases)('the licence on $name', ({ open }) => {
  const { database, api, useStaff } = useApi(open);
  const staff = useStaff({ username: '運営' });
  let artist: string;
  let id: string;

  beforeEach(async () => {
    const catalogue = await fillCatalogue(database, [
      { key: 'rain', title: '雨のピアノ' },
      { key: 'wind', title: '風のピアノ', facts: { licence_uses: ['games', 'songs'] } },
      { key: 'bell', title: '鐘' },
    ]);
    artist = catalogue.artistIds.get(DEFAULT_ARTIST) ?? '';
    id = catalogue.idOf('rain');
  });

  const saveTerms = async (page: object, version?: number) => {
    api.clock.advance(1);
    const reply =
      version === undefined
        ? await api.post('/api/operator/pages/', { slug: 'member-terms', ...page }, staff)
        : await api.post('/api/operator/pages/member-terms/', { ...page, updated_at: version }, staff);
    return { status: reply.status, body: (await reply.json()) as Record<string, unknown> };
  };
  const readLicence = async () => {
    const { licence, licence_uses } = await api.json('/api/site-config');
    return { licence, addable: licence_uses as string[] };
  };
  const readUses = async (soundId = id) => {
    const { licence_uses, added_uses } = await api.json(`/api/sounds/${soundId}/`);
    return { licence_uses, added_uses };
  };
  const certify = async () => {
    const visitor = createVisitor(api);
    const { id: intent } = await visitor.begin(id);
    api.clock.advance(5_000);
    const reply = await visitor.ask(id, { log: true, provider: 'gpt', intent });
    const { certificate } = (await reply.json()) as { certificate: string };
    return (await api.json(`/api/certificates/${certificate}/`)).certificate;
  };
  const find = async (query: string) => {
    const { results } = await api.json(`/api/sounds/?${query}`);
    return results.map(({ title }: { title: string }) => title).toSorted() as string[];
  };

  test('of the product is one sentence in the terms, the help page, the API, its document and certificates', async () => {
    const { line, uses } = DEFAULT_LICENCE;
    const help = pages.find(({ slug }) => slug === 'license') ?? { title: '', body: '' };
    for (const page of [{ title: '', body: TERMS }, help])
      expect(fillPage(page, 'Otoichi', DEFAULT_LICENCE).body.split(line)).toHaveLength(2);
    expect(await readLicence()).toEqual({ licence: { line, uses }, addable: ADDED });
    expect(await readUses()).toEqual({ licence_uses: uses, added_uses: [] });
    expect(await certify()).toMatchObject({ licence_line: line, licence_uses: uses, added_uses: [] });
    const { components } = await api.json('/api/openapi.json');
    const { SiteLicence, Certificate } = components.schemas;
    expect(SiteLicence.properties).toMatchObject({ line: { examples: [line] }, uses: { examples: [uses] } });
    expect(Certificate.properties.licence_line.examples).toEqual([line]);
  });

  test('changes with the terms of the operator: the line, the terms, the API, the search and certificates', async () => {
    const before = await certify();
    const { status, body } = await saveTerms(OWN);
    expect(status).toBe(200);
    const licence = { line: OWN.licence_line, uses: ['video', 'venues'] };
    const addable = LICENCE_USES.filter((use) => !licence.uses.includes(use));
    expect(await readLicence()).toEqual({ licence, addable });
    expect(await readUses()).toEqual({ licence_uses: licence.uses, added_uses: [] });
    expect(await find('use=video&use=venues')).toHaveLength(3);
    expect(await find('use=games')).toEqual(['風のピアノ']);
    expect(await find('search=ゲーム用')).toEqual(['風のピアノ']);
    const certificate = await certify();
    expect(certificate).toMatchObject({ licence_line: licence.line, licence_uses: licence.uses });
    const terms = await api.json(`/api/licences/${certificate.licence_sha256}/`);
    expect(terms.body).toBe(`# 条件\n\n${licence.line}`);
    expect((await api.json(`/api/certificates/${before.id}/`)).certificate).toEqual(before);
    const page = await api.json('/api/operator/pages/member-terms/', staff);
    expect(page).toMatchObject({ licence_line: licence.line, licence_uses: licence.uses });
    const preview = { body: '{licence}', licence_line: 'まだ保存していない条件。' };
    const { html } = await (await api.post('/api/operator/page-preview/', preview, staff)).json();
    expect(html).toContain('まだ保存していない条件。');
    expect((await api.post('/api/operator/pages/member-terms/remove/', body, staff)).status).toBe(200);
    expect((await readLicence()).licence).toEqual(DEFAULT_LICENCE);
  });

  test('is not claimed for terms of an operator who has not confirmed it', async () => {
    await api.post('/api/operator/pages/', { slug: 'member-terms', ...OWN, body: '有料です。' }, staff);
    const { status } = await saveTerms({ ...OWN, body: '有料です。', licence_line: '', licence_uses: [] });
    expect(status).toBe(200);
    expect(await readLicence()).toEqual({ licence: undefined, addable: [...LICENCE_USES] });
    expect(await readUses()).toEqual({ licence_uses: [], added_uses: [] });
    expect(await find('use=games')).toEqual(['風のピアノ']);
    const { licence_line, licence_uses } = await certify();
    expect([licence_line, licence_uses]).toEqual([undefined, []]);
  });

  test('is not claimed any more when a version that does not know it has changed the terms', async () => {
    await saveTerms(OWN);
    await everyTable(database.db)
      .updateTable('extra_pages')
      .set(({ eb }) => ({ body: '有料です。', updated_at: eb('updated_at', '+', 1) }))
      .execute();
    const { updated_at } = await api.json('/api/operator/pages/member-terms/', staff);
    invalidateCache(database);
    expect((await readLicence()).licence).toBeUndefined();
    expect((await saveTerms(OWN, updated_at)).status).toBe(200);
    expect((await readLicence()).licence).toMatchObject({ line: OWN.licence_line });
  });

  test.each([
    [{ body: '有料です。' }, 'body'],
    [{ licence_line: '' }, 'licence_line'],
    [{ licence_line: ' ', licence_uses: [], body: '{licence}' }, 'licence_line'],
    [{ licence_line: '**無料**で使えます。' }, 'licence_line'],
    [{ licence_line: '<b>無料</b>' }, 'licence_line'],
    [{ licence_line: '{site}で無料' }, 'licence_line'],
    [{ licence_line: '- 無料で使えます。' }, 'licence_line'],
    [{ licence_line: 'あ'.repeat(201) }, 'licence_line'],
    [{ licence_uses: ['everything'] }, 'licence_uses'],
  ])('is refused by name if the terms would not say it: %o', async (change, name) => {
    const { status, body } = await saveTerms({ ...OWN, ...change });
    expect([status, Object.keys(body)]).toEqual([400, [name]]);
    expect((await readLicence()).licence).toEqual(DEFAULT_LICENCE);
  });

  test('is only added to by artists; what they say of its uses changes nothing', async () => {
    const answer = async (licence_uses: string | string[]) => {
      const sound = await readSound(await patchSound(api, artist, id, { licence_uses }));
      return sound.added_uses;
    };
    expect(await answer(['video', 'venues', 'commercial'])).toEqual(['venues']);
    expect(await answer(['songs', 'broadcast'])).toEqual(['broadcast', 'songs']);
    const { uses } = DEFAULT_LICENCE;
    expect(await readUses()).toEqual({
      licence_uses: [...uses, 'broadcast', 'songs'],
      added_uses: ['broadcast', 'songs'],
    });
    expect(await find('use=songs')).toEqual(['雨のピアノ', '風のピアノ']);
    expect(await answer('')).toEqual([]);
    // Answers from before stay in the row: they count again when terms no longer give the use.
    await saveTerms({ ...OWN, licence_uses: ['video'] });
    expect((await api.json('/api/sounds/?search=風'))?.results[0].added_uses).toEqual(['games', 'songs']);
  });

  test.each([
    'use=commercial',
    'use=video&use=games&use=uncredited',
    ...['商用OK', '商用利用可', 'クレジット不要', 'ゲーム用', '動画用', '商用 フリー'].map(
      (text) => `search=${encodeURIComponent(text)}`,
    ),
  ])('is what every sound has: %s finds all', async (query) => {
    const reply = await api.json(`/api/sounds/?${query}`);
    expect([reply.count, reply.search_notes]).toEqual([3, undefined]);
    const counts = await api.json(`/api/sounds/fact-counts/?${query}`);
    expect(counts.results).toContainEqual({ filter: 'use', value: 'apps', count: 3, is_capped: false });
  });

  test('is no word that a search has to find, and nothing that could be excluded', async () => {
    for (const words of [
      '商用OK ピアノ',
      'ピアノ クレジット不要',
      'ゲーム用 ピアノ',
      'ピアノ 商用利用可 フリー',
    ])
      expect(await find(`search=${encodeURIComponent(words)}`), words).toEqual(['雨のピアノ', '風のピアノ']);
    for (const query of [
      '-use=commercial',
      'use=songs&-use=games',
      'search=-商用OK',
      'search=ピアノ+-ゲーム用',
    ])
      expect(await find(query), query).toEqual([]);
  });
});
