import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createSoundType } from '#server/features/catalogue/genres/service.ts';
import { UnusableAudioError, audioSemaphore, withCleanAudio } from '#server/media/audio/audio.ts';
import { Busy } from '#server/platform/limits/busy.ts';
import { useDatabase } from '#support/databases/use-database.ts';
import { readChunks } from '#support/files/audio-files.ts';
import { ruleDatabases } from '#support/databases/databases.ts';
import { makeFolder } from '#support/files/folders.ts';
import { makeLongMp3 } from '#support/files/long-mp3.ts';
import { makeM4a, makeMp3 } from '#support/files/sound-fixtures.ts';
import { addUploader, createUploadApi, sendSound } from '#support/sounds/uploads.ts';
import { measureProcessorMs } from '#support/processes/processor-time.ts';
import { makeM4aOf } from './m4a-boxes.ts';

/** Reads from disk, where each read has a cost. */
async function measureReading(bytes: Uint8Array) {
  const path = join(await makeFolder(), 'sound');
  await writeFile(path, bytes);
  let outcome: unknown;
  const tookMs = await measureProcessorMs(async () => {
    outcome = await readChunks({ path }).catch((error: unknown) => error);
  });
  return { outcome, tookMs };
}

describe('an MP3 of tags', () => {
  const tag = Buffer.from('ID3\x03\0\0\0\0\0\0', 'latin1');
  const tags = (count: number) => Buffer.alloc(count * tag.byteLength, tag);

  test('U9: is refused within 100 ms, for any number of tags', async () => {
    const { outcome, tookMs } = await measureReading(Buffer.concat([tags(200_000), await makeMp3(0.5)]));
    expect(outcome).toBeInstanceOf(UnusableAudioError);
    expect(tookMs).toBeLessThan(100);
  });

  test('is read with as few tags as joined files have', async () => {
    const mp3 = await makeMp3(0.5);
    const parts = Array.from({ length: 50 }, () => [tags(2), mp3]).flat();
    const { outcome } = await measureReading(Buffer.concat(parts));
    expect(Buffer.concat(outcome as Buffer[])).toEqual(Buffer.concat(Array.from({ length: 50 }, () => mp3)));
  });
});

describe('an MP3 of other data', () => {
  const MB = 1024 * 1024;
  const frames = makeLongMp3(10_440, 1);
  const sync = Buffer.from([0xff, 0xfb, 0x90, 0x64]);
  const row = (bytes: number, pattern: Buffer) => Buffer.alloc(bytes, pattern);

  test.each<[what: string, make: () => Buffer]>([
    ['of bytes that may start a frame', () => row(12 * MB, Buffer.from([0xff]))],
    ['of beginnings of frames', () => row(12 * MB, sync)],
    ['of two bytes that look like one', () => row(12 * MB, Buffer.from([0xff, 0xe3]))],
    ['of zeros', () => Buffer.alloc(12 * MB)],
    ['of frames between beginnings of frames', () => repeat(frames, row(3 * MB + 1, sync))],
    [
      'of frames between two bytes that look like one',
      () => repeat(frames, row(3 * MB, Buffer.from([0xff, 0xe3]))),
    ],
    ['of frames between bytes of 255', () => repeat(frames, row(3 * MB, Buffer.from([0xff])))],
    ['of frames between zeros', () => repeat(frames, Buffer.alloc(3 * MB))],
  ])('U9: %s is refused within 500 ms', async (_, make) => {
    const { outcome, tookMs } = await measureReading(make());
    expect(outcome).toBeInstanceOf(UnusableAudioError);
    expect(tookMs).toBeLessThan(500);
  });

  test('is refused if most of it is something else, wherever that is', async () => {
    const { outcome } = await measureReading(
      Buffer.concat([Buffer.alloc(MB), frames, Buffer.alloc(MB / 2), frames]),
    );
    expect(outcome).toBeInstanceOf(UnusableAudioError);
    const long = makeLongMp3(2 * MB, 1);
    const { outcome: read } = await measureReading(
      Buffer.concat([Buffer.alloc(MB), long, Buffer.alloc(MB / 2), long]),
    );
    expect(Buffer.concat(read as Buffer[]).equals(Buffer.concat([long, long]))).toBe(true);
  });

  function repeat(...parts: readonly Buffer[]): Buffer {
    return Buffer.concat(Array.from({ length: 4 }, () => parts).flat());
  }
});

