import { pino } from 'pino';
import type { DestinationStream, LevelWithSilent, Logger } from 'pino';

export type Log = Logger;

export interface LogOutput {
  readonly log: Log;
  /** Appends one finished line (with its line end): the cheap way for frequent lines. */
  readonly writeLine: (line: string) => void;
  /**
   * Waits until everything written so far has left the process, or cannot, because the reader has gone. False if the
   * reader has not taken it for a second.
   */
  readonly flush: () => Promise<boolean>;
}

const BUFFER_BYTES = 12 * 1024;
/** Up to this size the write to a pipe is atomic on Linux (pipe(7)): lines of several processes do not mix. */
const PIPE_BYTES = 4096;
/** The maximum time that a line is buffered. */
const FLUSH_INTERVAL_MS = 500;
const LAST_LINES_MS = 1_000;

/**
 * JSON lines on standard output (or `path`), buffered so that a request does not wait for a write. `isShared`: other
 * processes write to it as well. A reader that has gone is ignored. See `endProcess`.
 */
export function openLog(level: LevelWithSilent, path?: string, isShared = false): LogOutput {
  const buffer = isShared ? { minLength: PIPE_BYTES / 2, maxWrite: PIPE_BYTES } : { minLength: BUFFER_BYTES };
  const destination = pino.destination({ dest: path ?? 1, sync: false, ...buffer });
  // At the end of a process it would repeat for ever what a closed pipe refuses.
  destination.flushSync = () => undefined;
  const timer = setInterval(() => destination.flush(), FLUSH_INTERVAL_MS);
  timer.unref();
  return {
    log: createLog(level, destination),
    writeLine: (line) => destination.write(line),
    flush: () =>
      new Promise((resolve) => {
        setTimeout(resolve, LAST_LINES_MS, false).unref();
        destination.once('error', () => resolve(true));
        destination.flush(() => resolve(true));
      }),
  };
}

/** Ends the process after the last lines of its log. */
export async function endProcess({ flush }: LogOutput, code: number): Promise<void> {
  if (await flush()) process.exit(code);
  // A thread waits for the reader of the log, and an exit would wait for that thread.
  process.kill(process.pid, 'SIGKILL');
}

/** Replaces an error in a line: undefined for the error itself, null for no line at all. */
export type ShortenError = (error: unknown) => object | null | undefined;

const shorteners = new WeakMap<Log, ShortenError>();

/** A log into any destination; tests read it from an array. */
export function createLog(level: LevelWithSilent, destination: DestinationStream): Log {
  const log: Log = pino(
    {
      level,
      base: null,
      hooks: {
        logMethod(args, method) {
          const [fields] = args as unknown[];
          const { err, ...others } = (typeof fields === 'object' && fields) as { readonly err?: unknown };
          const shortened = err === undefined ? undefined : shorteners.get(log)?.(err);
          if (shortened === null) return;
          if (shortened !== undefined) args[0] = { ...others, ...shortened } as unknown as (typeof args)[0];
          method.apply(this, args);
        },
      },
    },
    destination,
  );
  return log;
}

/** From now on, lines of the log and of its children with an error (`err`) are written in this way. */
export function shortenErrors(log: Log, shorten: ShortenError): void {
  shorteners.set(log, shorten);
}
