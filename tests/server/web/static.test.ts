import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { compressFiles } from '#server/build.ts';
import { loadStaticFiles } from '#server/web/static.ts';
import { makeFolder } from '#support/files/folders.ts';
import { startWeb } from '#support/http/web.ts';

const SCRIPT = 'console.log("音");\n'.repeat(200);
const VIDEO_BYTES = 2_000_000;

async function startStatic() {
  const root = await makeFolder();
  await mkdir(join(root, '_astro'));
  await writeFile(join(root, '_astro', 'page.Ab12.js'), SCRIPT);
  await writeFile(join(root, 'favicon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  await writeFile(join(root, 'ad.mp4'), Buffer.alloc(VIDEO_BYTES, 7));
  await writeFile(join(root, '.env'), 'hidden');
  await mkdir(join(root, '.well-known'));
  await writeFile(join(root, '.well-known', 'security.txt'), 'Contact: mailto:x@example.test');
  await compressFiles(root);
  return startWeb({ staticFiles: await loadStaticFiles(root) });
}

/** The encoded body; fetch would decompress it. */
function getRaw(
  url: string,
  headers: Record<string, string>,
): Promise<{ body: Buffer; encoding: string | undefined }> {
  return new Promise((resolve, reject) => {
    request(url, { headers }, (response) => {
      buffer(response).then(
        (body) => resolve({ body, encoding: response.headers['content-encoding'] }),
        reject,
      );
    })
      .on('error', reject)
      .end();
  });
}

describe('built files', () => {
  test('are sent as compressed at build time', async () => {
    const { url } = await startStatic();
    const br = await getRaw(`${url}/_astro/page.Ab12.js`, { 'accept-encoding': 'gzip, br' });
    expect(br.encoding).toBe('br');
    expect(br.body.byteLength).toBeLessThan(100);
    expect(brotliDecompressSync(br.body).toString()).toBe(SCRIPT);
    expect((await getRaw(`${url}/_astro/page.Ab12.js`, { 'accept-encoding': 'gzip' })).encoding).toBe('gzip');
    const plain = await getRaw(`${url}/_astro/page.Ab12.js`, {});
    expect([plain.encoding, plain.body.toString()]).toEqual([undefined, SCRIPT]);
  });

  test('are immutable when their name contains a hash, also for HEAD and 304', async () => {
    const { get } = await startStatic();
    const first = await get('/_astro/page.Ab12.js');
    const etag = first.headers.get('etag') ?? '';
    const head = await get('/_astro/page.Ab12.js', {}, 'HEAD');
    const again = await get('/_astro/page.Ab12.js', { 'if-none-match': etag });
    for (const response of [first, head, again]) {
      expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(response.headers.get('vary')).toBe('accept-encoding');
    }
    expect([head.status, await head.text(), again.status]).toEqual([200, '', 304]);
    expect(first.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  });

  test('have another ETag in another encoding', async () => {
    const { get } = await startStatic();
    const tags = await Promise.all(
      ['br', 'gzip', 'identity'].map(async (encoding) =>
        (await get('/_astro/page.Ab12.js', { 'accept-encoding': encoding })).headers.get('etag'),
      ),
    );
    expect(new Set(tags).size).toBe(3);
  });

  test('are revalidated after an hour when their name is fixed', async () => {
    const { get } = await startStatic();
    const response = await get('/favicon.svg');
    expect(response.headers.get('cache-control')).toBe('public, max-age=3600');
    expect(response.headers.get('content-type')).toBe('image/svg+xml; charset=utf-8');
    expect(response.headers.get('content-security-policy')).toContain('sandbox');
  });

  test('are streamed from disk when they are large', async () => {
    const { get } = await startStatic();
    const whole = await get('/ad.mp4');
    expect((await whole.arrayBuffer()).byteLength).toBe(VIDEO_BYTES);
    const part = await get('/ad.mp4', { range: 'bytes=-10' });
    expect([part.status, part.headers.get('content-range')]).toEqual([
      206,
      `bytes ${VIDEO_BYTES - 10}-${VIDEO_BYTES - 1}/${VIDEO_BYTES}`,
    ]);
    expect(part.headers.get('content-type')).toBe('video/mp4');
  });

  test('are the only content under /_: nothing is rendered there', async () => {
    const { get } = await startStatic();
    for (const path of ['/_astro/gone.js', '/_image?href=x', '/_server-islands/x', '/_astro/']) {
      const response = await get(path);
      expect([response.status, response.headers.get('content-type')]).toEqual([
        404,
        'application/json; charset=utf-8',
      ]);
    }
  });

  test('exclude hidden files, except .well-known', async () => {
    const { get } = await startStatic();
    expect(await (await get('/.env')).text()).not.toBe('hidden');
    expect(await (await get('/.well-known/security.txt')).text()).toMatch(/^Contact/);
  });

  test('accept only GET and HEAD', async () => {
    const { get } = await startStatic();
    const response = await get('/favicon.svg', {}, 'POST');
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });
});
