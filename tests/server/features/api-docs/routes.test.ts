import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { useApiOnce } from '#support/http/use-api.ts';
import { openTestDatabase } from '#support/databases/databases.ts';
import { startHost } from '#support/http/host.ts';

/** The script of Swagger UI, compressed. */
const FILE_BYTES_MAX = 450 * 1024;
const NO_PAGE_POLICY = "default-src 'none'; img-src 'self'; frame-ancestors 'none'";
const PAGE_BYTES_MAX = 100 * 1024;
const PATHS = ['/api/openapi.json', '/api/docs'] as const;

const { api } = useApiOnce(
  () => openTestDatabase('sqlite'),
  () => ({ webOrigin: 'https://web.example' }),
);

const read = async (path: string, headers: Readonly<Record<string, string>> = {}) => {
  const response = await api.app.request(path, { headers });
  return { response, bytes: Buffer.from(await response.arrayBuffer()) };
};

describe.each(PATHS)('%s', (path) => {
  test('is the same in each encoding, and small', async () => {
    const { bytes, response } = await read(path);
    expect(response.status).toBe(200);
    const br = await read(path, { 'accept-encoding': 'gzip, br' });
    expect(br.response.headers.get('content-encoding')).toBe('br');
    expect(brotliDecompressSync(br.bytes)).toEqual(bytes);
    const gzip = await read(path, { 'accept-encoding': 'gzip' });
    expect(gunzipSync(gzip.bytes)).toEqual(bytes);
    expect(Math.max(br.bytes.length, gzip.bytes.length)).toBeLessThan(PAGE_BYTES_MAX);
    expect(response.headers.get('vary')).toContain('Accept-Encoding');
  });

  test('is not sent again to a client that has it', async () => {
    const { response } = await read(path);
    const etag = response.headers.get('etag') ?? expect.unreachable('no ETag');
    expect(response.headers.get('cache-control')).toBe('public, max-age=0, must-revalidate');
    const again = await read(path, { 'if-none-match': etag });
    expect([again.response.status, again.bytes.length]).toEqual([304, 0]);
    expect((await read(path, { 'if-none-match': '"other"' })).response.status).toBe(200);
  });

  test('is open to a web client on another host, as the other reads are', async () => {
    const { response } = await read(path, { origin: 'https://web.example' });
    expect(response.headers.get('access-control-allow-origin')).toBe('https://web.example');
  });
});

describe('the page', () => {
  test('loads its own files only, which browsers may keep', async () => {
    const html = (await read('/api/docs')).bytes.toString();
    const loaded = [...html.matchAll(/<(?:script|link)[^>]* (?:src|href)="([^"]+)"/g)].map(
      ([, to = '']) => to,
    );
    expect(loaded).toHaveLength(4);
    for (const path of loaded) {
      expect(path).toMatch(/^\/api\/docs\/[\w-]+\.[\w-]{12}\.(?:css|js)$/);
      const { response, bytes } = await read(path, { 'accept-encoding': 'br' });
      expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(response.headers.get('content-type')).toMatch(
        path.endsWith('.js') ? /^text\/javascript/ : /^text\/css/,
      );
      expect(bytes.length).toBeLessThan(FILE_BYTES_MAX);
      expect(brotliDecompressSync(bytes)).toEqual((await read(path)).bytes);
    }
    expect((await read('/api/docs/start.js')).response.status).toBe(404);
    expect((await read('/api/docs/..%2Fmodule.ts')).response.status).toBe(404);
  });

  test('names the document without scripts, and has no code of its own', async () => {
    const html = (await read('/api/docs')).bytes.toString();
    expect(html).toContain('<a href="/api/openapi.json">');
    expect(html).not.toMatch(/<script(?! src)|<style|\son\w+=|style="/);
  });

  test('has its own policy on the host, and JSON keeps the strictest', async () => {
    const host = await startHost();
    const page = await fetch(`${host.url}/api/docs`);
    expect(page.headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    expect(page.headers.get('x-content-type-options')).toBe('nosniff');
    const json = await fetch(`${host.url}/api/openapi.json`);
    expect(json.headers.get('content-security-policy')).toBe(NO_PAGE_POLICY);
    const [, script = ''] = /src="([^"]+)"/.exec(await page.text()) ?? [];
    const file = await fetch(host.url + script);
    expect(file.headers.get('content-security-policy')).toBe(NO_PAGE_POLICY);
    expect(file.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect((await fetch(`${host.url}/`)).headers.get('content-security-policy')).not.toContain(
      "script-src 'self';",
    );
    expect((await fetch(`${host.url}/api/docs/`)).status).toBe(200);
  });
});

test('the server starts without the package that converts schemas, and without texts', async () => {
  const source = `
    import { registerHooks } from 'node:module';
    const loaded = [];
    registerHooks({ resolve(name, context, next) { loaded.push(name); return next(name, context); } });
    await import('./server/host.ts');
    console.log(loaded.includes('valibot'), loaded.filter((name) => /to-json-schema|api-docs\\/(?!module)|api-texts/.test(name)));
  `;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', source], {
    cwd: new URL('../../../../', import.meta.url).pathname,
  });
  expect(stdout.trim()).toBe('true []');
});
