import { describe, expect, test } from 'vitest';
import { UnusableAudioError, probeAudio } from '#server/media/audio/audio.ts';
import { makeM4a, makeMp3 } from '#support/files/sound-fixtures.ts';

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
