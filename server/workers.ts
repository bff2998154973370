import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import type { StartOverrides } from './main.ts';
import { endProcess, openLog } from './platform/log.ts';
import { createPrimaryRateLimits, countForWorker } from './platform/limits/counting-between-workers.ts';
import { createMemoryRateLimits } from './platform/limits/counting.ts';
import type { RateLimits } from './platform/limits/rate-limits.ts';
import { toLocalUrl } from './settings.ts';
import type { Settings } from './settings.ts';
import { findFreePort } from './web/free-port.ts';
import { OperatorError } from './platform/operator-error.ts';

/** The first pause before a worker that ended is replaced; doubled each time, up to the longest. */
const PAUSE_MS = 250;
const PAUSE_MS_MAX = 30_000;
/** A worker that served for this long ended for a new reason. */
const STEADY_MS = 60_000;
/** With no worker serving, the primary gives up after so many failed starts, and the process manager decides. */
const FAILED_STARTS_MAX = 5;
/** A worker needs half a minute at most. */
const STOP_LIMIT_MS = 40_000;

/** The last argument of the first worker, and of those that start after it. */
const FIRST_FLAG = '--first-worker';
const WORKER_FLAG = '--worker';

const flag = process.argv.at(-1);
/** Whether this process is a worker of another one. */
export const isWorker = flag === WORKER_FLAG || flag === FIRST_FLAG;

/** A worker ended before it served, and has reported why; or none can be started here. */
export class WorkerFailed extends OperatorError {
  override readonly name = 'WorkerFailed';
}

/**
 * Serves the site: in this process, or with WORKERS in as many processes that share its port. Returns its
 * address, or undefined in a worker. Throws `WorkerFailed` if one of them cannot start.
 */
export async function serveSite(
  settings: Settings,
  overrides: StartOverrides = {},
): Promise<string | undefined> {
  if (!isWorker && settings.workers > 1) return startWorkers(settings);
  if (isWorker) endWithPrimary();
  const { runServer } = await import('./main.ts');
  if (!isWorker) return (await runServer(settings, overrides)).url;
  // PostgreSQL counts for all processes; SQLite's counters are in memory.
  const isCountedHere = settings.hasRateLimits && settings.database.kind === 'sqlite';
  const counting = isCountedHere ? { rateLimits: countInPrimary() } : {};
  await runServer(settings, {
    output: openLog(settings.logLevel, undefined, true),
    isWorker: true,
    isBucketChecked: flag === WORKER_FLAG,
    ...overrides,
    ...counting,
  });
  process.send?.('ready');
  return undefined;
}

function endWithPrimary(): void {
  process.once('disconnect', () => process.exit());
  if (!process.connected) process.exit();
}

function countInPrimary(): RateLimits {
  const channel = {
    send: (message: object) => void process.send?.(message),
    onMessage: (listen: (message: unknown) => void) => void process.on('message', listen),
  };
  return createPrimaryRateLimits(channel, createMemoryRateLimits());
}

/** One of the WORKERS processes; a worker that ends is replaced in its slot. */
interface WorkerSlot {
  worker: ChildProcess;
  isReady: boolean;
  startedAt: number;
  /** Ends in a row. */
  ends: number;
}

