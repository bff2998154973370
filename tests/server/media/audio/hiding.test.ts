import { describe, expect, test } from 'vitest';
import { UnusableAudioError, probeAudio, withCleanAudio } from '#server/media/audio/audio.ts';
import { decodeAudio, readFixture } from '#support/files/audio-files.ts';
import { changeBox, toLong } from './m4a-boxes.ts';

async function clean(file: Uint8Array) {
  return withCleanAudio(file, async ({ hash, ...audio }) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of audio.bytes()) chunks.push(Uint8Array.from(chunk));
    return { hash, bytes: Buffer.concat(chunks) };
  });
}

const MARK = Buffer.from('<html><script>');
const moovLast: Buffer = readFixture('moov-last.m4a');
const behind = (content: Buffer) => Buffer.concat([content, MARK]);
const at = (offset: number, bytes: Uint8Array) => (content: Buffer) => {
  content.set(bytes, offset);
  return content;
};

/** Additional, counted rows of a table, of the given number of bytes each. */
const moreRows =
  (rowBytes: number, ...rows: readonly string[]) =>
  (content: Buffer): Buffer => {
    const bytes = rows.map((row) => Buffer.alloc(rowBytes, row, 'latin1'));
    const longer = Buffer.concat([content, ...bytes]);
    longer.writeUInt32BE(content.readUInt32BE(4) + rows.length, 4);
    return longer;
  };

/** The `esds` that FFmpeg writes, with four-byte lengths and `extra` at the end of one descriptor. */
const inDescriptor =
  (tag: number) =>
  (esds: Buffer): Buffer => {
    const holders =
      { 0x03: [0x03], 0x04: [0x03, 0x04], 0x05: [0x03, 0x04, 0x05], 0x06: [0x03, 0x06] }[tag] ?? [];
    const find = (wanted: number) => esds.indexOf(Buffer.from([wanted, 0x80, 0x80, 0x80]));
    const end = find(tag) + 5 + (esds[find(tag) + 4] ?? 0);
    const longer = Buffer.concat([esds.subarray(0, end), MARK, esds.subarray(end)]);
    for (const holder of holders) longer[find(holder) + 4] = (esds[find(holder) + 4] ?? 0) + MARK.byteLength;
    return longer;
  };

describe('an M4A keeps no hidden data', () => {
  test.each<[place: string, type: string, hide: (content: Buffer) => Buffer]>([
    ['behind the movie header', 'mvhd', behind],
    ['in what the movie header reserves', 'mvhd', at(76, MARK)],
    ['behind the track header', 'tkhd', behind],
    ['in the matrix of the track header', 'tkhd', at(40, MARK)],
    ['behind the media header', 'mdhd', behind],
    ['behind the times', 'stts', behind],
    ['in times of frames that do not exist', 'stts', moreRows(8, '\0\0\0\0<htm', '\0\0\0\0l><s')],
    ['behind the runs', 'stsc', behind],
    [
      'in runs of chunks that do not exist',
      'stsc',
      moreRows(12, '\x7f\0\0\0', '<html><scrip', 't src=//a.b>'),
    ],
    ['in the flags of the sizes', 'stsz', at(1, MARK.subarray(0, 3))],
    ['behind the sizes', 'stsz', behind],
    ['behind the offsets', 'stco', behind],
    ['behind the edits', 'elst', behind],
    ['in what the sample entry reserves', 'mp4a', at(8, Buffer.from('\0\0<script>').subarray(0, 8))],
    ['behind the descriptors', 'esds', behind],
    ['behind the codec in its stream', 'esds', inDescriptor(0x03)],
    ['behind the codec', 'esds', inDescriptor(0x04)],
    ['behind the configuration of the codec', 'esds', inDescriptor(0x05)],
    ['in the transport of its stream', 'esds', inDescriptor(0x06)],
  ])('U1: %s, and is known by the same hash', async (_, type, hide) => {
    const hiding = changeBox(moovLast, type, hide);
    expect(hiding.equals(moovLast)).toBe(false);
    const [cleaned, plain] = [await clean(hiding), await clean(moovLast)];
    expect(cleaned.bytes.equals(plain.bytes)).toBe(true);
    expect(cleaned.hash).toBe(plain.hash);
  });

  test('sounds the same with headers of version 1, which keep nothing more', async () => {
    const long = [
      ['mvhd', 16],
      ['tkhd', 20],
      ['mdhd', 16],
    ] as const;
    const file = long.reduce<Buffer>(
      (bytes, [type, durationAt]) => changeBox(changeBox(bytes, type, toLong(durationAt)), type, behind),
      moovLast,
    );
    const { bytes } = await clean(file);
    expect(bytes.includes(MARK)).toBe(false);
    for (const [type] of long) expect(bytes[bytes.indexOf(type) + 4]).toBe(1);
    expect(await probeAudio(bytes)).toEqual(await probeAudio(moovLast));
    expect(await decodeAudio(bytes)).toEqual(await decodeAudio(moovLast));
  });
});

describe('an M4A', () => {
  test.each([
    ['mvhd', 0, 99],
    ['mvhd', 1, 111],
    ['tkhd', 0, 4],
    ['tkhd', 0, 83],
    ['tkhd', 1, 95],
    ['mdhd', 0, 10],
    ['mdhd', 0, 23],
    ['mdhd', 1, 35],
  ])('U8: whose %s of version %i has %i bytes is refused', async (type, version, length) => {
    const short = changeBox(moovLast, type, (content) => {
      const longer = Buffer.concat([content, Buffer.alloc(20)]).subarray(0, length);
      longer[0] = version;
      return longer;
    });
    await expect(probeAudio(short)).rejects.toBeInstanceOf(UnusableAudioError);
  });
});
