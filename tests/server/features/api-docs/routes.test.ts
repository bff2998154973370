import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { STYLES } from '#server/features/api-docs/styles.ts';
import { useApiOnce } from '#support/http/use-api.ts';
import { openTestDatabase } from '#support/databases/databases.ts';
import { startHost } from '#support/http/host.ts';

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
  test('has an anchor for each call, and each link inside the page leads somewhere', async () => {
    const html = (await read('/api/docs')).bytes.toString();
    const document = JSON.parse((await read('/api/openapi.json')).bytes.toString()) as {
      paths: Record<string, Record<string, { operationId: string }>>;
    };
    const ids = new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
    const names = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    );
    expect(names.length).toBeGreaterThan(50);
    expect(names.filter((name) => !ids.has(name))).toEqual([]);
    const links = [...html.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
    expect(links.filter((id) => !ids.has(id))).toEqual([]);
  });

  test('loads and runs nothing', async () => {
    const { response, bytes } = await read('/api/docs');
    expect(response.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
    );
    const [, style = ''] = /<style>([^]*?)<\/style>/.exec(bytes.toString()) ?? [];
    const hash = createHash('sha256').update(style).digest('base64');
    expect(response.headers.get('content-security-policy')).toContain(`'sha256-${hash}'`);
    expect(bytes.toString()).not.toMatch(/<script|<link|<img|<iframe|\son\w+=|style="|url\(/i);
  });

  test('has the colours of the site', async () => {
    const theme = await readFile(new URL('../../../../src/styles/theme.css', import.meta.url), 'utf8');
    const list = (text: string) =>
      [...text.matchAll(/--(?:color-)?(paper|surface|ink|muted|line|accent|tint): (#\w+)/g)].map(
        ([, name, colour]) => `${name} ${colour}`,
      );
    expect(list(STYLES).toSorted()).toEqual(list(theme).toSorted());
    expect(list(STYLES)).toHaveLength(14);
  });

  test('has its own policy on the host, and JSON keeps the strictest', async () => {
    const host = await startHost();
    const page = await fetch(`${host.url}/api/docs`);
    expect(page.headers.get('content-security-policy')).toContain("style-src 'sha256-");
    expect(page.headers.get('x-content-type-options')).toBe('nosniff');
    const json = await fetch(`${host.url}/api/openapi.json`);
    expect(json.headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'");
    expect((await fetch(`${host.url}/api/docs/`)).status).toBe(200);
  });
});

test('the server starts without the package that converts schemas', async () => {
  const source = `
    import { registerHooks } from 'node:module';
    const loaded = [];
    registerHooks({ resolve(name, context, next) { loaded.push(name); return next(name, context); } });
    await import('./server/host.ts');
    console.log(loaded.includes('valibot'), loaded.filter((name) => /to-json-schema|api-docs\\/(?!module)/.test(name)));
  `;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', source], {
    cwd: new URL('../../../../', import.meta.url).pathname,
  });
  expect(stdout.trim()).toBe('true []');
});
