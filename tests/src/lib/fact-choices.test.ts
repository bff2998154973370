import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FACT_FILTERS, FACT_PARAMETERS, toFactName, toLengthRange } from '#contract/sounds/sound-facts.ts';
import { listFacts, parseFacts, toggleFact } from '#src/lib/fact-choices.ts';
import { FACT_TEXTS } from '#src/lib/fact-texts.ts';

const parse = (query: string) => parseFacts(new URLSearchParams(query));

describe('chosen facts', () => {
  it('are read from a URL in one order, without unknown and repeated values', () => {
    expect(parse('mood=sad&mood=loud&mood=bright&mood=sad&-vocals=yes')).toEqual({
      '-vocals': ['yes'],
      mood: ['bright', 'sad'],
    });
    expect(Object.keys(parse('use=apps&-length=0-10&length=300-'))).toEqual(['length', '-length', 'use']);
    expect(parse('constructor=yes&mood=&loopable=true')).toEqual({});
  });

  it('are not wanted and excluded at once', () => {
    expect(parse('mood=sad&-mood=sad&-mood=calm')).toEqual({ mood: ['sad'], '-mood': ['calm'] });
    expect(toggleFact(parse('mood=sad'), '-mood', 'sad')).toEqual({ '-mood': ['sad'] });
    expect(toggleFact(parse('-mood=sad'), 'mood', 'sad')).toEqual({ mood: ['sad'] });
  });

  it('are as before after a second press of the same value', () => {
    const choice = fc
      .constantFrom(...FACT_PARAMETERS)
      .chain((parameter) =>
        fc.tuple(
          fc.constant(parameter),
          fc.constantFrom<string>(...FACT_FILTERS[toFactName(parameter)].values),
        ),
      );
    fc.assert(
      fc.property(fc.array(choice), choice, (chosen, [parameter, value]) => {
        const choices = parseFacts(new URLSearchParams(chosen));
        const opposite = parameter.startsWith('-') ? toFactName(parameter) : (`-${parameter}` as const);
        const once = toggleFact(choices, parameter, value);
        const isIn = (list: typeof choices) => list[parameter]?.includes(value) ?? false;
        expect(isIn(once)).toBe(!isIn(choices));
        expect(once[opposite as typeof parameter] ?? []).not.toContain(value);
        if (choices[opposite as typeof parameter]?.includes(value) !== true)
          expect(toggleFact(once, parameter, value)).toEqual(choices);
        expect(listFacts(once)).toHaveLength(Object.values(once).flat().length);
      }),
    );
  });

  it('have a text for each value', () => {
    for (const [name, { values }] of Object.entries(FACT_FILTERS)) {
      expect(Object.keys(FACT_TEXTS[name as keyof typeof FACT_FILTERS].values).toSorted()).toEqual(
        [...values].toSorted(),
      );
    }
  });
});

it.each([
  [0, undefined],
  [1, '0-10'],
  [9_999, '0-10'],
  [10_000, '10-30'],
  [59_999, '30-60'],
  [180_000, '180-300'],
  [300_000, '300-'],
  [3_600_000, '300-'],
])('a sound of %i ms is in the range %s', (ms, range) => {
  expect(toLengthRange(ms)).toBe(range);
});
