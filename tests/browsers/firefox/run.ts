import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { readVersion, runVitest } from '../../services/programs.ts';
import type { Engine, EngineResult } from '../engine.ts';
import { NULL_SINK_PACKAGES } from '../null-sink.ts';
import { findLeftOut, listLeftOut } from './left-out.ts';

const DEADLINE_MS = 40 * 60_000;
/** Left out by the test itself, such as one that runs only in a soak. */
const BY_ITSELF = 'the test leaves itself out';

interface Report {
  readonly testResults: readonly {
    readonly name: string;
    /** Why the file did not run; empty otherwise. */
    readonly message: string;
    readonly assertionResults: readonly {
      readonly ancestorTitles: readonly string[];
      readonly title: string;
      readonly status: string;
    }[];
  }[];
}

/** The browser tests of `npm test` and those of this folder, in the Firefox ESR of Debian. */
export const firefox: Engine = {
  name: 'firefox',
  packages: ['firefox-esr', ...NULL_SINK_PACKAGES],
  async run(filters, signal) {
    const folder = await mkdtemp(join(tmpdir(), 'firefox-'));
    try {
      const report = join(folder, 'report.json');
      const projects = ['--project=browser', '--project=firefox', '--maxWorkers=2'];
      const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
      const code = await runVitest([...projects, ...reporters, ...filters], {
        env: { TEST_BROWSER: 'firefox' },
        timeoutMs: DEADLINE_MS,
        signal,
      });
      return await readResult(report, code, filters.length === 0);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

async function readResult(path: string, code: number | null, isWhole: boolean): Promise<EngineResult> {
  const version = await readVersion('firefox-esr');
  const json = await readFile(path, 'utf8').catch(() => null);
  const { testResults } = json === null ? { testResults: [] } : (JSON.parse(json) as Report);
  const tests = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ ancestorTitles, title, status }) => ({
      test: [relative('tests/browser', name), ...ancestorTitles, title].join(' > '),
      status,
    })),
  );
  const passed = tests.filter(({ status }) => status === 'passed').length;
  const failed = tests.filter(({ status }) => status === 'failed').length;
  const left = tests
    .filter(({ status }) => status !== 'passed' && status !== 'failed')
    .map(({ test }) => findLeftOut(test) ?? { entry: '', reason: BY_ITSELF });
  const reasons = Object.entries(Object.groupBy(left, ({ reason }) => reason));
  const used = new Set(left.map(({ entry }) => entry));
  return {
    engine: 'Firefox ESR',
    version,
    ran: passed + failed,
    failed,
    left: left.length,
    reasons: reasons.map(([reason, all = []]) => `${all.length}: ${reason}`),
    faults: [
      ...(isWhole
        ? listLeftOut().flatMap(({ entry }) => (used.has(entry) ? [] : [`"${entry}" leaves out no test`]))
        : []),
      ...(code !== 0 && failed === 0 ? [`vitest ended with ${code ?? 'its deadline'}`] : []),
    ],
  };
}
