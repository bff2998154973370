import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { ApiError } from '#contract/calls/errors.ts';
import { getSiteConfig } from '#contract/site/site.ts';
import { downloadSound } from '#contract/downloads/downloads.ts';
import { getSound, listSounds } from '#contract/sounds/sounds.ts';
import { createClient } from '#src/api/client.ts';

const MINIMAL_SOUND = { id: 7, title: 'Rain' };

function clientOf(
  answer: (request: Request) => Response | Promise<Response>,
  filesOrigin = '',
  retries: 'none' | 'page' | 'browser' = 'none',
) {
  const fetchSpy = vi.fn(async (input: RequestInfo | URL, init?: RequestInit) =>
    answer(new Request(input, init)),
  );
  const api = createClient({ origin: 'http://api.test', fetch: fetchSpy, retries, filesOrigin });
  return { api, fetchSpy };
}

const json = (body: unknown, status = 200) => Response.json(body, { status });

describe('the API client', () => {
  it('fills in the path, repeats lists in the query and sends cookies', async () => {
    const { api, fetchSpy } = clientOf(() => json({ results: [], next: null }));
    await api(listSounds, { query: { sub_genres: ['1', '2'], search: '雨 & 傘', page: undefined } });
    const [url, init] = fetchSpy.mock.calls[0]!;
    expect(String(url)).toBe(
      'http://api.test/api/sounds/?sub_genres=1&sub_genres=2&search=%E9%9B%A8+%26+%E5%82%98',
    );
    expect(init?.credentials).toBe('include');
  });

  it('keeps an id with slashes and dots inside its path segment', async () => {
    const { api, fetchSpy } = clientOf(() => json({ url: '/f' }));
    await api(downloadSound, { params: { id: '../../account' }, query: { log: false } });
    expect(String(fetchSpy.mock.calls[0]![0])).toBe(
      'http://api.test/api/sounds/..%2F..%2Faccount/download?log=false',
    );
  });

  it.each([{}, { id: '' }])('asks for nothing whose id is empty: %j', async (params) => {
    const { api, fetchSpy } = clientOf(() => json(MINIMAL_SOUND));
    const call = api(getSound, { params } as { params: { id: string } });
    await expect(call).rejects.toMatchObject({ name: 'ApiError', kind: 'not-found' });
    expect(fetchSpy).not.toHaveBeenCalled();
  });

  it('accepts a host that sends only the fields of the spec', async () => {
    const { api } = clientOf(() => json(MINIMAL_SOUND));
    const sound = await api(getSound, { params: { id: '7' } });
    expect(sound).toMatchObject({
      id: '7',
      title: 'Rain',
      description: '',
      file_url: null,
      thumbnail_url: null,
      sub_genres: [],
      is_published: true,
      download_count: 0,
    });
    expect(sound.peaks).toBeUndefined();
  });

  it('loses only the affected feature when an extra field is malformed', async () => {
    const { api } = clientOf(() =>
      json({ ...MINIMAL_SOUND, peaks: 12, duration_ms: 'long', sub_genres: [1, '2'] }),
    );
    const sound = await api(getSound, { params: { id: '7' } });
    expect(sound.peaks).toBeUndefined();
    expect(sound.duration_ms).toBeUndefined();
    expect(sound.sub_genres).toEqual(['1', '2']);
  });

  it.each([
    ['https://host.example/api/sounds/?page=3&type=1', 3],
    ['/api/sounds/?type=1&page=4', 4],
    ['?page=2', 2],
    [5, 5],
    ['6', 6],
    ['0', null],
    [null, null],
    [undefined, null],
    ['', null],
    ['/api/sounds/?cursor=abc', 2],
    ['/api/sounds/?limit=20&offset=20', 2],
    ['/api/sounds/', null],
    [`/api/sounds/?cursor=${'a'.repeat(2000)}`, null],
    [0, null],
  ])('reads next = %s as page %s', async (next, page) => {
    const { api } = clientOf(() => json({ results: [], next }));
    expect((await api(listSounds)).next).toBe(page);
  });

  it('reads a plain list as a page without a next one', async () => {
    const { api } = clientOf(() => json([MINIMAL_SOUND]));
    expect(await api(listSounds)).toMatchObject({ results: [{ id: '7' }], next: null });
  });

  it.each([[{ data: [MINIMAL_SOUND] }], [{ results: null }], [{ results: 'none' }], [{}], [null]])(
    'does not read %j as an empty page',
    async (body) => {
      const { api } = clientOf(() => json(body));
      await expect(api(listSounds)).rejects.toMatchObject({ kind: 'unexpected-reply' });
    },
  );

  it('reads an error body', async () => {
    const { api } = clientOf(() => json({ email: 'taken' }, 400));
    const error = await api(getSiteConfig).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ApiError);
    const fields = [{ key: 'email', message: 'taken' }];
    expect(error).toMatchObject({ status: 400, kind: 'refused', fields });
  });

  it('distinguishes outages, missing resources and invalid replies', async () => {
    const kindOf = async (answer: () => Response | Promise<Response>) =>
      clientOf(answer)
        .api(getSiteConfig)
        .then(
          () => 'fine',
          (error: ApiError) => error.kind,
        );
    expect(await kindOf(() => json({}, 503))).toBe('unavailable');
    expect(await kindOf(() => Promise.reject(new TypeError('refused')))).toBe('unavailable');
    expect(await kindOf(() => json({ detail: 'no' }, 404))).toBe('not-found');
    expect(await kindOf(() => json('perhaps'))).toBe('unexpected-reply');
    expect(await kindOf(() => new Response('<html>'))).toBe('unexpected-reply');
  });

  it('omits unreadable entries, and warns once of each kind', async () => {
    const warn = vi.fn();
    const api = createClient({
      origin: 'http://api.test',
      fetch: async () =>
        json({ results: [{ title: 'No id' }, { title: 'Nor this' }, MINIMAL_SOUND], next: null }),
      retries: 'none',
      filesOrigin: '',
      warn,
    });
    for (let calls = 0; calls < 2; calls += 1) expect((await api(listSounds)).results).toHaveLength(1);
    expect(warn.mock.calls).toEqual([[expect.stringMatching(/^GET \/api\/sounds\/: dropped an entry: id /)]]);
  });

  it.each([
    ['/media/7.mp3', 'https://api.example/media/7.mp3'],
    ['media/7.mp3?key=1', 'https://api.example/media/7.mp3?key=1'],
    ['./media/雨.mp3', 'https://api.example/media/%E9%9B%A8.mp3'],
    ['//cdn.test/7.mp3', 'https://cdn.test/7.mp3'],
    ['http://cdn.test/7.mp3', 'http://cdn.test/7.mp3'],
    ['javascript:alert(1)', null],
    ['', null],
  ])('reads the file address %j of a host on another origin as %j', async (file_url, completed) => {
    const reply = { ...MINIMAL_SOUND, title: 'not/a/file', file_url };
    const { api } = clientOf(() => json(reply), 'https://api.example');
    expect(await api(getSound, { params: { id: '7' } })).toMatchObject({
      title: 'not/a/file',
      file_url: completed,
    });
  });

  it('completes the address of a download', async () => {
    const { api } = clientOf(() => json({ url: 'media/7.mp3' }), 'https://api.example');
    const { url } = await api(downloadSound, { params: { id: '7' }, query: {} });
    expect(url).toBe('https://api.example/media/7.mp3');
  });

  it('retries a temporary failure three times, after 1, 2 and 4 seconds, and a refusal never', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const times: number[] = [];
    const failing = clientOf(() => (times.push(Date.now()), json({}, 503)), '', 'browser');
    const call = failing.api(getSiteConfig).catch((error: unknown) => error);
    await vi.runAllTimersAsync();
    expect(await call).toMatchObject({ kind: 'unavailable' });
    expect(times.map((time) => time - times[0]!)).toEqual([0, 1000, 3000, 7000]);
    const refusing = clientOf(() => json({ detail: 'no' }, 400), '', 'browser');
    await refusing.api(getSiteConfig).catch(() => undefined);
    expect(refusing.fetchSpy).toHaveBeenCalledTimes(1);
  });

  it.each([500, 501, 502, 503, 504, 507, 520, 0])(
    'retries a read of a page once after a failure with status %i',
    async (status) => {
      const answers = [() => (status === 0 ? Promise.reject(new TypeError('reset')) : json({}, status))];
      const { api, fetchSpy } = clientOf(() => answers.shift()?.() ?? json({ results: [] }), '', 'page');
      expect(await api(listSounds)).toMatchObject({ results: [] });
      expect(fetchSpy).toHaveBeenCalledTimes(2);
    },
  );

  it('repeats no read for which the password was not given', async () => {
    const { api, fetchSpy } = clientOf(
      () => Promise.reject(new ApiError(403, [], { kind: 'cancelled' })),
      '',
      'page',
    );
    await expect(api(getSound, { params: { id: '7' } })).rejects.toMatchObject({ kind: 'cancelled' });
    expect(fetchSpy).toHaveBeenCalledTimes(1);
  });

  it('abandons a page after the second failure, and repeats no change and no refusal', async () => {
    const failing = clientOf(() => json({}, 501), '', 'page');
    await expect(failing.api(listSounds)).rejects.toMatchObject({ status: 501, kind: 'unavailable' });
    expect(failing.fetchSpy).toHaveBeenCalledTimes(2);
    const query = { log: false };
    await expect(failing.api(downloadSound, { params: { id: '7' }, query })).rejects.toThrow('unavailable');
    expect(failing.fetchSpy).toHaveBeenCalledTimes(3);
    const refusing = clientOf(() => json({ detail: 'no' }, 403), '', 'page');
    await expect(refusing.api(listSounds)).rejects.toMatchObject({ status: 403 });
    expect(refusing.fetchSpy).toHaveBeenCalledTimes(1);
  });
});
