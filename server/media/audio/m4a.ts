import { UnsupportedAudioError, UnusableAudioError, requireFrames, toFacts } from './facts.ts';
import type { AudioPlan } from './facts.ts';
import { createBoxReader, has, makeBox, requireBox } from './m4a-boxes.ts';
import type { Box, BoxReader } from './m4a-boxes.ts';
import { readCodec } from './m4a-codec.ts';
import { makeEdits, readEdits, readItunesEdit } from './m4a-edits.ts';
import { readFragments } from './m4a-fragments.ts';
import { makeTimeHeader, makeTrackHeader, readTimeHeader, readTrackHeader } from './m4a-headers.ts';
import { correctMovieLength, correctTrackLength } from './m4a-lengths.ts';
import type { MovieLength } from './m4a-lengths.ts';
import { appendSizes, readSizes } from './m4a-sizes.ts';
import { makeTable, mergeRanges, readChunks, sumChunks, toOffsets, toRuns } from './m4a-tables.ts';
import { cutTimes, readTimes, sumTimes } from './m4a-times.ts';
import type { ByteSource } from './source.ts';

const BRANDS = /^(?:M4A |M4B |mp41|mp42|isom|iso[2-9])$/;
const SMALL_BYTES_MAX = 1_024;
const FILE_TYPE = makeBox('ftyp', Buffer.from('M4A \0\0\0\0M4A mp42isom', 'latin1'));
const HANDLER = makeBox('hdlr', Buffer.from(`${'\0'.repeat(8)}soun${'\0'.repeat(12)}sound\0`, 'latin1'));
/** All data is in this file: external references are never fetched. */
const DATA_INFORMATION = makeBox(
  'dinf',
  makeBox('dref', Buffer.from([0, 0, 0, 0, 0, 0, 0, 1]), makeBox('url ', Buffer.from([0, 0, 0, 1]))),
);

/**
 * Reads AAC in an M4A and plans a new file: the boxes that playback needs and the frames of its single audio track,
 * without any other data in or between boxes, and with the length of these frames. The header comes first, so that a
 * browser can play at once. Throws `UnusableAudioError`.
 */
export async function planM4a(source: ByteSource): Promise<AudioPlan> {
  const reader = createBoxReader(source);
  const top = await reader.top();
  checkBrand(await reader.content(top, 'ftyp', SMALL_BYTES_MAX));
  const movie = await reader.list(requireBox(top, 'moov'));
  const { chunks, codec, length, tables, ...track } = await findTrack(reader, { top, movie });
  requireFrames(chunks.frames);

  const header = readTimeHeader('mvhd', await reader.content(movie, 'mvhd', SMALL_BYTES_MAX));
  const sampleRateHz = codec.coreRateHz;
  const samples = chunks.frames * codec.samplesPerFrame;
  const movieTimescale = header.timescale;
  const trackTimescale = length.header.timescale;
  const edits =
    track.edits.length > 0
      ? track.edits
      : await readItunesEdit(source, { samples, sampleRateHz, movieTimescale, trackTimescale });
  const whole = correctMovieLength({ header, trackUnits: track.header.units, edits }, length);
  const { audibleSeconds } = whole;
  const frameSeconds = codec.samplesPerFrame / codec.coreRateHz;
  const makeMovie = (firstChunk: number) =>
    makeBox(
      'moov',
      makeBox('mvhd', makeTimeHeader('mvhd', whole.header)),
      makeTrack({ ...track, chunks, codec, length, tables }, whole, firstChunk),
    );
  const dataAt = FILE_TYPE.byteLength + makeMovie(0).byteLength + 8;
  const dataHead = Buffer.alloc(8);
  dataHead.writeUInt32BE(chunks.bytes + 8, 0);
  dataHead.write('mdat', 4, 'latin1');
  return {
    facts: toFacts('audio/mp4', {
      seconds: frameSeconds * chunks.frames,
      audibleSeconds,
      bytes: chunks.bytes,
      sampleRateHz: codec.sampleRateHz,
    }),
    gapsMs: [],
    pieces: [Buffer.concat([FILE_TYPE, makeMovie(dataAt), dataHead]), ...mergeRanges(chunks.ranges)],
  };
}

