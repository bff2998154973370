import { readFileSync, readdirSync } from 'node:fs';
import { fork } from 'node:child_process';
import { describe, expect, onTestFinished, test } from 'vitest';
import { PEAK_BARS, decodePeaks } from '#contract/sounds/peaks.ts';
import { createDecoder } from '#server/media/audio/decoder.ts';
import { makeLongMp3 } from '#support/files/long-mp3.ts';
import { makeM4a, makeMp3 } from '#support/files/sound-fixtures.ts';
import { makeM4aOf } from './m4a-boxes.ts';

/** Process ids of the decoders that this process has started. */
function listDecoders(parent = process.pid): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const status = readFileSync(`/proc/${pid}/status`, 'utf8');
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
        return status.includes(`\nPPid:\t${parent}\n`) && command.includes('decoder-process');
      } catch {
        return false;
      }
    })
    .map(Number);
}

/** The processor time of a process so far (proc_pid_stat(5), fields 14 and 15, in hundredths of a second). */
function readProcessorMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ');
  return (Number(fields[13]) + Number(fields[14])) * 10;
}

/** Lists the decoders that are started from now on. */
function watchDecoders(): () => number[] {
  const before = listDecoders();
  return () => listDecoders().filter((pid) => !before.includes(pid));
}

describe('the waveform', () => {
  const decoder = createDecoder();
  async function decode(file: Uint8Array): Promise<string> {
    const decoded = await decoder.decode(file);
    return decoded.state === 'decoded' ? decoded.peaks : decoded.state;
  }

  test('has bars that rise to 1 for a growing sound', async () => {
    const bars = decodePeaks(await decode(await makeMp3(2)));
    expect(bars).toHaveLength(PEAK_BARS);
    expect(Math.max(...bars)).toBe(1);
    expect(bars[5]).toBeLessThan(0.2);
    expect(bars[32]).toBeGreaterThan(0.35);
    expect(bars[32]).toBeLessThan(0.65);
  });

  test('of a sound shorter than a bar exists', async () => {
    const bars = decodePeaks(await decode(await makeMp3(0.01)));
    expect(bars).toHaveLength(PEAK_BARS);
  });

  test('of AAC exists', async () => {
    expect(await decode(makeM4a())).toBe('0'.repeat(PEAK_BARS));
  });

  test('does not exist for undecodable input, and the next sound has one', async () => {
    const [broken, good] = await Promise.all([decode(Buffer.from('broken')), decode(await makeMp3())]);
    expect(broken).toBe('unreadable');
    expect(good).toHaveLength(PEAK_BARS);
  });

  test('is the same for sounds that wait for each other', async () => {
    const mp3 = await makeMp3(0.2);
    const all = await Promise.all(Array.from({ length: 12 }, () => decode(mp3)));
    expect(new Set(all).size).toBe(1);
  });
});

describe.skipIf(process.platform !== 'linux')('a decoder', () => {
  test('that is killed while it decodes is distinguished from a stopped one, and another continues', async () => {
    const decoder = createDecoder();
    const listNew = watchDecoders();
    const decoding = decoder.decode(makeLongMp3(20_000_000, 1));
    await expect.poll(listNew, { timeout: 10_000 }).toHaveLength(1);
    const [pid = 0] = listNew();
    // A signal of the process manager to the whole service ends no decoder.
    await expect.poll(() => readFileSync(`/proc/${pid}/oom_score_adj`, 'utf8')).toBe('1000\n');
    process.kill(pid, 'SIGTERM');
    const environment = readFileSync(`/proc/${pid}/environ`, 'utf8');
    expect(environment.replace(/NODE_CHANNEL_[A-Z_]*=\w*\0/g, '')).toBe('');
    await new Promise((resolve) => setTimeout(resolve, 100));
    process.kill(pid, 'SIGKILL');
    expect(await decoding).toEqual({ state: 'interrupted' });
    expect(await decoder.decode(makeLongMp3(100_000, 2))).toMatchObject({ state: 'decoded' });
  });

  test('that is killed while it is idle is replaced', async () => {
    const decoder = createDecoder();
    const listNew = watchDecoders();
    expect(await decoder.decode(makeLongMp3(100_000, 1))).toMatchObject({ state: 'decoded' });
    const [pid = 0] = listNew();
    process.kill(pid, 'SIGKILL');
    await expect.poll(listNew).toEqual([]);
    await new Promise((resolve) => setTimeout(resolve, 200)); // until this process has noticed
    expect(await decoder.decode(makeLongMp3(100_000, 2))).toMatchObject({ state: 'decoded' });
  });

  test('ends a while after its last sound, and the next sound starts another', async () => {
    const decoder = createDecoder({ idleMs: 500 });
    const listNew = watchDecoders();
    expect(await decoder.decode(makeLongMp3(100_000, 1))).toMatchObject({ state: 'decoded' });
    const pids = listNew();
    expect(pids).toHaveLength(1);
    expect(await decoder.decode(makeLongMp3(100_000, 2))).toMatchObject({ state: 'decoded' });
    expect(listNew()).toEqual(pids);
    await expect.poll(listNew, { timeout: 10_000 }).toEqual([]);
    expect(await decoder.decode(makeLongMp3(100_000, 3))).toMatchObject({ state: 'decoded' });
  });

  test('that is about to end gets no further sound', async () => {
    const decoder = createDecoder({ idleMs: 0 });
    for (const seed of [1, 2, 3, 4]) {
      expect(await decoder.decode(makeLongMp3(100_000, seed))).toMatchObject({ state: 'decoded' });
      await new Promise((resolve) => setTimeout(resolve, seed - 1));
    }
  });

  test('ends with its parent process, however that ends', async () => {
    const server = fork(new URL('../../../support/processes/hanging/decode-and-hang.ts', import.meta.url));
    onTestFinished(() => void server.kill('SIGKILL'));
    await new Promise((resolve) => server.once('message', resolve));
    await expect.poll(() => listDecoders(server.pid), { timeout: 10_000 }).toHaveLength(1);
    const [pid] = listDecoders(server.pid);
    server.kill('SIGKILL');
    const isThere = () => readdirSync('/proc').includes(String(pid));
    await expect.poll(isThere, { timeout: 10_000 }).toBe(false);
  });

  // Each takes 0.6 ms: without a limit, all would take 90 s.
  test.each<[what: string, frame: Buffer]>([
    ['zeros', Buffer.alloc(4)],
    ['beginnings', Buffer.from([7, 9])],
  ])('U8: gives up after a few hundred frames that give no sound: %s', async (_, frame) => {
    const decoder = createDecoder();
    const listNew = watchDecoders();
    await decoder.decode(await makeMp3(0.1));
    const [pid = 0] = listNew();
    const before = readProcessorMs(pid);
    expect(await decoder.decode(makeM4aOf(150_000, frame, { bytes: 4 }))).toEqual({ state: 'unreadable' });
    expect(readProcessorMs(pid) - before).toBeLessThan(5_000);
  });

  test('serves members in turn', async () => {
    const decoder = createDecoder();
    const order: string[] = [];
    const work = (name: string, owner: string) =>
      decoder.inTurn(() => Promise.resolve(order.push(name)), owner);
    await Promise.all([work('a1', 'a'), work('a2', 'a'), work('a3', 'a'), work('b1', 'b')]);
    expect(order).toEqual(['a1', 'a2', 'b1', 'a3']);
  });
});
