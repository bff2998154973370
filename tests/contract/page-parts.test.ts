import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { createParts, joinParts, placePart, toPart } from '#contract/page-parts.ts';

const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

it('a page with parts has the bytes that it has without', () => {
  const pieces = fc.array(fc.tuple(fc.string({ unit: 'grapheme' }), fc.boolean()));
  fc.assert(
    fc.property(pieces, (texts) => {
      const parts = createParts();
      const text = texts.map(([html, isPart]) => (isPart ? placePart(parts, toPart(html)) : html)).join('');
      expect(decode(joinParts(text, parts))).toBe(decode(toPart(texts.map(([html]) => html).join(''))));
    }),
  );
});

it('a text cannot name a part: not by an index, not by the mark of another process', () => {
  const parts = createParts();
  const text = `<b>0;</b>${crypto.randomUUID()}:0;${placePart(parts, toPart('the part'))}`;
  expect(decode(joinParts(text, parts))).toMatch(/^<b>0;<\/b>[\w-]{36}:0;the part$/);
});

it('a part that contains a mark is not searched for marks', () => {
  const parts = createParts();
  const text = placePart(parts, toPart(`a${parts.mark}0;b`));
  expect(decode(joinParts(text, parts))).toBe(`a${parts.mark}0;b`);
});

it('a page in development is whole, and a missing part is an error', () => {
  expect(placePart(undefined, toPart('音'))).toBe('音');
  const parts = createParts();
  expect(() => joinParts(`${parts.mark}0;`, parts)).toThrow('does not have');
});
