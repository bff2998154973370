import { readFileSync, readdirSync } from 'node:fs';
import { fork } from 'node:child_process';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createPeaksPool } from '#server/media/peaks.ts';
import { makeLongMp3 } from '#support/files/long-mp3.ts';

/** Process ids of the decoders that this process has started. */
function listDecoders(parent = process.pid): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const status = readFileSync(`/proc/${pid}/status`, 'utf8');
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
        return status.includes(`\nPPid:\t${parent}\n`) && command.includes('peaks-process');
      } catch {
        return false;
      }
    })
    .map(Number);
}

describe.skipIf(process.platform !== 'linux')('a decoder', () => {
  test('that is killed while it decodes is distinguished from a stopped one, and another continues', async () => {
    const pool = createPeaksPool(1);
    onTestFinished(() => pool.close());
    const before = listDecoders();
    const reading = pool.readSound(makeLongMp3(20_000_000, 1));
    await expect.poll(() => listDecoders(), { timeout: 10_000 }).toHaveLength(before.length + 1);
    const decoder = listDecoders().find((pid) => !before.includes(pid)) ?? 0;
    // A signal of the process manager to the whole service ends no decoder.
    await expect.poll(() => readFileSync(`/proc/${decoder}/oom_score_adj`, 'utf8')).toBe('1000\n');
    process.kill(decoder, 'SIGTERM');
    const environment = readFileSync(`/proc/${decoder}/environ`, 'utf8');
    expect(environment.replace(/NODE_CHANNEL_[A-Z_]*=\w*\0/g, '')).toBe('');
    await new Promise((resolve) => setTimeout(resolve, 100));
    process.kill(decoder, 'SIGKILL');
    expect(await reading).toEqual({ state: 'interrupted' });
    expect(await pool.readSound(makeLongMp3(100_000, 2))).toMatchObject({ state: 'read' });
  });

  test('that is killed while it is idle is replaced', async () => {
    const pool = createPeaksPool(1);
    onTestFinished(() => pool.close());
    const before = listDecoders();
    expect(await pool.readSound(makeLongMp3(100_000, 1))).toMatchObject({ state: 'read' });
    const decoder = listDecoders().find((pid) => !before.includes(pid)) ?? 0;
    process.kill(decoder, 'SIGKILL');
    await expect.poll(() => listDecoders()).toEqual(before);
    await new Promise((resolve) => setTimeout(resolve, 200)); // until this process has noticed
    expect(await pool.readSound(makeLongMp3(100_000, 2))).toMatchObject({ state: 'read' });
  });

  test('ends with its parent process, however that ends', async () => {
    const server = fork(new URL('../../support/processes/hanging/decode-and-hang.ts', import.meta.url));
    onTestFinished(() => void server.kill('SIGKILL'));
    await new Promise((resolve) => server.once('message', resolve));
    await expect.poll(() => listDecoders(server.pid), { timeout: 10_000 }).toHaveLength(1);
    const [decoder] = listDecoders(server.pid);
    server.kill('SIGKILL');
    const isThere = () => readdirSync('/proc').includes(String(decoder));
    await expect.poll(isThere, { timeout: 10_000 }).toBe(false);
  });
});
