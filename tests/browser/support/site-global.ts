import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';
import { startSite } from './sites.ts';

const SEED = new URL('seed.ts', import.meta.url).pathname;

/** Creates the data that every site starts from, and starts the site for read-only tests. */
export default async function setup(project: TestProject) {
  const folder = await mkdtemp(join(tmpdir(), 'browser-global-'));
  // Sites and operator commands compile the same modules.
  process.env['NODE_COMPILE_CACHE'] ??= new URL(
    '../../../node_modules/.cache/node',
    import.meta.url,
  ).pathname;
  const template = join(folder, 'template');
  await mkdir(template);
  await promisify(execFile)('node', [SEED, template]);
  const site = await startSite({}, template);
  project.provide('siteTemplate', template);
  project.provide('siteUrl', site.url);
  project.provide('siteDataDir', site.dataDir);
  return async () => {
    await site.stop();
    await rm(folder, { recursive: true, force: true });
    const noise = site.log.filter((line) => !/no object in storage/.test(line));
    if (noise.length > 0) throw new Error(`the server's log is not silent:\n${noise.join('\n')}`);
  };
}
