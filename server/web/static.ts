import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, readdir, stat } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { ByteRange } from '../platform/storage/port.ts';
import { pickEncoding } from './conditions.ts';
import type { Encoding } from './conditions.ts';
import { sendFile, sendJson } from './replies.ts';
import type { Exchange, Sendable } from './replies.ts';
import { NO_PAGE_POLICY } from './security-headers.ts';
import type { Header } from './security-headers.ts';
import { READ_ONLY_TEXT } from '../platform/http/reply-texts.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.avif': 'image/avif',
  '.css': 'text/css; charset=utf-8',
  '.gif': 'image/gif',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.m4a': 'audio/mp4',
  '.mjs': 'text/javascript; charset=utf-8',
  '.mp3': 'audio/mpeg',
  '.mp4': 'video/mp4',
  '.png': 'image/png',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.webm': 'video/webm',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
  '.xml': 'application/xml; charset=utf-8',
};

/** Larger files are streamed from disk. `TOTAL_BYTES_MAX` limits all files in memory together. */
const FILE_BYTES_MAX = 1024 * 1024;
const TOTAL_BYTES_MAX = 64 * 1024 * 1024;
const ENDINGS = { br: '.br', gzip: '.gz' } as const;

/** An SVG may style itself; opened as a document, it may do nothing else. */
const DRAWING_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox";

interface StaticFile {
  readonly size: number;
  readonly etag: string;
  readonly headers: readonly Header[];
  readonly path: string;
  /** Empty for a file that is streamed from disk. */
  readonly bodies: ReadonlyMap<Encoding, Buffer>;
}

export interface StaticFiles {
  /** Whether the path is one of these files. */
  has(path: string): boolean;
  /** Sends the file of a path for which `has` returned true. */
  send(exchange: Exchange, path: string): Promise<void>;
}

export const NO_STATIC_FILES: StaticFiles = { has: () => false, send: () => Promise.resolve() };

/** Reads a built `dist/client` with the compressed variants of `server/build.ts`. */
export async function loadStaticFiles(root: string): Promise<StaticFiles> {
  const files = new Map<string, StaticFile>();
  const names = await readdir(root, { recursive: true, withFileTypes: true });
  let total = 0;
  for (const entry of names) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile() || /\.(?:br|gz)$/.test(entry.name) || isHidden(relative(root, path))) continue;
    const file = await loadFile(path, toUrlPath(root, path), TOTAL_BYTES_MAX - total);
    total += [...file.bodies.values()].reduce((sum, body) => sum + body.byteLength, 0);
    files.set(toUrlPath(root, path), file);
  }
  return {
    has: (path) => files.has(path),
    async send(exchange, path) {
      const file = files.get(path);
      if (file === undefined) throw new Error(`${path} is not a static file`);
      const { req } = exchange;
      if (req.method !== 'GET' && req.method !== 'HEAD') {
        return sendJson(exchange, 405, { detail: READ_ONLY_TEXT }, [['allow', 'GET, HEAD']]);
      }
      const encoding = file.bodies.size > 1 ? pickEncoding(req.headers['accept-encoding']) : 'identity';
      await sendFile(exchange, toSendable(file, file.bodies.has(encoding) ? encoding : 'identity'));
    },
  };
}

function toSendable(file: StaticFile, encoding: Encoding): Sendable {
  const body = file.bodies.get(encoding);
  const etag = encoding === 'identity' ? file.etag : `${file.etag.slice(0, -1)}-${encoding}"`;
  const headers: Header[] =
    encoding === 'identity' ? [...file.headers] : [...file.headers, ['content-encoding', encoding]];
  return {
    size: body?.byteLength ?? file.size,
    etag,
    headers,
    content: body ?? ((range?: ByteRange) => Promise.resolve(createReadStream(file.path, range))),
  };
}

async function loadFile(path: string, urlPath: string, bytesLeft: number): Promise<StaticFile> {
  const { size } = await stat(path);
  const isCached = size <= FILE_BYTES_MAX && size <= bytesLeft;
  const bodies = new Map<Encoding, Buffer>();
  if (isCached) {
    bodies.set('identity', await readFile(path));
    for (const [encoding, ending] of Object.entries(ENDINGS)) {
      const compressed = await readFile(path + ending).catch(() => undefined);
      if (compressed) bodies.set(encoding as Encoding, compressed);
    }
  }
  return {
    size,
    etag: `"${await hashFile(path)}"`,
    headers:
      bodies.size > 1 ? [...toStaticHeaders(urlPath), ['vary', 'accept-encoding']] : toStaticHeaders(urlPath),
    path,
    bodies,
  };
}

/** The headers of a built file in every encoding. */
export function toStaticHeaders(urlPath: string): Header[] {
  const isHashed = urlPath.startsWith('/_astro/');
  const isPage = urlPath.endsWith('.html');
  return [
    ['content-type', TYPES[extname(urlPath).toLowerCase()] ?? 'application/octet-stream'],
    [
      'cache-control',
      isHashed
        ? 'public, max-age=31536000, immutable'
        : isPage
          ? 'public, max-age=0, must-revalidate'
          : 'public, max-age=3600',
    ],
    ['cross-origin-resource-policy', 'same-site'],
    // A prerendered page has its policy in a <meta>, which does not support this directive.
    [
      'content-security-policy',
      isPage ? "frame-ancestors 'none'" : urlPath.endsWith('.svg') ? DRAWING_POLICY : NO_PAGE_POLICY,
    ],
  ];
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('base64url').slice(0, 22);
}

/** `.env` and similar files are never sent, even if they exist here; `.well-known` (RFC 8615) is public. */
function isHidden(path: string): boolean {
  return path.split(sep).some((name) => name.startsWith('.') && name !== '.well-known');
}

function toUrlPath(root: string, path: string): string {
  return `/${relative(root, path).split(sep).map(encodeURIComponent).join('/')}`;
}
