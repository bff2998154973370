import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { PEAK_BARS } from '#contract/sounds/peaks.ts';
import { storeSoundFile } from '#demo/store-sound.ts';
import { UnusableAudioError } from '#server/media/audio/audio.ts';
import { openFolderStorage } from '#server/platform/storage/folder.ts';
import { makeFolder } from '#support/files/folders.ts';
import { makeMp3 } from '#support/files/sound-fixtures.ts';

describe('storeSoundFile', () => {
  test('stores the bytes under their hash and returns all fields of a row', async () => {
    const storage = await openFolderStorage(await makeFolder());
    const mp3 = await makeMp3(0.5);
    const { file: stored, findings } = await storeSoundFile(storage, mp3);
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

  test('stores nothing of a file that is not audio', async () => {
    const storage = await openFolderStorage(await makeFolder());
    const page = Buffer.from('<script>alert(1)</script>');
    await expect(storeSoundFile(storage, page)).rejects.toBeInstanceOf(UnusableAudioError);
    expect(await storage.has(`sounds/${createHash('sha256').update(page).digest('hex')}`)).toBe(false);
  });
});
