import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { extname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

export const ROOT_DIR = fileURLToPath(new URL('..', import.meta.url));
export const DIST_DIR = join(ROOT_DIR, 'dist');

/** All inputs of a build. */
export const INGREDIENTS = [
  'src',
  'contract',
  'public',
  'astro.config.mjs',
  'tsconfig.json',
  'package.json',
  'package-lock.json',
];
const COMPRESSED_TYPES = new Set([
  '.css',
  '.html',
  '.js',
  '.json',
  '.mjs',
  '.svg',
  '.txt',
  '.webmanifest',
  '.xml',
]);
const ASSETS_DIR = join(DIST_DIR, 'client', '_astro');
/** Lists the scripts that dist has from the previous build. Outside of dist, which each build empties. */
const PREVIOUS_ASSETS_FILE = join(ROOT_DIR, '.astro', 'kept-assets.json');
/** Below this size, compression does not save a packet. */
const COMPRESSION_BYTES_MIN = 512;

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

/**
 * Builds the pages and compresses what browsers load. The stamp is written last, so an interrupted build counts as
 * stale. With `--target edge` the pages are also built as one file for an edge runtime.
 */
async function buildHere(): Promise<void> {
  const { target } = parseArgs({ options: { target: { type: 'string', default: 'node' } } }).values;
  if (target !== 'node' && target !== 'edge') throw new Error('--target is node or edge');
  process.env['NODE_ENV'] = 'production';
  const stamp = await computeStamp();
  const { build } = await import('astro');
  const previousAssets = await readAssets();
  await build({ root: ROOT_DIR, logLevel: 'warn' });
  await restorePreviousAssets(previousAssets);
  const clientDir = join(DIST_DIR, 'client');
  if (target === 'edge') {
    const { buildEdge } = await import('./build-edge.ts');
    await buildEdge(DIST_DIR, await listFiles(clientDir));
  }
  await compressFiles(clientDir);
  // Node calls its stripping of types experimental.
  await runNode('--disable-warning=ExperimentalWarning', join(ROOT_DIR, 'server', 'stripped-sources.mjs'));
  await writeFile(stampFile(), stamp);
}

/** The scripts of the current build, without those from the previous one. */
async function readAssets(): Promise<Map<string, Buffer>> {
  const previous = new Set(
    JSON.parse(await readFile(PREVIOUS_ASSETS_FILE, 'utf8').catch(() => '[]')) as string[],
  );
  const names = (await readdir(ASSETS_DIR).catch(() => [])).filter(
    (name) => !previous.has(name) && !/\.(br|gz)$/.test(name),
  );
  return new Map(
    await Promise.all(names.map(async (name) => [name, await readFile(join(ASSETS_DIR, name))] as const)),
  );
}

/**
 * Keeps the scripts of the previous build beside the new ones, for one generation: pages that a browser or CDN has
 * cached still request them.
 */
async function restorePreviousAssets(previousAssets: ReadonlyMap<string, Buffer>): Promise<void> {
  const now = new Set(await readdir(ASSETS_DIR));
  const previous = [...previousAssets].filter(([name]) => !now.has(name));
  await Promise.all(previous.map(([name, content]) => writeFile(join(ASSETS_DIR, name), content)));
  await writeFile(PREVIOUS_ASSETS_FILE, JSON.stringify(previous.map(([name]) => name)));
}

/** Builds in a separate process, so that the memory of the build is freed. */
export async function buildSite(): Promise<void> {
  await runNode(fileURLToPath(import.meta.url));
}

async function runNode(...args: readonly string[]): Promise<void> {
  const build = spawn(process.execPath, args, { stdio: 'inherit' });
  const [code] = (await once(build, 'exit')) as [number | null];
  if (code !== 0) throw new Error('the build failed');
}

/** Whether `dist` exists and was built from the current sources. */
export async function isBuilt(): Promise<boolean> {
  if (!existsSync(join(DIST_DIR, 'server', 'entry.mjs'))) return false;
  const stamp = await readFile(stampFile(), 'utf8').catch(() => '');
  return stamp === (await computeStamp());
}

function stampFile(): string {
  return join(DIST_DIR, '.build-stamp');
}

/** A hash of names and contents, so that changed timestamps alone cause no rebuild. */
async function computeStamp(): Promise<string> {
  const hash = createHash('sha256').update(process.versions.node);
  for (const ingredient of INGREDIENTS) {
    for (const path of await listFiles(join(ROOT_DIR, ingredient))) {
      hash.update(`\n${relative(ROOT_DIR, path)}\n`).update(await readFile(path));
    }
  }
  return hash.digest('hex');
}

/** The files under a folder, or the file itself, in a fixed order; nothing if the path does not exist. */
async function listFiles(path: string): Promise<string[]> {
  if (!existsSync(path)) return [];
  const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch(() => undefined);
  if (entries === undefined) return [path];
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
}

/** Writes `.br` and `.gz` beside every text file that they make smaller. */
export async function compressFiles(dir: string): Promise<void> {
  const files = (await listFiles(dir)).filter((path) => COMPRESSED_TYPES.has(extname(path)));
  await Promise.all(files.map(compressFile));
}

async function compressFile(path: string): Promise<void> {
  const content = await readFile(path);
  if (content.byteLength < COMPRESSION_BYTES_MIN) return;
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 11,
    [constants.BROTLI_PARAM_SIZE_HINT]: content.byteLength,
  };
  const [br, gz] = await Promise.all([
    compressBrotli(content, { params }),
    compressGzip(content, { level: 9 }),
  ]);
  if (br.byteLength < content.byteLength) await writeFile(`${path}.br`, br);
  if (gz.byteLength < content.byteLength) await writeFile(`${path}.gz`, gz);
}

if (import.meta.main) await buildHere();
