import { execFileSync } from 'node:child_process';
import { type Browser, chromium } from 'playwright-core';

const ARGS = [
  '--no-sandbox',
  '--no-zygote',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--font-render-hinting=none',
];

/** Chromium from an npm package; `CHROMIUM_PATH` names another. */
export async function launchChromium(): Promise<Browser> {
  const executablePath = process.env['CHROMIUM_PATH'] ?? (await unpackChromium());
  return chromium.launch({ executablePath, args: ARGS, headless: true });
}

async function unpackChromium(): Promise<string> {
  // The package also brings the libraries that a bare system lacks, but puts them to use only
  // where it believes to be on its home system.
  if (!hasLibrary('libnss3.so')) process.env['AWS_EXECUTION_ENV'] ??= 'AWS_Lambda_nodejs24.x';
  const { default: packaged } = await import('@sparticuz/chromium');
  return packaged.executablePath();
}

function hasLibrary(name: string): boolean {
  try {
    return execFileSync('/sbin/ldconfig', ['-p'], { encoding: 'utf8' }).includes(name);
  } catch {
    return true;
  }
}
