import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { type Program, readVersion, runVitest } from '../../services/programs.ts';
import type { Engine, EngineResult } from '../engine.ts';
import { NULL_SINK_PACKAGES } from '../null-sink.ts';

const DEADLINE_MS = 10 * 60_000;
/** Of WebKitGTK: its driver, what `window.py` is written in, the codecs of MP3, and a display. */
const PACKAGES = [
  'webkit2gtk-driver',
  'gir1.2-webkit2-4.1',
  'python3-gi',
  'gstreamer1.0-plugins-good',
  'fonts-noto-cjk',
  'xvfb',
];

interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
}

/** Journeys through the site in the WebKitGTK of Debian, which shares its engine with Safari. */
export const webkit: Engine = {
  name: 'webkit',
  packages: [...PACKAGES, ...NULL_SINK_PACKAGES],
  run: runWebkit,
};

/** Runs the journeys whose files or names `filters` choose. */
async function runWebkit(filters: readonly string[], signal: AbortSignal): Promise<EngineResult> {
  const folder = await mkdtemp(join(tmpdir(), 'webkit-run-'));
  const display = await startDisplay();
  try {
    const report = join(folder, 'report.json');
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
    const code = await runVitest(['--project=webkit', ...reporters, ...filters], {
      env: { DISPLAY: display.name },
      timeoutMs: DEADLINE_MS,
      signal,
    });
    return await readResult(report, code);
  } finally {
    await display.end();
    await rm(folder, { recursive: true });
  }
}

/** A display that nobody sees, of a free number. */
async function startDisplay(): Promise<Program & { readonly name: string }> {
  const server = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1600x1200x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const ended = once(server, 'exit');
  const lines = createInterface(server.stdio[3] as Readable);
  const [number] = (await Promise.race([once(lines, 'line'), ended.then(() => [])])) as [string?];
  if (number === undefined) throw new Error('Xvfb does not start');
  return {
    name: `:${number}`,
    async end() {
      server.kill();
      await ended;
    },
  };
}

async function readResult(path: string, code: number | null): Promise<EngineResult> {
  const json = await readFile(path, 'utf8').catch(() => null);
  const none: Report = { numPassedTests: 0, numFailedTests: 0, numPendingTests: 0 };
  const { numPassedTests, numFailedTests, numPendingTests } =
    json === null ? none : (JSON.parse(json) as Report);
  return {
    engine: 'WebKitGTK',
    version: await readVersion('webkit2gtk-driver'),
    ran: numPassedTests + numFailedTests,
    failed: numFailedTests,
    left: numPendingTests,
    reasons: numPendingTests > 0 ? [`${numPendingTests}: not chosen`] : [],
    faults: code !== 0 && numFailedTests === 0 ? [`vitest ended with ${code ?? 'its deadline'}`] : [],
  };
}