function checkBrand(fileType: Buffer): void {
  const brands = Array.from({ length: Math.floor(fileType.byteLength / 4) }, (_, index) =>
    fileType.toString('latin1', index * 4, index * 4 + 4),
  );
  brands.splice(1, 1); // the minor version
  if (!brands.some((brand) => BRANDS.test(brand))) throw new UnusableAudioError(`brands ${brands.join(' ')}`);
}

interface FileBoxes {
  readonly top: readonly Box[];
  readonly movie: readonly Box[];
}

/** The single audio track; text tracks such as chapters are dropped, and files with video are rejected. */
async function findTrack(reader: BoxReader, file: FileBoxes) {
  const sounding: TrackBoxes[] = [];
  for (const box of file.movie.filter(({ type }) => type === 'trak')) {
    const track = await reader.list(box);
    const media = await reader.list(requireBox(track, 'mdia'));
    const handler = (await reader.content(media, 'hdlr', SMALL_BYTES_MAX)).toString('latin1', 8, 12);
    if (handler === 'vide') throw new UnsupportedAudioError('動画');
    if (handler === 'soun') sounding.push({ track, media });
  }
  const [only, another] = sounding;
  if (only === undefined || another !== undefined) throw new UnusableAudioError('not one audio track');
  return readTrack(reader, file, only);
}

interface TrackBoxes {
  readonly track: readonly Box[];
  readonly media: readonly Box[];
}

type Track = Awaited<ReturnType<typeof readTrack>>;

async function readTrack(reader: BoxReader, { top, movie }: FileBoxes, { track, media }: TrackBoxes) {
  const information = await reader.list(requireBox(media, 'minf'));
  const table = await reader.list(requireBox(information, 'stbl'));
  const header = readTrackHeader(await reader.content(track, 'tkhd', SMALL_BYTES_MAX));
  const edits = await readEdits(reader, track);
  const mdhd = readTimeHeader('mdhd', await reader.content(media, 'mdhd', SMALL_BYTES_MAX));
  const type = has(table, 'stco') ? ('stco' as const) : ('co64' as const);
  const sizes = await readSizes(reader, table);
  const stsc = await reader.content(table, 'stsc');
  const offsets = { type, content: await reader.content(table, type) };
  const tabled = readChunks({ sizes, stsc, offsets });
  const times = cutTimes(readTimes(await reader.content(table, 'stts')), sizes.count) ?? [];
  const more = await readFragments(reader, { top, movie, trackId: header.id, units: sumTimes(times) });
  // What follows the last box is no sound.
  const chunks = sumChunks([...tabled, ...more.chunks], top.at(-1)?.end ?? 0);
  const codec = await readCodec(reader, requireBox(table, 'stsd'));
  const frames = { ...codec, frames: chunks.frames, sampleRateHz: codec.coreRateHz };
  const length = correctTrackLength(mdhd, [...times, ...more.times], frames);
  const tables = [
    makeBox('stts', makeTable(length.times)),
    makeBox('stsc', toRuns(chunks)),
    makeBox('stsz', appendSizes(sizes, more.sizes).content),
  ];
  return { chunks, codec, edits, header, length, tables };
}

/** The rewritten track, with consecutive chunks from `firstChunk` on. */
function makeTrack(
  { chunks, codec, header, length, tables }: Track,
  { trackUnits, edits }: MovieLength,
  firstChunk: number,
): Buffer {
  const offsets = makeBox('stco', toOffsets(chunks, firstChunk));
  const sampleTable = makeBox('stbl', codec.description, ...tables, offsets);
  const content = makeBox('minf', makeBox('smhd', Buffer.alloc(8)), DATA_INFORMATION, sampleTable);
  return makeBox(
    'trak',
    makeBox('tkhd', makeTrackHeader({ ...header, units: trackUnits })),
    ...makeEdits(edits),
    makeBox('mdia', makeBox('mdhd', makeTimeHeader('mdhd', length.header)), HANDLER, content),
  );
}
