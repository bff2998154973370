import * as fc from 'fast-check';
import { distance } from 'fastest-levenshtein';
import { describe, expect, test } from 'vitest';
import { type LexiconWord, loadLexicon } from '#server/features/catalogue/search/lexicon.ts';
import { findNear } from '#server/features/catalogue/search/near-words.ts';
import { openTestDatabase } from '#support/databases/databases.ts';
import { useDatabaseOnce } from '#support/databases/use-database.ts';
import { measureProcessorMs } from '#support/processes/processor-time.ts';

const database = useDatabaseOnce(() => openTestDatabase('sqlite'));

/** Compares with every known word: what `findNear` does with few of them. */
function findNearSlowly(known: readonly LexiconWord[], forms: readonly string[]): string[] {
  const mistakesOf = new Map<string, number>();
  for (const form of new Set(forms))
    for (const { word, folded, reading = '' } of known) {
      const mistakes = Math.min(countMistakes(form, folded), countMistakes(form, reading));
      if (mistakes < (mistakesOf.get(word) ?? Infinity)) mistakesOf.set(word, mistakes);
    }
  return [...mistakesOf]
    .sort(([, a], [, b]) => a - b)
    .slice(0, 4)
    .map(([word]) => word);
}

function countMistakes(typed: string, known: string): number {
  const mistakesMax = typed.length < 3 ? 0 : typed.length < 8 ? 1 : 2;
  if (Math.abs(known.length - typed.length) > mistakesMax) return Infinity;
  const mistakes = isSwapped(typed, known) ? 1 : distance(known, typed);
  return mistakes > 0 && mistakes <= mistakesMax ? mistakes : Infinity;
}

function isSwapped(typed: string, known: string): boolean {
  if (typed.length !== known.length) return false;
  const at = [...typed].findIndex((each, index) => each !== known[index]);
  return at !== -1 && typed === known.slice(0, at) + known[at + 1] + known[at] + known.slice(at + 2);
}

describe('words near another one', () => {
  test('are those that a comparison with every known word finds, in the same order', async () => {
    const known = await loadLexicon(database);
    const texts = known.words.flatMap(({ folded, reading = '' }) => [folded, reading]).filter(Boolean);
    const character = fc.constantFrom(...'あいうかんしーょっ雨音風abcn0');
    const change = fc.record({ at: fc.nat(20), by: character, kind: fc.constantFrom('+', '-', '=', '<>') });
    const mistyped = fc
      .tuple(fc.constantFrom(...texts), fc.array(change, { maxLength: 3 }))
      .map(([text, changes]) => changes.reduce(mistype, text));
    const anything = fc.array(character, { maxLength: 12 }).map((all) => all.join(''));
    fc.assert(
      fc.property(
        fc.array(fc.oneof(mistyped, mistyped, anything), { minLength: 1, maxLength: 3 }),
        (forms) => {
          expect(findNear(known, forms)).toEqual(findNearSlowly(known.words, forms));
        },
      ),
      { numRuns: 60 },
    );
  });

  test('cost a fraction of that comparison, whatever is typed', async () => {
    const known = await loadLexicon(database);
    const forms = Array.from({ length: 15 }, (_, at) =>
      Array.from({ length: 3 + (at % 10) }, (__, index) =>
        String.fromCharCode(0x3042 + ((at * 31 + index * 17) % 80)),
      ).join(''),
    );
    const find = (near: (forms: readonly string[]) => string[]) =>
      measureProcessorMs(() => forms.forEach((form) => near([form])));
    const all = (each: readonly string[]) => findNearSlowly(known.words, each);
    const few = (each: readonly string[]) => findNear(known, each);
    await find(few);
    await find(all);
    expect(await find(few)).toBeLessThan((await find(all)) / 3);
  });
});

interface Change {
  readonly at: number;
  readonly by: string;
  readonly kind: string;
}

function mistype(text: string, { at: far, by, kind }: Change): string {
  const characters = [...text];
  const at = far % (characters.length + 1);
  if (kind === '+') return characters.toSpliced(at, 0, by).join('');
  if (kind === '-') return characters.toSpliced(at, 1).join('');
  if (kind === '=') return characters.toSpliced(at, 1, by).join('');
  const [first = '', second = ''] = characters.slice(at, at + 2);
  return characters.toSpliced(at, 2, second, first).join('');
}