/** Each frame in its own chunk between bytes of other data. */
const makeTornM4a = (frames: number) =>
  makeM4aOf(frames, Buffer.alloc(4, 7), { perChunk: 1, gap: Buffer.from([9]) });

describe('an M4A with scattered frames', () => {
  test('U8: is refused within 500 ms, for any number of frames', async () => {
    const { outcome, tookMs } = await measureReading(makeTornM4a(150_000));
    expect(outcome).toBeInstanceOf(UnusableAudioError);
    expect(tookMs).toBeLessThan(500);
  });

  test('is read within 500 ms with 10,000 frames, and is returned in large pieces', async () => {
    const { outcome, tookMs } = await measureReading(makeTornM4a(10_000));
    const chunks = outcome as Buffer[];
    expect(chunks).toHaveLength(2);
    expect(Buffer.concat(chunks).subarray(-40_000)).toEqual(Buffer.alloc(40_000, 7));
    expect(tookMs).toBeLessThan(500);
  });
});

describe('an M4A of tiny frames', () => {
  test.each([1, 3])('U8: is refused, with %i bytes for each frame', async (bytes) => {
    const { outcome, tookMs } = await measureReading(makeM4aOf(337_000, Buffer.alloc(bytes, 7)));
    expect(outcome).toBeInstanceOf(UnusableAudioError);
    expect(tookMs).toBeLessThan(500);
  });
});

describe('more concurrent sounds than the queue holds', () => {
  test('are refused with Retry-After, and the others are read', async () => {
    const reading = () => withCleanAudio(makeM4a(), ({ hash }) => Promise.resolve(hash));
    const outcomes = await Promise.allSettled(Array.from({ length: 60 }, reading));
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(refused).toHaveLength(8);
    for (const { reason } of refused) expect(reason).toBeInstanceOf(Busy);
    expect(await reading()).toMatch(/^[0-9a-f]{64}$/);
  });

  test('wait only while a file is read, not while its caller uses it', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const held = [1, 2, 3].map(() => withCleanAudio(makeM4a(), () => promise));
    expect(await withCleanAudio(makeM4a(), () => Promise.resolve('read'))).toBe('read');
    resolve();
    await Promise.all(held);
  });
});

describe.each(ruleDatabases)('an upload on $name while the queue is full', ({ open }) => {
  const database = useDatabase(open);

  test('is answered 503 with Retry-After, and is accepted later', async () => {
    const { api } = await createUploadApi(database);
    const artist = await addUploader(database, 'artist');
    const type = String(await createSoundType(database, { name: 'BGM' }));
    const content = await makeMp3(0.5);
    const hold = Promise.withResolvers<void>();
    // Two are being read, 50 are queued.
    const others = Array.from({ length: 52 }, (_, index) =>
      audioSemaphore.run(() => hold.promise, `member ${index}`),
    );
    const refused = await sendSound(api, artist, { content, type });
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([503, true]);
    hold.resolve();
    await Promise.all(others);
    expect((await sendSound(api, artist, { content, type })).status).toBe(200);
  });

  test('is accepted, and served next, if all others are of one member', async () => {
    const { api } = await createUploadApi(database);
    const artist = await addUploader(database, 'artist');
    const type = String(await createSoundType(database, { name: 'BGM' }));
    const holds = Array.from({ length: 52 }, () => Promise.withResolvers<void>());
    let refused = 0;
    const others = holds.map(({ promise }) =>
      audioSemaphore.run(() => promise, 'another member').catch(() => (refused += 1)),
    );
    const sending = sendSound(api, artist, { content: await makeMp3(0.5), type });
    await expect.poll(() => refused).toBe(1);
    // One that is being read ends: the next is the artist's, or one of the other member and then the artist's.
    holds[0]?.resolve();
    holds[1]?.resolve();
    expect((await sending).status).toBe(200);
    for (const { resolve } of holds) resolve();
    await Promise.all(others);
  });
});
