import { describe, expect, it, vi } from 'vitest';
import { countFacts } from '#contract/sounds/fact-counts.ts';
import { listGenres } from '#contract/sounds/genres.ts';
import { listPages } from '#contract/site/site.ts';
import { listSounds } from '#contract/sounds/sounds.ts';
import type { Api } from '#src/api/client.ts';
import { rememberReplies } from '#src/render/remembering.ts';

function setUp() {
  let nowMs = 0;
  const asked = vi.fn<(endpoint: { path: string }, options?: unknown) => Promise<string[]>>(
    async ({ path }) => [path],
  );
  const replies = new Map<string, unknown>();
  const api = rememberReplies(asked as unknown as Api, replies, () => nowMs);
  return { api, asked, replies, pass: (ms: number) => (nowMs += ms) };
}

describe('cached replies', () => {
  it('are requested once, and again after two seconds', async () => {
    const { api, asked, pass } = setUp();
    await Promise.all([api(listGenres), api(listPages)]);
    expect(asked).toHaveBeenCalledTimes(2);
    pass(1999);
    expect(await api(listGenres)).toEqual(['/api/genres/']);
    expect(asked).toHaveBeenCalledTimes(2);
    pass(1);
    await api(listGenres);
    expect(asked).toHaveBeenCalledTimes(3);
  });

  it('are requested again at once after invalidation', async () => {
    const { api, asked, replies } = setUp();
    await api(listGenres);
    replies.clear();
    await api(listGenres);
    expect(asked).toHaveBeenCalledTimes(2);
  });

  it('are those of finished calls: one that never ends holds up no other', async () => {
    const { api, asked } = setUp();
    asked.mockReturnValueOnce(new Promise(() => undefined));
    void api(listGenres);
    expect(await api(listGenres)).toEqual(['/api/genres/']);
    expect(await api(listGenres)).toEqual(['/api/genres/']);
    expect(asked).toHaveBeenCalledTimes(2);
  });

  it('do not include a reply that was on its way during invalidation', async () => {
    const { api, asked, replies } = setUp();
    const early = api(listGenres);
    replies.clear();
    await early;
    await api(listGenres);
    expect(asked).toHaveBeenCalledTimes(2);
  });

  it('are not used for calls with parameters', async () => {
    const { api, asked } = setUp();
    await api(listSounds, { query: { page: 1 } });
    await api(listSounds, { query: { page: 1 } });
    expect(asked).toHaveBeenCalledTimes(2);
  });

  it('include the numbers beside filters, by the query, and only those of the last hundred queries', async () => {
    const { api, asked, replies, pass } = setUp();
    const count = (search: string) => api(countFacts, { query: { search } });
    await count('雨');
    expect(await count('雨')).toEqual(['/api/sounds/fact-counts/']);
    expect(asked).toHaveBeenCalledTimes(1);
    expect(asked).toHaveBeenCalledWith(countFacts, { query: { search: '雨' } });
    await count('風');
    expect(asked).toHaveBeenCalledTimes(2);
    pass(2000);
    await count('雨');
    expect(asked).toHaveBeenCalledTimes(3);
    for (let number = 0; number < 100; number += 1) await count(`${number}`);
    await count('99');
    expect(asked).toHaveBeenCalledTimes(103);
    await count('雨');
    expect(asked).toHaveBeenCalledTimes(104);
    replies.clear();
    await count('雨');
    expect(asked).toHaveBeenCalledTimes(105);
  });

  it('do not include failures', async () => {
    const { api, asked } = setUp();
    asked.mockRejectedValueOnce(new Error('down'));
    await expect(api(listGenres)).rejects.toThrow('down');
    await new Promise((resolve) => setImmediate(resolve));
    expect(await api(listGenres)).toEqual(['/api/genres/']);
  });
});
