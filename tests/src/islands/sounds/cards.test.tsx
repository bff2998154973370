// @vitest-environment happy-dom
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { encodePeaks } from '#contract/sounds/peaks.ts';
import { toCardItem } from '#src/render/card-html.ts';
import type { SoundCardProps } from '#src/islands/sounds/SoundCard.tsx';
import type { CardSound } from '#src/lib/card-sound.ts';
import { drawInto } from '#src/lib/wave-drawing.ts';

const SOUND: CardSound = {
  id: 's1',
  title: '静かな雨',
  description: '屋根の音',
  file_url: '/media/s1.mp3',
  thumbnail_url: '/media/s1/320.webp',
  is_ai_generated: true,
  artist_name: '音の人',
  user_profile_picture: '/media/a1/96.webp',
  duration_ms: 12_000,
  peaks: encodePeaks([0.2, 0.9, 0.4]),
};

function parse(html: string): HTMLElement {
  document.body.innerHTML = `<ul data-islands><li>${html}</li></ul>`;
  return document.querySelector('article')!;
}

/** The names of all elements and attributes, in order: what a text must not change. */
function outline(card: Element): string[] {
  return [card, ...card.querySelectorAll('*')].map(
    (element) => `${element.tagName} ${[...element.attributes].map(({ name }) => name).join(' ')}`,
  );
}

const hostile = fc.oneof(
  fc.string({ minLength: 1, unit: 'grapheme' }),
  fc.constantFrom(
    '<img src=x onerror=alert(1)>',
    '"><script>alert(1)</script>',
    "' onclick='alert(1)",
    '</article></li><b>',
    '&lt;&amp;&#60;',
    '${title}',
    '\u2028<!--',
    'javascript:alert(1)',
  ),
);

const toCardHtml = (props: SoundCardProps) => new TextDecoder().decode(toCardItem(props));

describe('the HTML of a card', () => {
  it('shows any text as text, in content and in attributes', () => {
    const expected = outline(parse(toCardHtml({ sound: SOUND, hasPage: true })));
    fc.assert(
      fc.property(hostile, hostile, hostile, (title, description, artist) => {
        const sound = { ...SOUND, title, description, artist_name: artist };
        const card = parse(toCardHtml({ sound, hasPage: true }));
        expect(outline(card)).toEqual(expected);
        const shown = (text: string) => text.replaceAll(/\r\n?/g, '\n');
        expect(card.querySelector('[data-title]')?.textContent).toBe(shown(title));
        expect(card.querySelector('[data-artist]')?.textContent).toBe(shown(artist));
        expect(card.querySelector('[data-play]')?.getAttribute('data-label')).toBe(shown(title));
      }),
    );
  });

  it('is the same each time, and differs for each sound and place', () => {
    const html = toCardHtml({ sound: SOUND, hasPage: true });
    expect(toCardHtml({ sound: { ...SOUND }, hasPage: true })).toBe(html);
    const others = [
      toCardHtml({ sound: SOUND, hasPage: false }),
      toCardHtml({ sound: { ...SOUND, title: '別の雨' }, hasPage: true }),
    ];
    expect(new Set([html, ...others]).size).toBe(3);
  });
});

describe('the islands of a card', () => {
  beforeEach(() => vi.spyOn(console, 'error'));
  afterEach(() => vi.restoreAllMocks());

  it.each([
    ['with everything', SOUND],
    [
      'without anything optional',
      { ...SOUND, title: '', description: '', file_url: null, thumbnail_url: null },
    ],
    ['with markup', { ...SOUND, title: '<b>"&', description: '  two\n lines ', artist_name: '<i>' }],
  ])('hydrate from its HTML alone, %s', async (_, sound) => {
    const card = parse(toCardHtml({ sound, hasPage: true }));
    // The early script has drawn them.
    card.querySelectorAll('[data-wave]').forEach(drawInto);
    const html = card.innerHTML;
    const { hydrate } = await import('#src/islands/sounds/card-islands.tsx');
    const places = [...card.querySelectorAll<HTMLElement>('[data-island]')];
    expect(places).toHaveLength(4);
    await Promise.all(places.map(hydrate));
    expect(card.innerHTML.replaceAll(' data-live=""', '')).toBe(html);
    expect(console.error).not.toHaveBeenCalled();
  });
});
