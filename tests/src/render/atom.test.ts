import * as fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { type Sound, SoundSchema } from '#contract/sounds/sounds.ts';
import { lenient } from '#src/api/lenient.ts';
import { type Feed, toAtom } from '#src/render/atom.ts';
import { soundPath } from '#src/lib/paths.ts';
import { parsePublicSettings } from '#server/web/public-settings.ts';
import { listAtomFaults, parseAtom } from '../../pages/atom.ts';

const settings = parsePublicSettings({ SITE_URL: 'https://site.test', API_ORIGIN: 'https://api.test' });

function toSound(fields: object): Sound {
  return v.parse(lenient(SoundSchema), { title: '雨', created_at: '2026-11-20T01:02:03Z', ...fields });
}

function write(sounds: readonly Sound[], fields: Partial<Feed> = {}): string {
  return toAtom({ title: '新着', path: '/feed', pagePath: '/sounds', sounds, ...fields }, settings);
}

describe('the feed of sounds', () => {
  it('names page, artist, file and text of a sound by absolute addresses', () => {
    const xml = write([
      toSound({
        id: 'a/b',
        title: '雨 & <風>',
        description: '"静か"な\n夜',
        artist_name: '音の人',
        file_url: '/media/sounds/1/2.mp3',
        mime_type: 'audio/mpeg',
        size_bytes: 1200,
      }),
    ]);
    expect(listAtomFaults(xml)).toEqual([]);
    expect(parseAtom(xml)).toMatchObject({
      id: 'https://site.test/feed',
      updated: '2026-11-20T01:02:03.000Z',
      link: [
        { rel: 'self', href: 'https://site.test/feed' },
        { rel: 'alternate', href: 'https://site.test/sounds' },
      ],
      entry: [
        {
          id: 'https://site.test/sounds/a~2Fb',
          title: '雨 & <風>',
          summary: '"静か"な\n夜',
          author: [{ name: '音の人', uri: `https://site.test/artist/${encodeURIComponent('音の人')}` }],
          // The hash tells the player that the page was opened from a feed.
          link: [{ rel: 'alternate', href: 'https://site.test/sounds/a~2Fb#feed' }],
        },
      ],
    });
  });

  it('says when a sound was last changed, and stays in the order of publication', () => {
    const renamed = toSound({
      id: 'old',
      created_at: '2026-11-01T00:00:00Z',
      updated_at: '2026-11-25T00:00:00Z',
    });
    const { updated, entry } = parseAtom(write([renamed, toSound({ id: 'new' })]));
    expect(entry.map((each) => [each.id.split('/').at(-1), each.published, each.updated])).toEqual([
      ['new', '2026-11-20T01:02:03.000Z', '2026-11-20T01:02:03.000Z'],
      ['old', '2026-11-01T00:00:00.000Z', '2026-11-25T00:00:00.000Z'],
    ]);
    expect(updated).toBe('2026-11-25T00:00:00.000Z');
  });

  it('has the 50 newest sounds, each once, newest first, and none without a date', () => {
    const dated = Array.from({ length: 60 }, (_, index) =>
      toSound({ id: String(index), created_at: new Date(Date.UTC(2026, 0, index + 1)).toISOString() }),
    );
    const odd = ['', 'yesterday', '+012026-01-01T00:00:00Z'].map((created_at) =>
      toSound({ id: 'x', created_at }),
    );
    const xml = write([...dated, ...dated.slice(0, 5), ...odd, toSound({ id: 'y', created_at: undefined })]);
    expect(listAtomFaults(xml)).toEqual([]);
    expect(parseAtom(xml).entry.map(({ id }) => id.split('/').at(-1))).toEqual(
      Array.from({ length: 50 }, (_, index) => String(59 - index)),
    );
  });

  it('is a valid feed with the same bytes when there is nothing to show', () => {
    expect(listAtomFaults(write([]))).toEqual([]);
    expect(write([])).toBe(write([]));
  });

  it('is a valid feed with any texts, which its readers see without what XML forbids', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string(),
      fc.constantFrom(
        ']]>',
        '<![CDATA[',
        '&#0;',
        '&amp;',
        '\ufffe\uffff',
        '\u0000\u001b\u007f',
        '<!--',
        '<?x ?>',
      ),
      fc
        .array(fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)))
        .map((all) => all.join('')),
    );
    const fields = fc.record({
      id: text.map((id) => id.toWellFormed()).filter((id) => id !== ''),
      title: text,
      description: text,
      artist_name: text.map((name) => name.toWellFormed()),
      mime_type: fc.constantFrom('audio/mpeg', undefined),
      file_url: fc.oneof(
        fc.constant(null),
        fc.webUrl(),
        text.map((name) => `/media/${encodeURIComponent(name.toWellFormed())}`),
      ),
    });
    // A parser reads every line end as one.
    const unify = (value: string) => value.replace(/\r\n?/g, '\n');
    const readable = (value: string) =>
      unify(value.replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, ''));
    fc.assert(
      fc.property(fc.array(fields, { maxLength: 3 }), text, (all, title) => {
        // A path that ends in dots has another address.
        const sounds = all.filter(({ id }) => !/^\.{1,2}$/.test(id)).map(toSound);
        const xml = write(sounds, { title });
        expect(listAtomFaults(xml)).toEqual([]);
        const feed = parseAtom(xml);
        expect(unify(feed.title)).toBe(readable(title));
        const shown = new Map(feed.entry.map((entry) => [entry.id, entry.title]));
        for (const sound of new Map(sounds.map((each) => [each.id, each])).values()) {
          const page = new URL(soundPath(sound.id), settings.siteUrl).href;
          expect(unify(shown.get(page) ?? '')).toBe(readable(sound.title || 'Untitled'));
        }
      }),
      { numRuns: 300 },
    );
  });
});
