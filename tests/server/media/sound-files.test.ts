import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { FLAT_PEAKS, PEAK_BARS, decodePeaks } from '#contract/peaks.ts';
import { UnusableAudioError, probeAudio } from '#server/media/audio.ts';
import { createPeaksPool } from '#server/media/peaks.ts';
import { storeSoundFile } from '#server/media/sound-files.ts';
import { openFolderStorage } from '#server/platform/storage/folder.ts';
import { makeFolder } from '#support/files/folders.ts';
import { makeM4a, makeMp3 } from '#support/files/sound-fixtures.ts';

function makePool() {
  const pool = createPeaksPool(2);
  onTestFinished(() => pool.close());
  return pool;
}

describe('probeAudio', () => {
  test('reads an MP3 by its content', async () => {
    const facts = await probeAudio(await makeMp3(1));
    expect(facts).toMatchObject({ mime: 'audio/mpeg', sampleRateHz: 44_100, bitRateKbps: 96 });
    expect(facts.durationMs).toBeGreaterThan(950);
    expect(facts.durationMs).toBeLessThan(1_100);
  });

  test('reads AAC in an M4A by its content', async () => {
    const facts = await probeAudio(makeM4a(43));
    expect(facts).toMatchObject({ mime: 'audio/mp4', sampleRateHz: 44_100 });
    expect(facts.durationMs).toBe(998);
  });

  test.each([
    ['nothing', Buffer.alloc(0)],
    ['noise', Buffer.from('not a sound at all, only text that goes on for a while')],
    ['a web page', Buffer.from('<!doctype html><script>alert(1)</script>')],
    [
      'a WAV',
      Buffer.from(
        'RIFF$\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0D\xac\0\0\x88X\x01\0\x02\0\x10\0data\0\0\0\0',
        'latin1',
      ),
    ],
    ['an Ogg', Buffer.from('OggS\0\x02\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01\x1e\x01vorbis', 'latin1')],
    ['an ID3 header with nothing behind it', Buffer.from('ID3\x03\0\0\0\0\0\x0aTIT2\0\0\0\0', 'latin1')],
  ])('refuses %s', async (_, bytes) => {
    await expect(probeAudio(bytes)).rejects.toBeInstanceOf(UnusableAudioError);
  });
});

describe('readPeaks', () => {
  test('returns bars that rise to 1 for a growing sound', async () => {
    const bars = decodePeaks(await makePool().readPeaks(await makeMp3(2)));
    expect(bars).toHaveLength(PEAK_BARS);
    expect(Math.max(...bars)).toBe(1);
    expect(bars[5]).toBeLessThan(0.2);
    expect(bars[32]).toBeGreaterThan(0.35);
    expect(bars[32]).toBeLessThan(0.65);
  });

  test('handles a sound shorter than a bar', async () => {
    const bars = decodePeaks(await makePool().readPeaks(await makeMp3(0.01)));
    expect(bars).toHaveLength(PEAK_BARS);
  });

  test('decodes AAC', async () => {
    expect(await makePool().readPeaks(makeM4a())).toBe('0'.repeat(PEAK_BARS));
  });

  test('returns a flat line for undecodable input, and continues', async () => {
    const pool = makePool();
    const [broken, good] = await Promise.all([
      pool.readPeaks(Buffer.from('broken')),
      pool.readPeaks(await makeMp3()),
    ]);
    expect(broken).toBe(FLAT_PEAKS);
    expect(good).not.toBe(FLAT_PEAKS);
  });

  test('queues more sounds than it has threads', async () => {
    const pool = makePool();
    const mp3 = await makeMp3(0.2);
    const all = await Promise.all(Array.from({ length: 12 }, () => pool.readPeaks(mp3)));
    expect(new Set(all).size).toBe(1);
  });
});

describe('storeSoundFile', () => {
  test('stores the bytes under their hash and returns all fields of a row', async () => {
    const storage = await openFolderStorage(await makeFolder());
    const mp3 = await makeMp3(0.5);
    const { file: stored, findings } = await storeSoundFile(storage, mp3, { pool: makePool() });
    const key = createHash('sha256').update(mp3).digest('hex');
    expect(stored).toMatchObject({
      audio_key: key,
      audio_mime: 'audio/mpeg',
      audio_size: mp3.byteLength,
      bit_rate: 96,
    });
    expect(stored.peaks).toHaveLength(PEAK_BARS);
    expect(findings).toMatchObject({ clip_count: 0 });
    expect(await buffer(await storage.open(`sounds/${key}`))).toEqual(Buffer.from(mp3));
  });

  test('accepts a file path, and known peaks', async () => {
    const folder = await makeFolder();
    const storage = await openFolderStorage(join(folder, 'files'));
    await writeFile(join(folder, 'a.mp3'), await makeMp3(0.3));
    const { file: stored } = await storeSoundFile(
      storage,
      { path: join(folder, 'a.mp3') },
      { peaks: 'z'.repeat(PEAK_BARS) },
    );
    expect(stored.peaks).toBe('z'.repeat(PEAK_BARS));
  });

  test('stores nothing of a file that is not audio', async () => {
    const storage = await openFolderStorage(await makeFolder());
    const page = Buffer.from('<script>alert(1)</script>');
    await expect(storeSoundFile(storage, page)).rejects.toBeInstanceOf(UnusableAudioError);
    expect(await storage.has(`sounds/${createHash('sha256').update(page).digest('hex')}`)).toBe(false);
  });
});
