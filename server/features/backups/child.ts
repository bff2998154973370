import { fork } from 'node:child_process';
import { setPriority } from 'node:os';

/** Below every other process. */
const DEFAULT_NICENESS = 15;
const HEAP_MIB = 512;

export interface ChildOptions {
  /** Ends the process at once; what it leaves is removed by the next. */
  readonly ending: AbortSignal;
  /** The priority, from 0 (that of the server) to 19. */
  readonly niceness?: number | undefined;
}

/**
 * Sends one request to a new process of low priority, with a heap of at most 512 MiB, and returns its reply. `module` is
 * the path of a file that calls `answerParent`. Never throws.
 */
export function askChild<Reply extends { readonly state: string }>(
  module: string,
  request: object,
  { ending, niceness = DEFAULT_NICENESS }: ChildOptions,
): Promise<Reply | { readonly state: 'failed'; readonly message: string }> {
  return new Promise((resolve) => {
    const child = fork(module, {
      execArgv: [`--max-old-space-size=${HEAP_MIB}`],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    let reply: Reply | { readonly state: 'failed'; readonly message: string } | undefined;
    const stop = () => void child.kill('SIGKILL');
    ending.addEventListener('abort', stop);
    if (ending.aborted) stop();
    child.on('message', (message) => (reply = message as Reply));
    child.on('error', (error) => (reply ??= { state: 'failed', message: error.message }));
    child.on('close', (code, signal) => {
      ending.removeEventListener('abort', stop);
      resolve(reply ?? { state: 'failed', message: `its process ended with ${signal ?? code}` });
    });
    if (child.pid !== undefined) setNiceness(child.pid, niceness);
    child.send(request, () => undefined);
  });
}

/** The other end: answers the first request with the result of `run`, or with that of `toReply` for its error. */
export function answerParent<Request>(
  run: (request: Request) => Promise<object>,
  toReply: (error: unknown) => object,
): void {
  // A process manager may signal all processes of the service; only the server decides when this one ends.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);
  process.on('disconnect', () => process.exit());
  process.once('message', (request) => {
    void run(request as Request)
      .catch(toReply)
      .then((reply) => process.send?.(reply, () => process.disconnect()));
  });
}

function setNiceness(pid: number, niceness: number): void {
  try {
    setPriority(pid, niceness);
  } catch {
    // Not permitted here, or it has ended.
  }
}
