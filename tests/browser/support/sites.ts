import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** A data folder with the test catalogue. */
    siteTemplate: string;
  }
}

export interface Site {
  readonly url: string;
  /** The folder of its database and mails. */
  readonly dataDir: string;
  /** The output of the process other than its address: warnings and errors of the log. */
  readonly log: readonly string[];
  stop(): Promise<void>;
}

/** Starts a separate marketplace in another process, on a free port, with a copy of the template's data. */
export async function startSite(
  env: Record<string, string> = {},
  template = inject('siteTemplate'),
): Promise<Site> {
  const child = spawn('node', [new URL('serve.ts', import.meta.url).pathname], {
    env: { ...process.env, SITE_TEMPLATE: template, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
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
  return { url, dataDir, log, stop: () => stop(child) };
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}
