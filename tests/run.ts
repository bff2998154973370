/**
 * `npm test`: everything. Static checks and the build run beside the unit tests; API and browser tests run alone.
 * `npm run quick`: lint, the format and types of what changed, and the tests near it: those in the folder of its name.
 * `npm run soak`: every API and browser test at full length, the API on both databases, the browser with late replies.
 * `npm run power-cuts`: 200 power losses at steps of an upload, a payout, a backup, a restore and a first start.
 * Failed tests do not end the run, so that it tells of all; another step that fails does. The last lines name what failed
 * and count the tests, so that the end of a log suffices.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, parse, relative } from 'node:path';
import { text } from 'node:stream/consumers';
import '#server/check-node.mjs';
import { hasStrace } from '#support/power-cuts/trace.ts';

interface Step {
  readonly name: string;
  readonly command: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The step is killed then, and has failed. */
  readonly deadlineMinutes?: number;
}

/** Lanes run at the same time, the steps of a lane one after the other. */
type Stage = readonly (readonly Step[])[];

interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly testResults: readonly FileReport[];
}

interface FileReport {
  /** The absolute path of the file. */
  readonly name: string;
  /** Epoch milliseconds. */
  readonly startTime: number;
  readonly endTime: number;
  /** Why the file could not run, or an empty text. */
  readonly message: string;
  readonly assertionResults: readonly {
    readonly status: string;
    readonly fullName: string;
    readonly failureMessages: readonly string[];
  }[];
}

/** How many of a step's slowest files are printed. */
const SLOWEST = 15;

const vitest = (name: string, ...flags: readonly string[]): Step => ({
  name: `tests: ${name}`,
  command: ['vitest', 'run', '--reporter=default', '--reporter=json', ...flags],
});

const format = (...paths: readonly string[]): Step => ({
  name: 'format',
  command: ['prettier', '--check', '--cache', '--log-level=warn', '--ignore-unknown', ...paths],
});
const lint: Step = { name: 'lint', command: ['oxlint'] };
/** The native compiler; `astro check` needs an earlier one. Checks only what changed since the last run. */
const types: Step = {
  name: 'types',
  command: [
    'node',
    'node_modules/typescript-7/bin/tsc',
    '--noEmit',
    '--incremental',
    '--tsBuildInfoFile',
    'node_modules/.cache/types.tsbuildinfo',
  ],
};
const astroTypes: Step = {
  name: 'types of .astro files',
  command: ['astro', 'check', '--minimumSeverity', 'warning', '--tsconfig', 'lint/astro.tsconfig.json'],
};
const deadCode: Step = { name: 'dead code', command: ['knip', '--cache'] };
/** What only tests use is dead as well, unless it says `@internal`. */
const testedOnly: Step = {
  name: 'code that only tests use',
  command: ['knip', '--cache', '--production', '--include', 'files,exports,types'],
};
const unit = vitest('unit', '--project=unit');
const build: Step = { name: 'build', command: ['node', 'server/build.ts', '--target', 'edge'] };
/** With the pages that need no browser. */
const api = vitest('API and pages', '--project=api', '--project=pages');
const browser = vitest('browser', '--project=browser');

const RUNS: Readonly<Record<string, () => Promise<readonly Stage[]>>> = {
  test: async () => [
    [[build, lint, format('.')], [astroTypes, types, deadCode, testedOnly], [unit]],
    [[api]],
    [[browser]],
  ],
  quick: async () => {
    const files = await listChanges();
    if (files.length === 0) return [[[lint, format('.'), types], [unit]]];
    const places = [...new Set(files.map(toTests))];
    const near = vitest(
      'near the changes',
      '--passWithNoTests',
      '--project=unit',
      '--project=api',
      ...places,
    );
    return [[[lint, format(...files), types], [near]]];
  },
  soak: async () => {
    console.log('About three quarters of an hour on two cores; ends after an hour and a half at the latest.');
    const soak = (step: Step, deadlineMinutes: number): Step => ({
      ...step,
      env: { SOAK: '1', DISTURB_REPLIES: '200' },
      deadlineMinutes,
    });
    return [[[build]], [[soak(api, 60)]], [[soak(browser, 30)]]];
  },
  'power-cuts': async () => {
    if (!(await hasStrace())) {
      failures.push('strace is missing, which records what the processes write: apt-get install strace');
      return [];
    }
    const step = vitest('power losses', '--project=api', 'tests/server/power-cuts');
    return [[[{ ...step, env: { POWER_CUTS: '200' }, deadlineMinutes: 60 }]]];
  },
};

const folder = await mkdtemp(join(tmpdir(), 'tests-'));
const count = { passed: 0, failed: 0, skipped: 0 };
/** A text for each test and each other step that failed. */
const failures: string[] = [];
const stop = new AbortController();
let reports = 0;

const stages = await (RUNS[process.argv[2] ?? 'test'] ?? RUNS['test'])?.();
for (const lanes of stages ?? []) {
  await Promise.all(lanes.map((steps) => runLane(steps, lanes.length > 1)));
}

