import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { type PageParts, createParts, joinParts, insertPart, toPart } from '#contract/site/page-parts.ts';

const join = (text: string, parts: PageParts) => new TextDecoder().decode(joinParts(toPart(text), parts));

it('a page with parts has the bytes that it has without', () => {
  const pieces = fc.array(fc.tuple(fc.string({ unit: 'grapheme' }), fc.boolean()));
  fc.assert(
    fc.property(pieces, (texts) => {
      const parts = createParts();
      const text = texts.map(([html, isPart]) => (isPart ? insertPart(parts, toPart(html)) : html)).join('');
      expect(join(text, parts)).toBe(texts.map(([html]) => html).join(''));
    }),
  );
});

it('a text cannot name a part: not by an index, not by the mark of another process', () => {
  const parts = createParts();
  const others = [
    `<b>0;</b>`,
    `\u0001${crypto.randomUUID()}:0;`,
    `\u0001\u0001${parts.mark.slice(0, -1)}0;`,
  ].join('');
  expect(join(`${others}${insertPart(parts, toPart('the part'))}`, parts)).toBe(`${others}the part`);
});

it('a part that contains a mark is not searched for marks', () => {
  const parts = createParts();
  const text = insertPart(parts, toPart(`a${parts.mark}0;b`));
  expect(join(text, parts)).toBe(`a${parts.mark}0;b`);
});

it('a page in development is whole, and a missing part is an error', () => {
  expect(insertPart(undefined, toPart('音'))).toBe('音');
  const parts = createParts();
  expect(() => join(`${parts.mark}0;`, parts)).toThrow('does not have');
});
