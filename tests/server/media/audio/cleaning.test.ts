import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AUDIO_DURATION_MS_MAX } from '#contract/sounds/audio-files.ts';
import { UnusableAudioError, probeAudio, withCleanAudio } from '#server/media/audio/audio.ts';
import {
  SCRIPT,
  decodeAudio,
  makeApe,
  makeBox,
  makeId3,
  makeId3v1,
  makeItunesTags,
  makeTaggedM4a,
  patch,
  toId3Text,
  clean,
  toU32,
} from '#support/files/audio-files.ts';
import { depth } from '#support/depth.ts';
import { makeGarbage } from '#support/files/damage.ts';
import { makeFolder } from '#support/files/folders.ts';
import { makeM4a, makeMp3 } from '#support/files/sound-fixtures.ts';
import { measureProcessorMs } from '#support/processes/processor-time.ts';

const script = Buffer.from(SCRIPT);
/** A frame that begins with the silent info frame of the encoder, with the given counts of frames and bytes. */
function withXing(mp3: Uint8Array, frames: number, bytes: number, mark = 'Xing'): Buffer {
  const head = Buffer.from(mp3.subarray(0, 4));
  const frame = Buffer.alloc(313); // 96 kbit/s, 44.1 kHz, without padding
  head.copy(frame);
  frame[2] = (head[2] ?? 0) & ~2;
  frame.write(mark, 4 + 17, 'latin1');
  frame.writeUInt32BE(3, 4 + 17 + 4);
  frame.writeUInt32BE(frames, 4 + 17 + 8);
  frame.writeUInt32BE(bytes, 4 + 17 + 12);
  return Buffer.concat([frame, mp3]);
}

describe('an MP3', () => {
  test('U1: loses tags, cover art and trailing data, and sounds the same', async () => {
    const mp3 = await makeMp3(1);
    const cover = Buffer.concat([Buffer.from('\0image/png\0\x03\0', 'latin1'), script]);
    const tagged = Buffer.concat([
      makeId3([
        ['TIT2', toId3Text('題')],
        ['APIC', cover],
        ['TXXX', script],
      ]),
      mp3,
      makeApe(SCRIPT),
      makeId3v1(script),
    ]);
    const cleaned = await clean(tagged);
    expect(cleaned.equals(mp3)).toBe(true);
    expect(await probeAudio(tagged)).toEqual(await probeAudio(mp3));
    expect(await decodeAudio(cleaned)).toEqual(await decodeAudio(mp3));
  });

  test('loses all data between its frames, including a second tag, and no frame', async () => {
    const mp3 = await makeMp3(1);
    const at = findFrame(mp3, 1_000);
    const second = makeId3([['APIC', Buffer.alloc(100_000, 'x')]]);
    const torn = Buffer.concat([mp3.subarray(0, at), script, mp3.subarray(at), second, mp3]);
    expect((await clean(torn)).equals(Buffer.concat([mp3, mp3]))).toBe(true);
  });

  test('keeps the encoder’s info frame, from which players read its length', async () => {
    const mp3 = await makeMp3(1);
    const { durationMs } = await probeAudio(mp3);
    const frames = Math.round((durationMs * 44.1) / 1_152);
    const noted = withXing(mp3, frames, mp3.byteLength + 313);
    expect((await clean(noted)).equals(noted)).toBe(true);
    expect((await probeAudio(noted)).durationMs).toBe(durationMs);
  });

  test('U9: of one second that claims ten hours has one second, and states so afterwards', async () => {
    const mp3 = await makeMp3(1);
    const { durationMs } = await probeAudio(mp3);
    const liar = withXing(mp3, 1_378_125, 400_000_000);
    expect((await probeAudio(liar)).durationMs).toBe(durationMs);
    const cleaned = await clean(liar);
    expect(cleaned.readUInt32BE(4 + 17 + 8)).toBe(Math.round((durationMs * 44.1) / 1_152));
    expect(cleaned.readUInt32BE(4 + 17 + 12)).toBe(liar.byteLength);
  });

  test('U9: of 30 hours is recognised as too long without being read to its end', async () => {
    // 8 kbit/s at 8 kHz: 72 bytes for 72 ms.
    const frame = Buffer.alloc(72);
    frame.set([0xff, 0xe3, 0x18, 0xc0]);
    const hours = Buffer.concat(Array.from({ length: 60_000 }, () => frame));
    const { durationMs } = await probeAudio(hours);
    expect(durationMs).toBeGreaterThan(AUDIO_DURATION_MS_MAX);
    expect(durationMs).toBeLessThan(AUDIO_DURATION_MS_MAX + 2_000);
  });

  test('U9: with a tag that claims 256 MB is refused', async () => {
    const lying = Buffer.concat([makeId3([['TIT2', toId3Text('題')]], 2 ** 28 - 1), await makeMp3(0.5)]);
    await expect(probeAudio(lying)).rejects.toBeInstanceOf(UnusableAudioError);
  });

  test('inside another file is not searched for', async () => {
    const mp3 = await makeMp3(1);
    const program = Buffer.concat([Buffer.from('MZ'), Buffer.alloc(1024 * 1024, 7), mp3]);
    await expect(probeAudio(program)).rejects.toBeInstanceOf(UnusableAudioError);
    const archive = Buffer.concat([mp3, Buffer.from('PK\x03\x04'), Buffer.alloc(2 * 1024 * 1024, 7)]);
    await expect(probeAudio(archive)).rejects.toBeInstanceOf(UnusableAudioError);
  });

  test.each<[what: string, bytes: Buffer]>([
    ['the rest of a picture whose tag has a wrong size', makeGarbage(300_000)],
    ['zeros', Buffer.alloc(1_000_000)],
    ['an APE tag', makeApe('a'.repeat(200_000))],
  ])('is found before and behind %s', async (_, bytes) => {
    const mp3 = await makeMp3(1);
    const tag = makeId3([['TIT2', toId3Text('題')]]);
    expect((await clean(Buffer.concat([tag, bytes, mp3]))).equals(mp3)).toBe(true);
    expect((await clean(Buffer.concat([mp3, bytes, mp3]))).equals(Buffer.concat([mp3, mp3]))).toBe(true);
  });

  test('is the same from memory and from disk', async () => {
    const mp3 = await makeMp3(3);
    const path = join(await makeFolder(), 'a.mp3');
    await writeFile(path, Buffer.concat([makeId3([['TXXX', script]]), mp3]));
    expect(await probeAudio({ path })).toEqual(await probeAudio(mp3));
    const hashOf = (file: Parameters<typeof withCleanAudio>[0]) =>
      withCleanAudio(file, async ({ hash }) => hash);
    expect(await hashOf({ path })).toBe(await hashOf(mp3));
  });
});

