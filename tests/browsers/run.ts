/**
 * `npm run browsers`: journeys in other engines than the Chromium of `npm test`, with browsers from Debian and a sound card
 * that nobody hears. `npm run browsers firefox` runs one engine; what follows its name chooses tests. Not a part of
 * `npm test`, because it needs packages of the system.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readVersion, untilInterrupted } from '../services/programs.ts';
import type { Engine, EngineResult } from './engine.ts';
import { firefox } from './firefox/run.ts';
import { startNullSink } from './null-sink.ts';
import { webkit } from './webkit/run.ts';

/** Each with a folder here. */
const ENGINES: readonly Engine[] = [firefox, webkit];

const [name, ...filters] = process.argv.slice(2);
const engines = ENGINES.filter((engine) => name === undefined || engine.name === name);
if (engines.length === 0) {
  console.error(`No such engine: ${name}. There is ${ENGINES.map((engine) => engine.name).join(', ')}.`);
  process.exit(1);
}
await requirePackages([...new Set(engines.flatMap(({ packages }) => packages))]);
await build();

const sink = await startNullSink();
const results: EngineResult[] = [];
await untilInterrupted(async (signal) => {
  try {
    // One after the other: each takes the whole machine.
    for (const engine of engines) results.push(await engine.run(filters, signal));
  } finally {
    await sink.end();
  }
});
for (const result of results) print(result);
if (results.some(({ ran, failed, faults }) => ran === 0 || failed > 0 || faults.length > 0))
  process.exitCode = 1;

async function requirePackages(packages: readonly string[]): Promise<void> {
  const found = await Promise.allSettled(packages.map(readVersion));
  const missing = packages.filter((_, index) => found[index]?.status === 'rejected');
  if (missing.length === 0) return;
  console.error(
    `These packages of Debian are missing: apt-get install --no-install-recommends ${missing.join(' ')}`,
  );
  process.exit(1);
}

/** As `npm test` does. */
async function build(): Promise<void> {
  const [code] = (await once(
    spawn('node', ['server/build.ts', '--target', 'edge'], { stdio: 'inherit' }),
    'exit',
  )) as [number | null];
  if (code !== 0) process.exit(1);
}

function print({ engine, version, ran, failed, left, reasons, faults }: EngineResult): void {
  console.log(
    `\n${engine} ${version}: ${ran} journeys ran, ${ran - failed} passed, ${failed} failed, ${left} left out`,
  );
  for (const reason of reasons) console.log(`  left out ${reason}`);
  for (const fault of faults) console.log(`  ✗ ${fault}`);
}
