import { fork } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished } from 'vitest';
import { pauseBeforeKill } from '#support/depth.ts';

/** A process that reports each of its steps by a message, until the test kills it. */
export function startDoomed(module: URL, args: readonly unknown[], env: NodeJS.ProcessEnv = {}) {
  const child = fork(module, args.map(String), {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const exit = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  return {
    child,
    exit,
    /** The next message; `undefined` if the process has ended. */
    hear: () =>
      Promise.race([
        once(child, 'message').then(([message]) => message as unknown),
        exit.then(() => undefined),
      ]),
    /** After a pause of random length in `npm run soak`. */
    async kill(longestPauseMs = 0) {
      await pauseBeforeKill(longestPauseMs);
      child.kill('SIGKILL');
      expect(await exit).toEqual([null, 'SIGKILL']);
    },
  };
}
