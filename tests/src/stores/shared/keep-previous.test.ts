import { atom, computed } from 'nanostores';
import { describe, expect, it, vi } from 'vitest';
import { keepPrevious } from '#src/stores/shared/keep-previous.ts';

type Step = readonly [key: string | undefined, data: string | undefined];

/** The data that listeners see after each step. */
function follow(steps: readonly Step[]) {
  let key: string | undefined;
  const $source = atom<{ data?: string | undefined; step: number }>({ step: 0 });
  const seen: (string | undefined)[] = [];
  const $kept = keepPrevious(
    computed($source, (reading) => reading),
    () => key,
  );
  const stop = $kept.listen(({ data }) => seen.push(data));
  for (const [index, [next, data]] of steps.entries()) {
    key = next;
    $source.set({ data, step: index + 1 });
  }
  return { $kept, $source, seen, stop };
}

describe('the previous data', () => {
  it.each<[string, readonly Step[], (string | undefined)[]]>([
    [
      'stays while there is none',
      [
        ['a', '1'],
        ['a', undefined],
        ['a', undefined],
      ],
      ['1', '1', '1'],
    ],
    [
      'is replaced by the next',
      [
        ['a', '1'],
        ['a', undefined],
        ['a', '2'],
        ['a', undefined],
      ],
      ['1', '1', '2', '2'],
    ],
    [
      'is never that of another key',
      [
        ['a', '1'],
        ['b', undefined],
        ['a', undefined],
      ],
      ['1', undefined, undefined],
    ],
    [
      'goes with the key',
      [
        ['a', '1'],
        [undefined, undefined],
        ['a', undefined],
      ],
      ['1', undefined, undefined],
    ],
    [
      'is not kept without a key',
      [
        [undefined, '1'],
        [undefined, undefined],
      ],
      ['1', undefined],
    ],
  ])('%s', (_, steps, expected) => {
    expect(follow(steps).seen).toEqual(expected);
  });

  it('comes with the rest of what the store says by now', () => {
    const { $kept } = follow([
      ['a', '1'],
      ['a', undefined],
    ]);
    expect($kept.get()).toEqual({ data: '1', step: 2 });
  });

  it('is dropped with the last listener', () => {
    vi.useFakeTimers();
    const { $kept, $source, stop } = follow([
      ['a', '1'],
      ['a', undefined],
    ]);
    stop();
    // Stores stop a second after the last listener.
    vi.runAllTimers();
    vi.useRealTimers();
    $source.set({ step: 9 });
    expect($kept.get()).toEqual({ step: 9 });
  });
});