/** The offset of a fixture frame at or after `from`. All have the header of the first, except padding. */
function findFrame(mp3: Uint8Array, from: number): number {
  const header = (at: number) => [mp3[at], mp3[at + 1], (mp3[at + 2] ?? 0) & 0xfd, mp3[at + 3]].join();
  for (let at = from; at < mp3.byteLength; at += 1) if (header(at) === header(0)) return at;
  throw new Error('no frame');
}

/** The file with its offset table replaced by one 8 bytes longer; what follows moves. */
function replaceOffsets(file: Buffer, stco: Buffer): Buffer {
  const at = file.indexOf('stco') - 4;
  const longer = stco.byteLength - 20;
  const grown = Buffer.concat([file.subarray(0, at), stco, file.subarray(at + 20)]);
  for (const type of ['moov', 'trak', 'mdia', 'minf', 'stbl']) {
    const box = grown.indexOf(type) - 4;
    grown.writeUInt32BE(grown.readUInt32BE(box) + longer, box);
  }
  const first = grown.indexOf('stco') + 12;
  for (let entry = 0; entry < 3; entry += 1) {
    grown.writeUInt32BE(grown.readUInt32BE(first + entry * 4) + longer, first + entry * 4);
  }
  return grown;
}

describe('an M4A', () => {
  test.each([false, true])(
    'U1: loses tags and unknown boxes, and sounds the same (moov last: %s)',
    async (isMovieLast) => {
      const tagged = makeTaggedM4a(
        [makeItunesTags(SCRIPT), makeBox('uuid', script)],
        [makeBox('free', script), makeBox('wide'), makeBox('skip', script)],
        { isMovieLast },
      );
      const cleaned = await clean(Buffer.concat([tagged, makeBox('mdat', script)]));
      expect(cleaned.includes('script')).toBe(false);
      expect(await probeAudio(cleaned)).toEqual(await probeAudio(makeM4a()));
      expect(await decodeAudio(cleaned)).toEqual(await decodeAudio(makeM4a()));
      expect(cleaned.indexOf('moov')).toBeLessThan(cleaned.indexOf('mdat'));
    },
  );

  test('keeps every byte of its frames in playing order, for any chunk positions', async () => {
    // Three chunks of two six-byte frames, the second one stored last.
    const frames = [1, 2, 3].map((value) => Buffer.alloc(12, value));
    const plain = Buffer.from(makeM4a(6));
    const data = plain.byteLength + 8;
    const stco = makeBox('stco', toU32([0, 3, data, data + 112, data + 12]));
    const moved = patch(plain, 'stsc', 16, toU32([2]));
    const stored = makeBox('mdat', frames[0]!, frames[2]!, Buffer.alloc(88), frames[1]!);
    const file = Buffer.concat([moved, stored]);
    const cleaned = await clean(replaceOffsets(file, stco));
    expect(cleaned.subarray(-36).equals(Buffer.concat(frames))).toBe(true);
    expect(cleaned.readUInt32BE(cleaned.indexOf('stco') + 12)).toBe(cleaned.byteLength - 36);
  });

  test('is unchanged by a second cleaning', async () => {
    const once = await clean(makeTaggedM4a([makeItunesTags('題')], [], { isMovieLast: true }));
    expect((await clean(once)).equals(once)).toBe(true);
  });

  const m4a = makeM4a();
  const deep = (depth: number) => {
    let box: Buffer = Buffer.alloc(0);
    for (let level = 0; level < depth; level += 1) box = makeBox('moov', box);
    return box;
  };
  test.each<[what: string, bytes: Uint8Array]>([
    ['without moov', patch(m4a, 'moov', 0, Buffer.from('free'))],
    ['with a box of size 4', patch(m4a, 'mdat', -4, Buffer.from([0, 0, 0, 4]))],
    [
      'with a box of 2^63 bytes',
      patch(
        m4a,
        'mdat',
        -4,
        Buffer.from([0, 0, 0, 1, 109, 100, 97, 116, 127, 255, 255, 255, 255, 255, 255, 255]),
      ),
    ],
    ['with a box that is larger than what holds it', patch(m4a, 'trak', -4, Buffer.from([0, 1, 0, 0]))],
    ['10,000 boxes deep', Buffer.concat([m4a.subarray(0, 24), deep(10_000)])],
    ['of 20,000 boxes', Buffer.concat([m4a, ...Array.from({ length: 20_000 }, () => makeBox('free'))])],
    ['that is encrypted', patch(m4a, 'mp4a', 0, Buffer.from('drms'))],
    ['that is ALAC', patch(m4a, 'mp4a', 0, Buffer.from('alac'))],
    ['with a film', patch(m4a, 'soun', 0, Buffer.from('vide'))],
    ['whose frames lie beyond its end', patch(m4a, 'stco', 12, Buffer.from([0, 16, 0, 0]))],
    ['with more frames than bytes', patch(m4a, 'stsz', 8, Buffer.from([0, 1, 0, 0]))],
    ['of another brand', patch(m4a, 'ftyp', 4, Buffer.from('qt  \0\0\0\0qt  qt  '))],
    ['cut off', m4a.subarray(0, m4a.byteLength - 40)],
  ])('U8: %s is refused', async (_, bytes) => {
    await expect(probeAudio(bytes)).rejects.toBeInstanceOf(UnusableAudioError);
  });

  test('U8: with an external data address is read from itself, and loses the address', async () => {
    const away = patch(m4a, 'url ', 4, Buffer.from([0, 0, 0, 0]));
    const cleaned = await clean(away);
    expect(cleaned.readUInt32BE(cleaned.indexOf('url ') + 4)).toBe(1);
  });

  test('U8: changed in any place is refused or read within 50 ms', { timeout: 60_000 }, async () => {
    await probeAudio(m4a);
    let slowestMs = 0;
    const change = fc.tuple(fc.nat(m4a.byteLength - 1), fc.nat(255));
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 8 }), async (changes) => {
        const bytes = Buffer.from(m4a);
        for (const [at, value] of changes) bytes[at] = value;
        let outcome: unknown;
        const tookMs = await measureProcessorMs(async () => {
          outcome = await probeAudio(bytes).catch((error: unknown) => error);
        });
        slowestMs = Math.max(slowestMs, tookMs);
        expect(outcome instanceof Error && !(outcome instanceof UnusableAudioError)).toBe(false);
      }),
      { numRuns: depth(300, 2_000) },
    );
    expect(slowestMs).toBeLessThan(50);
  });
});

test('an MP3 that is changed in any place is refused or read', { timeout: 60_000 }, async () => {
  const mp3 = withXing(await makeMp3(0.3), 12, 4_000, 'Info');
  const change = fc.tuple(fc.nat(mp3.byteLength - 1), fc.nat(255));
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 8 }), async (changes) => {
      const bytes = Buffer.from(mp3);
      for (const [at, value] of changes) bytes[at] = value;
      const outcome = await clean(bytes).catch((error: unknown) => error);
      expect(outcome instanceof Error && !(outcome instanceof UnusableAudioError)).toBe(false);
    }),
    { numRuns: depth(100, 500) },
  );
});
