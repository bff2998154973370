import { XMLParser } from 'fast-xml-parser';
import { beforeAll, describe, expect, inject, it } from 'vitest';

const TITLE = '最新の戦闘音';

let soundId: string;
beforeAll(async () => {
  const reply = await fetch(`${inject('siteUrl')}/api/sounds/?search=${encodeURIComponent(TITLE)}`);
  const list = (await reply.json()) as { results: { id: string }[] };
  soundId = list.results[0]?.id ?? '';
});

const toSound = () => `${inject('siteUrl')}/sounds/${soundId}`;
const askOembed = (query: Record<string, string>) =>
  fetch(`${inject('siteUrl')}/oembed?${new URLSearchParams(query).toString()}`);

describe('oEmbed', () => {
  it('has the same fields in JSON and XML', async () => {
    const json = (await (await askOembed({ url: toSound() })).json()) as object;
    expect(json).toMatchObject({ type: 'rich', title: TITLE, width: 480, height: 132 });
    const xml = await (await askOembed({ url: toSound(), format: 'xml' })).text();
    const parsed = new XMLParser().parse(xml) as { oembed: Record<string, string | number> };
    expect(Object.keys(parsed.oembed)).toEqual(Object.keys(json));
    expect(parsed.oembed).toMatchObject({ ...json, version: 1 });
  });

  it('is no larger than asked for', async () => {
    const reply = await askOembed({ url: toSound(), maxwidth: '300', maxheight: '9999' });
    const sizes = await reply.json();
    expect(sizes).toMatchObject({ width: 300, height: 132 });
    expect(sizes).not.toHaveProperty('thumbnail_url');
    const wide = await askOembed({ url: toSound(), maxwidth: '320', maxheight: '320' });
    expect(await wide.json()).toMatchObject({ width: 320, thumbnail_width: 320, thumbnail_height: 320 });
  });

  it.each([
    [{}, 400],
    [{ url: '' }, 400],
    [{ url: '{sound}', format: 'yaml' }, 501],
    [{ url: '{site}/sounds/missing' }, 404],
    [{ url: '{site}/sounds/a%2Fb' }, 404],
    [{ url: '{site}/artist/音の人' }, 404],
    [{ url: 'https://other.test/sounds/{id}' }, 404],
    [{ url: `{sound}${'?'.repeat(3000)}` }, 404],
    [{ url: '{sound}?utm_source=x' }, 200],
  ] as const)('answers %j with %i', async (query, status) => {
    const filled = Object.entries(query).map(([name, value]) => [
      name,
      String(value)
        .replace('{sound}', toSound())
        .replace('{site}', inject('siteUrl'))
        .replace('{id}', soundId),
    ]);
    const reply = await askOembed(Object.fromEntries(filled) as Record<string, string>);
    expect(reply.status).toBe(status);
    if (status !== 200) expect(await reply.text()).not.toContain('<');
  });
});
