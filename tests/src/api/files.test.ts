// @vitest-environment happy-dom
import { afterEach, describe, expect, it, vi } from 'vitest';
import { UnreadableFile, fetchFile } from '#src/api/files.ts';
import { saveCsv, saveFile } from '#src/browser/save-file.ts';

const failWith = (error: Error) => vi.stubGlobal('fetch', vi.fn().mockRejectedValue(error));

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe('a file that fails to load', () => {
  it('from another origin is one that the page may not read, with its address', async () => {
    failWith(new TypeError('Failed to fetch'));
    const error = await fetchFile('https://files.test/7.mp3?key=1', 'x').catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(UnreadableFile);
    expect(error).toMatchObject({ url: 'https://files.test/7.mp3?key=1', status: 0 });
  });

  it.each([
    ['from our own origin', '/media/7.mp3', true],
    ['while offline', 'https://files.test/7.mp3', false],
    ['from what is no address of the web', 'javascript:alert(1)', true],
  ])('%s is a plain failure', async (_, url, isOnline) => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(isOnline);
    failWith(new TypeError('Failed to fetch'));
    const error = await fetchFile(url, 'x').catch((caught: unknown) => caught);
    expect(error).toMatchObject({ name: 'ApiError', status: 0 });
    expect(error).not.toBeInstanceOf(UnreadableFile);
  });
});

it('saves a text in CSV with its type and name', () => {
  const createUrl = vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:csv');
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
  saveCsv('a,b', 'downloads.csv');
  expect((createUrl.mock.calls[0]?.[0] as Blob | undefined)?.type).toBe('text/csv;charset=utf-8');
  expect(click.mock.contexts[0]).toMatchObject({ download: 'downloads.csv', href: 'blob:csv' });
});

it('saves a file of another host under a name that fits a file system', async () => {
  const header = `attachment; filename*=UTF-8''${encodeURIComponent('曲'.repeat(100))}%2F1.m4a`;
  vi.stubGlobal('fetch', async () => new Response('', { headers: { 'content-disposition': header } }));
  vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:file');
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
  saveFile(await fetchFile('/media/7', 'x'));
  expect(click.mock.contexts[0]).toMatchObject({ download: `${'曲'.repeat(83)}.m4a` });
});
