// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { $completions, complete } from '#src/stores/search/completions.ts';
import { setExtended, useStores } from '../../support/stores.ts';

const fetchCompletions = vi.hoisted(() => vi.fn());
vi.mock('#src/stores/search/fetch-completions.ts', () => ({ fetchCompletions }));

const NOTHING = { words: [], artists: [], sounds: [] };
const of = (word: string) => ({ ...NOTHING, words: [word] });

useStores({ isExtended: true, clock: true });
beforeEach(() => {
  fetchCompletions.mockReset().mockImplementation((text: string) => Promise.resolve(of(text)));
});

describe('completions', () => {
  it('are asked for once when typing pauses', async () => {
    for (const text of ['あ', 'あめ', ' あめの ']) complete(text);
    await vi.runAllTimersAsync();
    expect(fetchCompletions.mock.calls.map(([text]) => text as string)).toEqual(['あめの']);
    expect($completions.get()).toEqual(of('あめの'));
  });

  it('of an earlier text are dropped, however late they arrive', async () => {
    let answer: (found: unknown) => void = () => undefined;
    fetchCompletions.mockImplementationOnce(() => new Promise((resolve) => (answer = resolve)));
    complete('あ');
    await vi.runAllTimersAsync();
    complete('あめ');
    await vi.runAllTimersAsync();
    answer(of('遅い'));
    await vi.runAllTimersAsync();
    expect($completions.get()).toEqual(of('あめ'));
  });

  it('are none for no text, after a failure, and on a host without them', async () => {
    complete('あめ');
    await vi.runAllTimersAsync();
    complete(' ');
    expect($completions.get()).toEqual(NOTHING);
    complete('あめ');
    await vi.runAllTimersAsync();
    fetchCompletions.mockRejectedValueOnce(new Error('no answer'));
    complete('海');
    await vi.runAllTimersAsync();
    expect($completions.get()).toEqual(NOTHING);
    setExtended(false);
    complete('山');
    await vi.runAllTimersAsync();
    expect(fetchCompletions).toHaveBeenCalledTimes(3);
  });
});