await rm(folder, { recursive: true, force: true });
for (const failure of failures) console.log(`\n✗ ${failure}`);
console.log(`\n${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`);
process.exitCode = failures.length > 0 ? 1 : 0;

async function runLane(steps: readonly Step[], hasNeighbours: boolean): Promise<void> {
  for (const step of steps) {
    if (stop.signal.aborted) return;
    const report = join(folder, `${(reports += 1)}.json`);
    const began = performance.now();
    if (!hasNeighbours) console.log(`\n── ${step.name}`);
    const { code, output } = await run(step, report, hasNeighbours);
    if (stop.signal.aborted) return; // another lane failed
    if (hasNeighbours) console.log(`\n── ${step.name}\n${output.trimEnd()}`);
    const known = failures.length;
    await readReport(report);
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    console.log(`── ${step.name}: ${code === 0 ? 'ok' : `failed (${code})`}, ${seconds} s`);
    if (code === 0) continue;
    if (failures.length === known) failures.push(`${step.name} (${code})`);
    if (step.name.startsWith('tests')) continue;
    count.failed += 1;
    stop.abort();
  }
}

/** Prints the output, or returns it as `output` where it would mix with that of other lanes. */
async function run(
  { command: [name = '', ...args], env, deadlineMinutes }: Step,
  report: string,
  isKept: boolean,
) {
  const child = spawn(name, name === 'vitest' ? [...args, `--outputFile.json=${report}`] : args, {
    stdio: ['ignore', isKept ? 'pipe' : 'inherit', isKept ? 'pipe' : 'inherit'],
    env: { ...process.env, ASTRO_TELEMETRY_DISABLED: '1', ...env },
    signal: stop.signal,
    ...(deadlineMinutes !== undefined && { timeout: deadlineMinutes * 60_000 }),
  });
  const ended = new Promise<number>((resolve) => {
    child.on('error', (error) => {
      if (error.name !== 'AbortError') console.error(error.message);
      resolve(127);
    });
    child.on('exit', (code, signal) => {
      if (signal === 'SIGTERM' && !stop.signal.aborted)
        console.error(`${deadlineMinutes} minutes have passed`);
      resolve(code ?? 1);
    });
  });
  const streams = [child.stdout, child.stderr].filter((stream) => stream !== null);
  const [code, ...outputs] = await Promise.all([ended, ...streams.map((stream) => text(stream))]);
  return { code, output: outputs.join('') };
}

/** The paths of changed and new files; none where there is no repository. */
async function listChanges(): Promise<string[]> {
  const git = spawn('git', ['status', '--porcelain', '-z', '--no-renames', '--untracked-files=all'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  git.on('error', () => undefined);
  const entries = (await text(git.stdout)).split('\0').filter((entry) => entry !== '');
  return entries.map((entry) => entry.slice(3)).filter((path) => existsSync(path));
}

/** The start of the paths of the tests near a file: its own folder in tests/, which mirrors the product. */
function toTests(path: string): string {
  const { dir, name } = parse(path.startsWith('tests/') ? path : `tests/${path}`);
  // A folder such as server/ holds everything: of it, only the tests that are named after the file.
  return dir.split('/').length > 2 ? `${dir}/` : `${dir}/${name}.`;
}

async function readReport(path: string): Promise<void> {
  const json = await readFile(path, 'utf8').catch(() => null);
  if (json === null) return;
  const report = JSON.parse(json) as Report;
  count.passed += report.numPassedTests;
  count.failed += report.numFailedTests;
  count.skipped += report.numPendingTests;
  failures.push(...report.testResults.flatMap(describeFailures));
  printSlowest(report.testResults);
}

function describeFailures({ name, message, assertionResults }: FileReport): string[] {
  const file = relative('.', name);
  const failed = assertionResults.filter(({ status }) => status === 'failed');
  return [
    ...(message === '' ? [] : [`${file}\n${message}`]),
    ...failed.map(
      ({ fullName, failureMessages }) =>
        `${file}: ${fullName}\n${failureMessages.map(dropFramesOfLibraries).join('\n')}`,
    ),
  ];
}

function dropFramesOfLibraries(message: string): string {
  const lines = message.split('\n');
  return lines.filter((line) => !(line.startsWith('    at ') && line.includes('node_modules'))).join('\n');
}

/** From the start of a file's first test to the end of its last: without imports and `beforeAll`. */
function printSlowest(files: readonly FileReport[]): void {
  const timed = files.map(({ name, startTime, endTime }) => ({
    file: relative('.', name),
    seconds: (endTime - startTime) / 1000,
  }));
  const slowest = timed.toSorted((a, b) => b.seconds - a.seconds).slice(0, SLOWEST);
  for (const { file, seconds } of slowest) console.log(`   ${seconds.toFixed(1).padStart(6)} s  ${file}`);
}
