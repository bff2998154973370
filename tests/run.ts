/**
 * `npm test`: everything, the quick steps first. `npm run quick`: what a save deserves.
 * The first step that fails ends the run; the last line counts the tests.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import '../server/check-node.mjs';

interface Step {
  readonly name: string;
  readonly command: readonly string[];
}

const vitest = (project: string): Step => ({
  name: `tests: ${project}`,
  command: ['vitest', 'run', '--project', project, '--reporter=default', '--reporter=json'],
});

const QUICK: readonly Step[] = [
  { name: 'format', command: ['prettier', '--check', '--log-level=warn', '.'] },
  { name: 'lint', command: ['oxlint'] },
  { name: 'types (astro)', command: ['astro', 'check', '--minimumSeverity', 'warning'] },
  { name: 'types', command: ['tsc', '--noEmit'] },
  vitest('unit'),
];
const ALL: readonly Step[] = [
  ...QUICK.slice(0, -1),
  { name: 'dead code', command: ['knip'] },
  ...QUICK.slice(-1),
  vitest('api'),
  { name: 'build', command: ['node', 'server/build.ts'] },
  vitest('browser'),
];

const steps = process.argv[2] === 'quick' ? QUICK : ALL;
const folder = await mkdtemp(join(tmpdir(), 'tests-'));
const count = { passed: 0, failed: 0, skipped: 0 };
let isFailed = false;

for (const [index, step] of steps.entries()) {
  const report = join(folder, `${index}.json`);
  const began = performance.now();
  console.log(`\n── ${step.name}`);
  const code = await run(step, report);
  await addCounts(report);
  console.log(
    `── ${step.name}: ${code === 0 ? 'ok' : `failed (${code})`}, ${((performance.now() - began) / 1000).toFixed(1)} s`,
  );
  if (code !== 0) {
    isFailed = true;
    if (!step.name.startsWith('tests')) count.failed += 1;
    break;
  }
}

await rm(folder, { recursive: true, force: true });
console.log(`\n${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`);
process.exitCode = isFailed ? 1 : 0;

function run({ command: [name = '', ...args] }: Step, report: string): Promise<number> {
  const isVitest = name === 'vitest';
  const child = spawn(name, isVitest ? [...args, `--outputFile.json=${report}`] : args, {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ASTRO_TELEMETRY_DISABLED: '1' },
  });
  return new Promise((resolve) => {
    child.on('error', (error) => {
      console.error(error.message);
      resolve(127);
    });
    child.on('exit', (code) => resolve(code ?? 1));
  });
}

async function addCounts(report: string): Promise<void> {
  const text = await readFile(report, 'utf8').catch(() => null);
  if (text === null) return;
  const { numPassedTests, numFailedTests, numPendingTests } = JSON.parse(text) as Record<string, number>;
  count.passed += numPassedTests ?? 0;
  count.failed += numFailedTests ?? 0;
  count.skipped += numPendingTests ?? 0;
}