/** Starts the first worker, which checks the bucket, migrates the database and makes what is missing, then the others. */
async function startWorkers(settings: Settings): Promise<string> {
  if (process.platform !== 'linux')
    throw new WorkerFailed(
      'WORKERS must be 1 here: only Linux divides the connections of a port among processes',
    );
  const output = openLog(settings.logLevel, undefined, true);
  const { log } = output;
  // Workers would share the port with another site of this user that has workers.
  const port = await findFreePort(settings.host, settings.port);
  const rateLimits = createMemoryRateLimits();
  const slots: WorkerSlot[] = [];
  const timers = new Set<NodeJS.Timeout>();
  let isStopping = false;
  let failedStarts = 0;
  let exitCode = 0;

  function start(index: number, ends = 0): Promise<void> {
    const isFirst = index === 0 && ends === 0;
    const worker = fork(
      process.argv[1] ?? '',
      [...process.argv.slice(2), isFirst ? FIRST_FLAG : WORKER_FLAG],
      {
        // Fewer arenas of the allocator: less memory, since pages are compressed on other threads.
        env: { MALLOC_ARENA_MAX: '2', ...process.env, ...toWorkerEnv(settings, port, index) },
      },
    );
    const slot: WorkerSlot = { worker, isReady: false, startedAt: performance.now(), ends };
    slots[index] = slot;
    countForWorker(
      {
        send: (message) => void (worker.connected && worker.send(message, () => undefined)),
        onMessage: (listen) => void worker.on('message', listen),
      },
      rateLimits,
    );
    return new Promise((resolve, reject) => {
      worker.on('message', (message: unknown) => {
        if (message !== 'ready') return;
        slot.isReady = true;
        failedStarts = 0;
        if (isStopping) stop(worker);
        resolve();
      });
      worker.once('error', (error) => log.error({ err: error, worker: index + 1 }, 'worker failed'));
      worker.once('exit', (code, signal) => {
        const wasReady = slot.isReady;
        slot.isReady = false;
        if (isStopping) return endIfLast(code);
        reject(new WorkerFailed(`worker ${index + 1} ended with ${signal ?? code} before it served`));
        // At the start, the rejection ends everything.
        if (wasReady || ends > 0) replace(index, slot, wasReady, { code, signal });
      });
    });
  }

  function replace(index: number, slot: WorkerSlot, wasReady: boolean, how: object): void {
    if (!wasReady) failedStarts += 1;
    if (failedStarts >= FAILED_STARTS_MAX && !slots.some(({ isReady }) => isReady)) {
      log.fatal(how, 'no worker can start, giving up');
      void endProcess(output, 1);
      return;
    }
    const isSteady = performance.now() - slot.startedAt > STEADY_MS;
    const ends = isSteady ? 1 : slot.ends + 1;
    const pauseMs = Math.min(PAUSE_MS * 2 ** (ends - 1), PAUSE_MS_MAX);
    log.error({ worker: index + 1, ...how, pauseMs }, 'a worker ended, another one will be started');
    const timer = setTimeout(() => {
      timers.delete(timer);
      start(index, ends).catch(() => undefined); // Its end is handled where it is reported.
    }, pauseMs);
    timers.add(timer);
  }

  function endIfLast(code: number | null): void {
    // A worker that was killed has not drained.
    if (code !== 0) exitCode = 1;
    if (slots.every(({ worker }) => hasEnded(worker))) void endProcess(output, exitCode);
  }

  function killAll(): void {
    for (const { worker } of slots) worker.kill('SIGKILL');
    void endProcess(output, 1);
  }

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (isStopping) {
        killAll();
        return;
      }
      isStopping = true;
      log.info({ signal }, 'stopping the workers');
      setTimeout(killAll, STOP_LIMIT_MS).unref();
      for (const timer of timers) clearTimeout(timer);
      for (const { worker } of slots) stop(worker);
      if (slots.every(({ worker }) => hasEnded(worker))) void endProcess(output, exitCode);
    });
  }

  try {
    await start(0);
    await Promise.all(Array.from({ length: settings.workers - 1 }, (_, index) => start(index + 1)));
  } catch (error) {
    isStopping = true;
    for (const { worker } of slots) worker.kill('SIGKILL');
    throw error;
  }
  return toLocalUrl(settings.host, port);
}

/** The settings of a worker, which reads the others from the environment as well. */
function toWorkerEnv({ workers, maxConnections, metrics }: Settings, port: number, index: number) {
  return {
    WORKERS: '1',
    PORT: String(port),
    MAX_CONNECTIONS: String(Math.ceil(maxConnections / workers)),
    ...(metrics !== null && { METRICS_PORT: String(metrics.port + index) }),
  };
}

/** Asks a worker to drain. One that has not begun to serve gets the request again then. */
function stop(worker: ChildProcess): void {
  if (worker.connected) worker.send('stop', () => undefined);
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}
