import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DIST_DIR } from '#server/build.ts';

export interface EdgeRuntime {
  readonly url: string;
  /** What it has printed. */
  readonly log: readonly string[];
  stop(): Promise<void>;
}

export interface EdgeOptions {
  readonly port: number;
  /** Where requests to other hosts are sent. */
  readonly apiOrigin: string;
  readonly settings: Readonly<Record<string, string>>;
}

export const EDGE_DIR = join(DIST_DIR, 'edge');
const STARTS_WITHIN_MS = 20_000;
const findModule = createRequire(import.meta.url);

/** In front of the entry as Workers assets are: a path of a file is answered with it. */
const ASSETS = `
const TYPES = { js: 'text/javascript', svg: 'image/svg+xml', ico: 'image/x-icon' };
export default {
  async fetch(request, { FILES, PAGES }) {
    const { pathname } = new URL(request.url);
    const [, ending] = /\\.(\\w+)$/.exec(pathname) ?? [];
    const file = TYPES[ending] && (await FILES.fetch('http://files' + pathname));
    return file?.ok ? new Response(file.body, { headers: { 'content-type': TYPES[ending] } }) : PAGES.fetch(request);
  },
};`;

/** workerd with the entry. Every call that it makes reaches `apiOrigin`, whatever its address. */
export async function startWorkerd(options: EdgeOptions): Promise<EdgeRuntime> {
  const folder = await mkdtemp(join(tmpdir(), 'workerd-'));
  await copyFile(join(EDGE_DIR, 'entry.js'), join(folder, 'entry.js'));
  await writeFile(join(folder, 'assets.js'), ASSETS);
  await writeFile(join(folder, 'config.capnp'), toConfig(options));
  const { default: workerd } = findModule('workerd') as { default: string };
  return start(workerd, ['serve', join(folder, 'config.capnp')], {}, options.port, folder);
}

/** No compatibility flag: without `nodejs_compat` there are no Node modules. */
function toConfig({ port, apiOrigin, settings }: EdgeOptions): string {
  const { compatibilityDate } = findModule('workerd') as { compatibilityDate: string };
  const date = `compatibilityDate = ${JSON.stringify(compatibilityDate)}`;
  const bindings = Object.entries(settings).map(
    ([name, value]) => `(name = ${JSON.stringify(name)}, text = ${JSON.stringify(value)})`,
  );
  return `
using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "pages", worker = (modules = [(name = "entry.js", esModule = embed "entry.js")], ${date},
      bindings = [${bindings.join(', ')}], globalOutbound = "outside")),
    (name = "assets", worker = (modules = [(name = "assets.js", esModule = embed "assets.js")], ${date},
      bindings = [(name = "FILES", service = "files"), (name = "PAGES", service = "pages")])),
    (name = "files", disk = ${JSON.stringify(join(EDGE_DIR, 'client'))}),
    (name = "outside", external = "${new URL(apiOrigin).host}")],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "assets")]);`;
}

/** Deno with the entry. It may read its environment, listen, and call `apiOrigin`; any other call throws. */
export async function startDeno({ port, apiOrigin, settings }: EdgeOptions): Promise<EdgeRuntime> {
  const folder = await mkdtemp(join(tmpdir(), 'deno-'));
  const { runInstall } = findModule('deno/install_api.cjs') as { runInstall: () => string };
  const net = `--allow-net=127.0.0.1:${port},${new URL(apiOrigin).host}`;
  const flags = ['serve', '--quiet', '--no-prompt', '--no-config', '--allow-env', net];
  return start(
    runInstall(),
    [...flags, '--host', '127.0.0.1', '--port', String(port), join(EDGE_DIR, 'entry.js')],
    { ...settings, DENO_DIR: folder, DENO_NO_UPDATE_CHECK: '1' },
    port,
    folder,
  );
}

async function start(
  command: string,
  flags: readonly string[],
  env: Readonly<Record<string, string>>,
  port: number,
  folder: string,
): Promise<EdgeRuntime> {
  const child = spawn(command, flags, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const log: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => log.push(chunk.toString().trim()));
  }
  const url = `http://127.0.0.1:${port}`;
  const stop = async () => {
    await end(child);
    await rm(folder, { recursive: true, force: true });
  };
  const startedAt = performance.now();
  while (!(await fetch(`${url}/healthz`).catch(() => null))?.ok) {
    if (child.exitCode !== null || performance.now() - startedAt > STARTS_WITHIN_MS) {
      await stop();
      throw new Error(`${command} does not answer:\n${log.join('\n')}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return { url, log, stop };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}
