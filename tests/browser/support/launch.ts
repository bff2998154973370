import { execFileSync } from 'node:child_process';
import { statfsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';
import { launchFirefox } from './firefox.ts';

const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--font-render-hinting=none',
];

/** One Japanese font for every machine. `SYSTEM_FONTS=1` measures with those of this machine instead. */
const fontSettings: Readonly<Record<string, string>> =
  process.env['SYSTEM_FONTS'] === '1'
    ? {}
    : { FONTCONFIG_FILE: new URL('fonts.conf', import.meta.url).pathname };

/** Enough for three browsers. */
const SHARED_MEMORY_BYTES = 2 * 1024 ** 3;

export interface Program {
  readonly engine: 'chromium' | 'firefox';
  readonly executablePath: string;
}

let opening: Promise<Browser> | undefined;

/** The browser of this worker. It is launched once, relaunched only after a crash, and ends with the worker. */
export async function openBrowser({ engine, executablePath }: Program): Promise<Browser> {
  if (opening === undefined || !(await opening).isConnected()) {
    opening =
      engine === 'firefox' ? launchFirefox(executablePath, fontSettings) : launchChromium(executablePath);
  }
  return opening;
}

/**
 * The browser of the tests: Chromium, or with `TEST_BROWSER=firefox` the Firefox of Debian. Unpacks Chromium on the first
 * call on a machine, so call it before workers start.
 */
export async function findBrowser(): Promise<Program> {
  return process.env['TEST_BROWSER'] === 'firefox'
    ? { engine: 'firefox', executablePath: '/usr/bin/firefox-esr' }
    : { engine: 'chromium', executablePath: await findChromium() };
}

/** A separate Chromium. */
export async function launchChromium(executablePath?: string): Promise<Browser> {
  return chromium.launch({
    executablePath: executablePath ?? (await findChromium()),
    args: ARGS,
    // Playwright keeps shared memory on the disk by default, for containers with a small /dev/shm.
    ignoreDefaultArgs: hasSharedMemory() ? ['--disable-dev-shm-usage'] : [],
    env: { ...process.env, ...fontSettings },
    headless: true,
  });
}

/** The path of Chromium from an npm package; `CHROMIUM_PATH` names another. */
async function findChromium(): Promise<string> {
  return process.env['CHROMIUM_PATH'] ?? unpackChromium();
}

async function unpackChromium(): Promise<string> {
  // The package also contains the libraries that a bare system lacks, but uses them only
  // where it detects its target system.
  if (!hasLibrary('libnss3.so')) process.env['AWS_EXECUTION_ENV'] ??= 'AWS_Lambda_nodejs24.x';
  const { default: packaged } = await import('@sparticuz/chromium');
  return packaged.executablePath();
}

function hasSharedMemory(): boolean {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm');
    return bavail * bsize > SHARED_MEMORY_BYTES;
  } catch {
    return false;
  }
}

function hasLibrary(name: string): boolean {
  try {
    return execFileSync('/sbin/ldconfig', ['-p'], { encoding: 'utf8' }).includes(name);
  } catch {
    return true;
  }
}
