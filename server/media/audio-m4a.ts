import { UnsupportedAudioError, UnusableAudioError, toFacts } from './audio-facts.ts';
import type { AudioPlan } from './audio-facts.ts';
import { createBoxReader, has, makeBox, one } from './audio-m4a-boxes.ts';
import type { Box, BoxReader } from './audio-m4a-boxes.ts';
import { readCodec } from './audio-m4a-codec.ts';
import { makeEdits, readEdits, readItunesEdit } from './audio-m4a-edits.ts';
import type { Edit } from './audio-m4a-edits.ts';
import { cleanTrackHeader, readTimeHeader } from './audio-m4a-headers.ts';
import { mergeRanges, readChunks, readSizes, toOffsets, toRuns } from './audio-m4a-tables.ts';
import { SAMPLES_PER_FRAME, cleanTimes, readTimes, sumTimes } from './audio-m4a-times.ts';
import type { ByteSource } from './audio-source.ts';

const BRANDS = /^(?:M4A |M4B |mp41|mp42|isom|iso[2-9])$/;
const SMALL_BYTES_MAX = 1_024;
/** Encoders pad the ends; a larger difference means a false value. */
const TOLERANCE_SECONDS = 1;
const FILE_TYPE = makeBox('ftyp', Buffer.from('M4A \0\0\0\0M4A mp42isom', 'latin1'));
const HANDLER = makeBox('hdlr', Buffer.from(`${'\0'.repeat(8)}soun${'\0'.repeat(12)}sound\0`, 'latin1'));
/** All data is in this file: external references are never fetched. */
const DATA_INFORMATION = makeBox(
  'dinf',
  makeBox('dref', Buffer.from([0, 0, 0, 0, 0, 0, 0, 1]), makeBox('url ', Buffer.from([0, 0, 0, 1]))),
);

/**
 * Reads AAC in an M4A and plans a new file: the boxes that playback needs and the frames of its single audio track,
 * without any other data in or between boxes. The header comes first, so that a browser can play at once. Throws
 * `UnusableAudioError`.
 */
export async function planM4a(source: ByteSource): Promise<AudioPlan> {
  const reader = createBoxReader(source);
  const top = await reader.top();
  checkBrand(await reader.content(top, 'ftyp', SMALL_BYTES_MAX));
  if (has(top, 'moof')) throw new UnsupportedAudioError('分割されたMP4');
  const movie = await reader.list(one(top, 'moov'));
  const track = await findTrack(reader, movie, source.size);
  const { chunks } = track;

  const samples = chunks.frames * SAMPLES_PER_FRAME;
  const sampleRateHz = track.codec.coreRateHz;
  const seconds = samples / sampleRateHz;
  const header = readTimeHeader('mvhd', await reader.content(movie, 'mvhd', SMALL_BYTES_MAX));
  const movieTimescale = header.timescale;
  const trackTimescale = track.mdhd.timescale;
  const edits =
    track.edits.length > 0
      ? track.edits
      : await readItunesEdit(source, { samples, sampleRateHz, movieTimescale, trackTimescale });
  for (const claimed of [
    header.seconds,
    track.mdhd.seconds,
    sumTimes(track.times) / trackTimescale,
    edits.reduce((sum, { duration }) => sum + duration, 0) / movieTimescale,
  ]) {
    if (!(claimed <= seconds * 1.05 + TOLERANCE_SECONDS)) throw new UnusableAudioError('the length is a lie');
  }
  const makeMovie = (firstChunk: number) =>
    makeBox('moov', makeBox('mvhd', header.content), track.make(firstChunk, edits));
  const dataAt = FILE_TYPE.byteLength + makeMovie(0).byteLength + 8;
  const dataHead = Buffer.alloc(8);
  dataHead.writeUInt32BE(chunks.bytes + 8, 0);
  dataHead.write('mdat', 4, 'latin1');
  return {
    facts: toFacts('audio/mp4', {
      seconds,
      audibleSeconds: toAudibleSeconds(edits, { seconds, movieTimescale, trackTimescale }),
      bytes: chunks.bytes,
      sampleRateHz: track.codec.sampleRateHz,
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

/** The single audio track; text tracks such as chapters are dropped, and files with video are rejected. */
async function findTrack(reader: BoxReader, movie: readonly Box[], fileBytes: number) {
  const sounding: TrackBoxes[] = [];
  for (const box of movie.filter(({ type }) => type === 'trak')) {
    const track = await reader.list(box);
    const media = await reader.list(one(track, 'mdia'));
    const handler = (await reader.content(media, 'hdlr', SMALL_BYTES_MAX)).toString('latin1', 8, 12);
    if (handler === 'vide') throw new UnsupportedAudioError('動画');
    if (handler === 'soun') sounding.push({ track, media });
  }
  const [only, another] = sounding;
  if (only === undefined || another !== undefined) throw new UnusableAudioError('not one audio track');
  return readTrack(reader, only, fileBytes);
}

interface TrackBoxes {
  readonly track: readonly Box[];
  readonly media: readonly Box[];
}

async function readTrack(reader: BoxReader, { track, media }: TrackBoxes, fileBytes: number) {
  const information = await reader.list(one(media, 'minf'));
  const table = await reader.list(one(information, 'stbl'));
  const header = cleanTrackHeader(await reader.content(track, 'tkhd', SMALL_BYTES_MAX));
  const edits = await readEdits(reader, track);
  const mdhd = readTimeHeader('mdhd', await reader.content(media, 'mdhd', SMALL_BYTES_MAX));
  const times = readTimes(await reader.content(table, 'stts'));
  const type = has(table, 'stco') ? ('stco' as const) : ('co64' as const);
  const sizes = readSizes(await reader.content(table, 'stsz'));
  const stsc = await reader.content(table, 'stsc');
  const offsets = { type, content: await reader.content(table, type) };
  const chunks = readChunks({ sizes, stsc, offsets }, fileBytes);
  const tables = [
    makeBox('stts', cleanTimes(times, chunks.frames)),
    makeBox('stsc', toRuns(chunks)),
    makeBox('stsz', sizes.content),
  ];
  const codec = await readCodec(reader, one(table, 'stsd'));
  return {
    chunks,
    codec,
    edits,
    mdhd,
    times,
    /** The rewritten track, with consecutive chunks from `firstChunk` on. */
    make(firstChunk: number, heard: readonly Edit[]): Buffer {
      const sampleTable = makeBox(
        'stbl',
        codec.description,
        ...tables,
        makeBox('stco', toOffsets(chunks, firstChunk)),
      );
      const soundHeader = makeBox('smhd', Buffer.alloc(8));
      const content = makeBox('minf', soundHeader, DATA_INFORMATION, sampleTable);
      return makeBox(
        'trak',
        makeBox('tkhd', header),
        ...makeEdits(heard),
        makeBox('mdia', makeBox('mdhd', mdhd.content), HANDLER, content),
      );
    },
  };
}

/** The audible part of a track; edits that are unusable or longer than the track are ignored. */
function toAudibleSeconds(
  edits: readonly Edit[],
  {
    seconds,
    movieTimescale,
    trackTimescale,
  }: { seconds: number; movieTimescale: number; trackTimescale: number },
): number {
  const heard = edits.reduce((sum, { duration, start }) => {
    const left = seconds - Math.max(0, start) / trackTimescale;
    return sum + (duration === 0 ? left : Math.min(left, duration / movieTimescale));
  }, 0);
  return heard > 0 && heard < seconds ? heard : seconds;
}
