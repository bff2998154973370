import { readFileSync, readdirSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { encodeNoticePicture, encodePhotograph, storePicture } from '#server/media/pictures/pictures.ts';
import type { PictureFile } from '#server/media/pictures/pictures.ts';
import { UnusablePictureError } from '#server/media/pictures/faults.ts';
import { Busy } from '#server/platform/limits/busy.ts';
import { type HostilePicture, listHostilePictures } from '#support/files/hostile-pictures.ts';
import { makeFolder } from '#support/files/folders.ts';
import { makePaper } from '#support/files/pictures.ts';

const MIB = 1024 * 1024;
const MEMORY_MAX = 150 * MIB;
const PROCESSOR_MS_MAX = 3_000;
/** Of the clock that `/proc` counts processor time in. */
const MS_PER_TICK = 10;

interface Usage {
  readonly pid: number;
  readonly peakBytes: number;
  readonly nowBytes: number;
  readonly processorMs: number;
}

/** What a process that decodes for this one has used since it began; undefined if it has ended. */
function readUsage(pid: number): Usage | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    if (!command.includes('pictures/process')) return undefined;
    const counts = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return {
      pid,
      peakBytes: Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024,
      nowBytes: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024,
      processorMs: (Number(counts[11]) + Number(counts[12])) * MS_PER_TICK,
    };
  } catch {
    return undefined;
  }
}

function findProcess(): Usage | undefined {
  const children = readdirSync('/proc/self/task').flatMap((thread) =>
    readFileSync(`/proc/self/task/${thread}/children`, 'utf8').split(' '),
  );
  return children.map((pid) => readUsage(Number(pid))).find((usage) => usage !== undefined);
}

const nowhere = {
  has: () => Promise.resolve(false),
  put: () => Promise.resolve(),
  delete: () => Promise.resolve(),
} as unknown as Parameters<typeof storePicture>[0];

/** The process that decodes, once it has done so. One that keeps much memory has ended by then. */
async function startProcess(): Promise<Usage> {
  const small = await makePaper(9, 9).png().toBuffer();
  let idle: Usage | undefined;
  while (idle === undefined) {
    await storePicture(nowhere, small, 'avatar');
    idle = findProcess();
  }
  return idle;
}

/** Follows the decoding process, and tells what each picture adds to it. */
async function createMeter() {
  const idle = await startProcess();
  const { nowBytes: baseBytes, processorMs: startMs } = idle;
  let current: Usage | undefined = idle;

  return async (work: () => Promise<unknown>) => {
    const before = current && readUsage(current.pid);
    let peakBytes = 0;
    let processorMs = 0;
    const look = () => {
      current = (current && readUsage(current.pid)) ?? findProcess();
      if (current === undefined) return;
      const isSame = current.pid === before?.pid;
      peakBytes = Math.max(peakBytes, current.peakBytes - baseBytes);
      // A new process has started meanwhile, which is no work with the picture.
      processorMs = Math.max(processorMs, current.processorMs - (isSame ? before.processorMs : startMs));
    };
    const timer = setInterval(look, 20);
    const outcome = await work().then(
      () => 'accepted',
      (error: unknown) => {
        if (!(error instanceof UnusablePictureError)) throw error;
        return error.fault;
      },
    );
    look();
    clearInterval(timer);
    return { outcome, peakBytes, processorMs };
  };
}

/** The pictures that cost more than they may, and how many are accepted. */
async function measureAll(
  pictures: readonly HostilePicture[],
  send: (file: PictureFile) => Promise<unknown>,
) {
  const measure = await createMeter();
  const path = join(await makeFolder(), 'picture');
  const costly: string[] = [];
  const outcomes: string[] = [];
  let [mostBytes, mostMs] = [0, 0];
  for (const { name, make } of pictures) {
    await writeFile(path, await make());
    const { outcome, peakBytes, processorMs } = await measure(() => send({ path }));
    outcomes.push(outcome);
    mostBytes = Math.max(mostBytes, peakBytes);
    mostMs = Math.max(mostMs, processorMs);
    if (peakBytes > MEMORY_MAX || processorMs > PROCESSOR_MS_MAX)
      costly.push(`${name}: ${Math.round(peakBytes / MIB)} MiB, ${processorMs} ms`);
  }
  await rm(path);
  console.info(`${pictures.length} pictures: at most ${Math.round(mostBytes / MIB)} MiB and ${mostMs} ms`);
  return { costly, outcomes };
}

describe.skipIf(process.platform !== 'linux')('a hostile picture', () => {
  const { member, staff } = listHostilePictures();

  test('U25: there are more than 300 of them', () => {
    expect(member.length + staff.length).toBeGreaterThan(300);
  });

  test('U25: of a member costs at most 150 MiB and 3 s of a core', { timeout: 300_000 }, async () => {
    const { costly, outcomes } = await measureAll(member, (file) =>
      storePicture(nowhere, file, 'background'),
    );
    expect(costly).toEqual([]);
    // Refused by what it is, or harmless once it is cleaned. What takes too long depends on the machine.
    for (const outcome of ['accepted', 'animated', 'broken', 'bytes', 'pixels', 'type'])
      expect(outcomes).toContain(outcome);
  });

  test('U25: of the staff costs at most 150 MiB and 3 s of a core', { timeout: 300_000 }, async () => {
    const { costly, outcomes } = await measureAll(staff, (file) => encodeNoticePicture(file));
    expect(costly).toEqual([]);
    expect(outcomes.filter((outcome) => outcome === 'accepted').length).toBeGreaterThan(10);
  });

  test('U25: leaves less than 100 MiB behind', async () => {
    const deep = member.find(({ name }) => name === 'progressive JPEG of 25 Mpx, half colour');
    const bytes = (await deep?.make()) ?? Buffer.alloc(0);
    const { nowBytes: before } = await startProcess();
    await encodePhotograph(bytes);
    // One that is spent is still ending.
    await expect.poll(() => findProcess()?.nowBytes ?? 0).toBeLessThan(before + 100 * MIB);
  });
});

describe('the line of pictures', () => {
  test('U26: one of a member at a time, so that another member does not wait for all of them', async () => {
    const slow = listHostilePictures().member.find(({ name }) => name === 'progressive JPEG of 25 Mpx, grey');
    const bytes = (await slow?.make()) ?? Buffer.alloc(0);
    const small = await makePaper(9, 9).png().toBuffer();
    const done: string[] = [];
    const send = (file: Uint8Array, owner: string) =>
      storePicture(nowhere, file, 'avatar', '', owner).then(() => void done.push(owner));
    // Both processes have started.
    await Promise.all([send(small, 'first'), send(small, 'second')]);
    await Promise.all([
      ...Array.from({ length: 8 }, () => send(bytes, 'busy')),
      send(small, 'other'),
      send(small, 'third'),
    ]);
    expect(done.slice(2, 10)).toEqual(expect.arrayContaining(['other', 'third']));
  });

  test('U26: a member with many pictures is refused, and others are not', async () => {
    const small = await makePaper(9, 9).png().toBuffer();
    const send = (owner: string) =>
      storePicture(nowhere, small, 'avatar', '', owner).then(
        () => 'stored',
        (error: unknown) => (error instanceof Busy ? 'busy' : 'failed'),
      );
    const [mine, others] = await Promise.all([
      Promise.all(Array.from({ length: 15 }, () => send('busy'))),
      Promise.all(['a', 'b', 'c'].map(send)),
    ]);
    expect(new Set(mine)).toEqual(new Set(['stored', 'busy']));
    expect(others).toEqual(['stored', 'stored', 'stored']);
  });
});
