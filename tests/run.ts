/**
 * `npm test`: everything, the quick steps first. `npm run quick`: what a save deserves. `npm run soak`: the long
 * variants, in the API tests that read the environment variable SOAK.
 * The first step that fails ends the run; the last line counts the tests. What fails on the server or in the
 * browser is tried once more, because a busy machine can starve both; the tests that needed it are listed with
 * what went wrong, for each of them is a fault to mend, in the test or in the product.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import '../server/check-node.mjs';

interface Step {
  readonly name: string;
  readonly command: readonly string[];
}

interface Report {
  readonly numPassedTests?: number;
  readonly numFailedTests?: number;
  readonly numPendingTests?: number;
  readonly testResults?: readonly {
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

const vitest = (project: string, ...flags: readonly string[]): Step => ({
  name: `tests: ${project}`,
  command: ['vitest', 'run', '--project', project, '--reporter=default', '--reporter=json', ...flags],
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
  vitest('api', '--retry=1'),
  { name: 'build', command: ['node', 'server/build.ts'] },
  vitest('browser', '--retry=1'),
];

const steps = process.argv[2] === 'quick' ? QUICK : process.argv[2] === 'soak' ? await listSoak() : ALL;
const folder = await mkdtemp(join(tmpdir(), 'tests-'));
const count = { passed: 0, failed: 0, skipped: 0 };
const triedTwice: string[] = [];
let isFailed = false;

for (const [index, step] of steps.entries()) {
  const report = join(folder, `${index}.json`);
  const began = performance.now();
  console.log(`\n── ${step.name}`);
  const code = await run(step, report);
  await readReport(report);
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
if (triedTwice.length > 0) console.log(`\nPassed at the second try:\n${triedTwice.join('\n')}`);
console.log(`\n${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`);
process.exitCode = isFailed ? 1 : 0;

/** The tests that do more when SOAK is set, which it is from here on. */
async function listSoak(): Promise<readonly Step[]> {
  process.env['SOAK'] = '1';
  const names = await readdir('tests/server', { recursive: true });
  const paths = names.filter((name) => name.endsWith('.test.ts')).map((name) => join('tests/server', name));
  const sources = await Promise.all(paths.map((path) => readFile(path, 'utf8')));
  return [vitest('api', ...paths.filter((_, index) => sources[index]?.includes("process.env['SOAK']")))];
}

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

async function readReport(path: string): Promise<void> {
  const text = await readFile(path, 'utf8').catch(() => null);
  if (text === null) return;
  const report = JSON.parse(text) as Report;
  count.passed += report.numPassedTests ?? 0;
  count.failed += report.numFailedTests ?? 0;
  count.skipped += report.numPendingTests ?? 0;
  for (const { fullName, status, failureMessages } of report.testResults?.flatMap(
    (file) => file.assertionResults,
  ) ?? [])
    if (status === 'passed' && failureMessages[0] !== undefined)
      triedTwice.push(`  ${fullName}: ${failureMessages[0].split('\n', 1)[0]}`);
}
