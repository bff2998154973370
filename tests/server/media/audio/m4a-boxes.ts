import { makeBox, toU32 } from '#support/files/audio-files.ts';
import { makeM4a } from '#support/files/sound-fixtures.ts';

/** Every box that contains other boxes. */
const HOLDERS = ['moov', 'trak', 'edts', 'mdia', 'minf', 'stbl', 'stsd', 'mp4a'];

/**
 * The file with one box's content replaced. Unless the size stays, its `moov` must be behind its frames: none is moved.
 */
export function changeBox(file: Buffer, type: string, toContent: (content: Buffer) => Buffer): Buffer {
  const at = file.indexOf(type) - 4;
  const end = at + file.readUInt32BE(at);
  const content = toContent(Buffer.from(file.subarray(at + 8, end)));
  const changed = Buffer.concat([file.subarray(0, at + 8), content, file.subarray(end)]);
  const longer = changed.byteLength - file.byteLength;
  for (const holder of HOLDERS.filter((name) => file.includes(name))) {
    const start = file.indexOf(holder) - 4;
    const size = file.readUInt32BE(start);
    if (start <= at && start + size >= end) changed.writeUInt32BE(size + longer, start);
  }
  if (!HOLDERS.includes(type)) changed.writeUInt32BE(end - at + longer, at);
  return changed;
}

/** An `mvhd`, `mdhd` or `tkhd` in version 1, in which times and durations have twice the size. */
export const toLong =
  (durationAt: number) =>
  (content: Buffer): Buffer =>
    Buffer.concat([
      Buffer.from([1]),
      content.subarray(1, 4),
      Buffer.alloc(16),
      content.subarray(12, durationAt),
      Buffer.alloc(4),
      content.subarray(durationAt),
    ]);

/** An `mvex` that announces fragments of the first track. */
export const FRAGMENTS_FOLLOW = makeBox('mvex', makeBox('trex', toU32([0, 1, 1, 1_024, 0, 0])));

/** A `moof` of these frames, which start at `units`, and its `mdat`; `claimed` can be a false number of frames. */
export function makeFragment(frames: readonly Buffer[], units: number, claimed = frames.length): Buffer {
  const make = (dataAt: number) =>
    makeBox(
      'moof',
      makeBox('mfhd', toU32([0, 1])),
      makeBox(
        'traf',
        makeBox('tfhd', toU32([0x20008, 1, 1_024])),
        makeBox('tfdt', toU32([0, units])),
        makeBox('trun', toU32([0x201, claimed, dataAt, ...frames.map(({ byteLength }) => byteLength)])),
      ),
    );
  return Buffer.concat([make(make(0).byteLength + 8), makeBox('mdat', ...frames)]);
}

/** An M4A of equal frames, which may repeat over several; in chunks of `perChunk`, each of which is followed by `gap`. */
export function makeM4aOf(
  frames: number,
  frame: Buffer,
  { bytes = frame.byteLength, perChunk = frames, gap = Buffer.alloc(0) } = {},
): Buffer {
  const chunk = Buffer.concat([Buffer.alloc(perChunk * bytes, frame), gap]);
  const chunks = frames / perChunk;
  const plain = Buffer.from(makeM4a(1));
  const fill = (first: number) =>
    (
      [
        ['stts', toU32([0, 1, frames, 1_024])],
        ['stsc', toU32([0, 1, 1, perChunk, 1])],
        ['stsz', toU32([0, bytes, frames])],
        [
          'stco',
          toU32([0, chunks, ...Array.from({ length: chunks }, (_, at) => first + at * chunk.byteLength)]),
        ],
      ] as const
    ).reduce(
      (movie: Buffer, [type, content]) => changeBox(movie, type, () => content),
      plain.subarray(0, plain.indexOf('mdat') - 4),
    );
  const sounds = makeBox('mdat', Buffer.alloc(chunks * chunk.byteLength, chunk));
  return Buffer.concat([fill(fill(0).byteLength + 8), sounds]);
}
