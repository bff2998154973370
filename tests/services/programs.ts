import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';

const START_MS_MAX = 60_000;
const OUTPUT_MAX = 20_000;

/** A server that this run has started. */
export interface Program {
  /** Ends it with all of its processes. */
  end(): Promise<void>;
}

/** Starts a server in a process group of its own, and waits until it accepts connections. Throws with its output. */
export async function startProgram(command: string, args: readonly string[], port: number): Promise<Program> {
  let output = '';
  const child = spawn(command, args, {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output = (output + chunk.toString()).slice(-OUTPUT_MAX)));
  await once(child, 'spawn');
  const ended = once(child, 'exit');
  const pid = child.pid ?? 0;
  const program: Program = {
    async end() {
      try {
        process.kill(-pid, 'SIGKILL');
      } catch {
        // It has ended before.
      }
      await ended;
    },
  };
  const deadline = performance.now() + START_MS_MAX;
  while (!(await accepts(port))) {
    if (child.exitCode !== null || performance.now() > deadline) {
      await program.end();
      throw new Error(`${command} does not start:\n${output}`);
    }
    await wait(100);
  }
  return program;
}

/** Runs Vitest with this output, to its end. Returns its exit code; null if `timeoutMs` has ended it. Rejects when `signal` does. */
export async function runVitest(
  args: readonly string[],
  {
    env,
    signal,
    timeoutMs,
  }: { readonly env: object; readonly signal: AbortSignal; readonly timeoutMs?: number },
): Promise<number | null> {
  const tests = spawn('vitest', ['run', ...args], {
    stdio: 'inherit',
    env: { ...process.env, ...env },
    signal,
    timeout: timeoutMs,
  });
  const [code] = (await once(tests, 'exit')) as [number | null];
  return code;
}

/** Runs `work`, which a signal to this process ends: then it has a last word by its `finally`, and the run has failed. */
export async function untilInterrupted(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const interruption = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => interruption.abort());
  try {
    await work(interruption.signal);
  } catch (error) {
    if (!interruption.signal.aborted) throw error;
    process.exitCode = 1;
  }
}

/** Runs a program to its end, and returns what it has written. */
export async function runProgram(command: string, args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(command, args);
  return stdout;
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** The version of a package of Debian; throws for one that is not installed. */
export async function readVersion(name: string): Promise<string> {
  const [state, version = ''] = (
    await runProgram('dpkg-query', ['-W', '-f', '${db:Status-Abbrev}|${Version}', name])
  ).split('|');
  if (!state?.startsWith('ii')) throw new Error(`${name} is not installed`);
  return version;
}

/** A port that is free now: rings and configuration files name one. */
export async function findPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
