import { Busy } from '../../platform/limits/busy.ts';
import { Turns } from '../../platform/turns.ts';
import { createChild } from '../child-process.ts';
import { UnusablePictureError } from './faults.ts';
import type { PictureReply, PictureRequest } from './work.ts';

/** Two pictures are decoded at a time, one of each owner. */
const PROCESSES = 2;
const WAITING_MAX = 40;
const WAITING_OF_OWNER_MAX = 8;
const IDLE_MS = 10_000;
/** For a busy machine: the process itself limits the processor time. */
const TIME_LIMIT_MS = 60_000;

/** Makes glibc return freed memory of any size at once; by default, it retains what it has needed before. */
const ALLOCATOR = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '65536',
  MALLOC_TRIM_THRESHOLD_: '65536',
};

const turns = new Turns({
  parallel: PROCESSES,
  perKey: 1,
  waitingMax: WAITING_MAX,
  waitingPerKeyMax: WAITING_OF_OWNER_MAX,
  toRefusal: () => new Busy(),
});
/** The last one that was used is used next, so that the other ends when it is not needed. */
const freeProcesses = Array.from({ length: PROCESSES }, () =>
  createChild<PictureRequest, PictureReply>({
    module: new URL('./process.ts', import.meta.url),
    idleMs: IDLE_MS,
    env: ALLOCATOR,
  }),
);

/**
 * Decodes and encodes in a process: the server itself decodes no picture, and what one costs ends with its process.
 * `prepare` is called when its turn has come. `owner`: a member, whose pictures wait for each other. Throws `UnusablePictureError` and `Busy`.
 */
export function runInProcess(
  prepare: () => PictureRequest | Promise<PictureRequest>,
  owner: string,
): Promise<readonly Uint8Array[]> {
  return turns.run(async () => {
    const child = freeProcesses.pop();
    if (child === undefined) throw new Busy();
    try {
      const request = await prepare();
      const send = () => child.send(request, { timeLimitMs: TIME_LIMIT_MS });
      let answer = await send();
      // Memory that earlier pictures left in the process counts as well: a new process decides.
      if (
        answer.state === 'answered' &&
        answer.reply.state === 'refused' &&
        answer.reply.fault === 'memory'
      ) {
        child.end();
        answer = await send();
      }
      if (answer.state === 'stopped') throw new Busy();
      if (answer.state === 'ended') throw new UnusablePictureError('effort', 'its process ended');
      const { reply } = answer;
      if (reply.isSpent) child.end();
      if (reply.state === 'done') return reply.pictures;
      throw new UnusablePictureError(reply.fault, reply.message);
    } finally {
      freeProcesses.push(child);
    }
  }, owner);
}
