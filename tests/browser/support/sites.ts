import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, inject } from 'vitest';
import { PAGE_SIZE_DEFAULT } from '#contract/sounds/listing-limits.ts';
import { exitOf } from '#support/processes/exit.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A data folder with the test catalogue. */
    siteTemplate: string;
    /** A marketplace for all tests that change nothing. */
    siteUrl: string;
    siteDataDir: string;
  }
}

export interface Site {
  readonly url: string;
  /** The folder of its database and mails. */
  readonly dataDir: string;
  /** The output of the process other than its address: warnings and errors of the log. */
  readonly log: string[];
  stop(): Promise<void>;
}

type Settings = Readonly<Record<string, string>>;

const shared = new Map<string, Promise<Site>>();
/** By the origins of the sites that this worker has started. */
const hosts = new Map<string, Host>();

interface Host {
  /** The origin of the API. */
  readonly api: string;
  /** Unless the API is on another host. */
  readonly dataDir?: string;
}

/** What answers the calls of a page with this origin. */
export function findHost(origin: string): Host {
  return hosts.get(origin) ?? { api: origin, dataDir: inject('siteDataDir') };
}

/**
 * The site of this worker with these settings, which all its files share. Tests add accounts and sounds of their own,
 * and leave those of the catalogue as they are. The first page of `/sounds` has none of them: which files have added
 * sounds before depends on the machine. `/artist/音の人` begins with the newest. The site ends with the worker.
 */
export function useSite(settings: Settings = { RATE_LIMITS: 'off' }): Site {
  const key = JSON.stringify(settings);
  return use(() => {
    const site = shared.get(key) ?? startSite({ ...settings, MORE_SOUNDS: `${PAGE_SIZE_DEFAULT}` });
    shared.set(key, site);
    return site;
  }, false);
}

/** A site for the tests of a file or a group, which may change everything in it. */
export function useOwnSite(
  settings: Settings | (() => Settings | Promise<Settings>) = { RATE_LIMITS: 'off' },
): Site {
  return use(async () => startSite(typeof settings === 'function' ? await settings() : settings), true);
}

/** Asserts after the tests that the log is silent, after the end of the site if these tests end it. */
function use(start: () => Promise<Site>, ends: boolean): Site {
  let started: Site | undefined;
  const get = () => {
    if (started === undefined) throw new Error('the site has not started yet');
    return started;
  };
  beforeAll(async () => {
    started = await start();
  });
  afterAll(async () => {
    if (ends) await started?.stop();
    // Sounds that tests add to the tables alone have no file (`toFile`).
    const noise = started?.log.splice(0).filter((line) => !line.includes('"audioKey":"key-of-'));
    expect(noise, 'the server’s log is silent').toEqual([]);
  });
  return {
    get url() {
      return get().url;
    },
    get dataDir() {
      return get().dataDir;
    },
    get log() {
      return get().log;
    },
    stop: () => get().stop(),
  };
}

/** Starts a separate marketplace in another process, on a free port, with a copy of the template's data. */
export async function startSite(env: Settings = {}, template = inject('siteTemplate')): Promise<Site> {
  const child = spawn('node', [new URL('serve.ts', import.meta.url).pathname], {
    env: { ...process.env, SITE_TEMPLATE: template, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const log: string[] = [];
  let dataDir = '';
  const url = await new Promise<string>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the site ended with ${code}:\n${log.join('\n')}`)));
    createInterface(child.stderr).on('line', (line) => log.push(line));
    createInterface(child.stdout).on('line', (line) => {
      if (line.startsWith('ready ')) resolve(line.slice(6));
      else if (line.startsWith('data ')) dataDir = line.slice(5);
      else log.push(line);
    });
  });
  const api = env['API_ORIGIN'];
  hosts.set(url, api === undefined ? { api: url, dataDir } : { api });
  return { url, dataDir, log, stop: () => stop(child) };
}

async function stop(child: ChildProcess): Promise<void> {
  child.kill('SIGTERM');
  await exitOf(child);
}
