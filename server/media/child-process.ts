import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The compiler that strips types would take 30 MB of each process. */
const STRIPPED = new URL('../stripped-sources.mjs', import.meta.url).href;

export interface ChildOptions {
  /** The module that the process runs: it calls `beChild`. */
  readonly module: URL;
  /** A process without work ends after this time: it would occupy about 100 MB. */
  readonly idleMs: number;
  /** Its environment, which is otherwise empty. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface RequestOptions {
  /** The process is killed when this much time has passed. */
  readonly timeLimitMs: number;
  readonly stop?: AbortSignal | undefined;
}

/** What becomes of a request. */
export type Answer<Reply> =
  | { readonly state: 'answered'; readonly reply: Reply }
  /** The process crashed or was killed, possibly for lack of memory or time. */
  | { readonly state: 'ended' }
  /** It was stopped or could not be started: this is independent of the request. */
  | { readonly state: 'stopped' };

export interface Child<Request, Reply> {
  /** One request at a time: the caller waits for the answer. Never throws. */
  send(request: Request, options: RequestOptions): Promise<Answer<Reply>>;
  /** Ends the process; the next request starts another. */
  end(): void;
}

/**
 * Work with untrusted bytes in a process of its own, which is started on first use and ends after `idleMs` without work:
 * what crashes, fills its memory or takes too long does not affect the server, and what it leaves in memory goes with
 * the process.
 */
export function createChild<Request extends object, Reply>(options: ChildOptions): Child<Request, Reply> {
  let current: ChildProcess | undefined;
  let idle: NodeJS.Timeout | undefined;

  function start(): ChildProcess {
    const child = startProcess(options);
    // Applies to idle processes as well: the kernel kills these processes first when memory runs out.
    child.once('exit', () => forget(child));
    return child;
  }

  /** The next request starts another one. */
  function forget(child: ChildProcess): void {
    if (current === child) current = undefined;
  }

  function end(child: ChildProcess): void {
    forget(child);
    child.kill('SIGKILL');
  }

  return {
    end: () => void (current && end(current)),
    async send(request, { timeLimitMs, stop }) {
      if (stop?.aborted) return { state: 'stopped' };
      clearTimeout(idle);
      const child = (current ??= start());
      const onStop = () => end(child);
      const timer = setTimeout(onStop, timeLimitMs);
      stop?.addEventListener('abort', onStop);
      try {
        const reply = await send<Request, Reply>(child, request);
        if (reply !== undefined) return { state: 'answered', reply };
        // Not of a process that could not be started.
        forget(child);
        return { state: stop?.aborted || child.pid === undefined ? 'stopped' : 'ended' };
      } finally {
        clearTimeout(timer);
        stop?.removeEventListener('abort', onStop);
        idle = setTimeout(() => end(child), options.idleMs);
        idle.unref();
      }
    },
  };
}

/** It ends when it crashes, and with its parent. It has no access to secret settings. */
function startProcess({ module, env = {} }: ChildOptions): ChildProcess {
  const child = fork(fileURLToPath(module), {
    env,
    execArgv: ['--import', STRIPPED],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  child.on('error', () => undefined);
  return child;
}

/** Undefined when the process ends before it answers. It keeps the server alive until then, and not while it is idle. */
async function send<Request extends object, Reply>(
  child: ChildProcess,
  request: Request,
): Promise<Reply | undefined> {
  const { promise, resolve } = Promise.withResolvers<Reply | undefined>();
  const onMessage = (reply: unknown) => resolve(reply as Reply);
  const onExit = () => resolve(undefined);
  // An 'exit' event follows if the process had started.
  const onError = () => {
    if (child.pid === undefined) resolve(undefined);
  };
  child.on('message', onMessage).on('exit', onExit).on('error', onError);
  child.ref();
  child.channel?.ref();
  child.send(request, () => undefined);
  try {
    return await promise;
  } finally {
    child.off('message', onMessage).off('exit', onExit).off('error', onError);
    child.unref();
    child.channel?.unref();
  }
}
