// @vitest-environment happy-dom
import { describe, expect, it, vi } from 'vitest';
import { findNextNotice } from '#src/api/notices.ts';
import { NOTICE } from '../support/notices.ts';
import { setExtended, useStores } from '../support/stores.ts';

useStores({ isExtended: true, clock: true });

/** A host that answers only with an abort. */
function hang() {
  vi.stubGlobal(
    'fetch',
    (_: string, { signal }: { signal: AbortSignal }) =>
      new Promise((_resolve, reject) => {
        if (signal.aborted) reject(new DOMException('left', 'AbortError'));
        signal.addEventListener('abort', () => reject(new DOMException('left', 'AbortError')));
      }),
  );
}

describe('the next notice', () => {
  it('is the host’s answer, if it is valid', async () => {
    const answers = [
      { notice: NOTICE },
      { notice: null },
      { notice: { ...NOTICE, url: 'https://other.test' } },
    ];
    vi.stubGlobal('fetch', () => Promise.resolve(Response.json(answers.shift())));
    expect(await findNextNotice()).toEqual(NOTICE);
    expect([await findNextNotice(), await findNextNotice()]).toEqual([null, null]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('comes from the API host, with addresses on it', async () => {
    const meta = Object.assign(document.createElement('meta'), {
      name: 'api-origin',
      content: 'https://api.test',
    });
    document.head.append(meta);
    const ask = vi.fn(() =>
      Promise.resolve(Response.json({ notice: { ...NOTICE, captions: '/notice/a.vtt' } })),
    );
    vi.stubGlobal('fetch', ask);
    const notice = await findNextNotice();
    meta.remove();
    expect(ask).toHaveBeenCalledWith('https://api.test/notice/next', expect.anything());
    expect([notice?.url, notice?.captions]).toEqual([
      'https://api.test/notice/spring.png',
      'https://api.test/notice/a.vtt',
    ]);
  });

  it('is not requested from a host without notices', async () => {
    setExtended(false);
    const ask = vi.fn();
    vi.stubGlobal('fetch', ask);
    expect(await findNextNotice()).toBeNull();
    expect(ask).not.toHaveBeenCalled();
  });

  it('is waited for at most eight seconds', async () => {
    hang();
    const asked = findNextNotice();
    const failed = expect(asked).rejects.toThrow('left');
    await vi.advanceTimersByTimeAsync(8_000);
    await failed;
    expect(vi.getTimerCount()).toBe(0);
  });

  it.each([0, 100])('is not waited for after leaving, %i ms later', async (ms) => {
    hang();
    const leaving = new AbortController();
    if (ms === 0) leaving.abort();
    const failed = expect(findNextNotice(leaving.signal)).rejects.toThrow('left');
    await vi.advanceTimersByTimeAsync(ms);
    leaving.abort();
    await failed;
    expect(vi.getTimerCount()).toBe(0);
  });
});
