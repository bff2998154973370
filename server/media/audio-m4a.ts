import { UnusableAudioError, toFacts } from './audio-facts.ts';
import type { AudioPlan } from './audio-facts.ts';
import { createBoxReader, has, makeBox, one } from './audio-m4a-boxes.ts';
import type { Box, BoxReader } from './audio-m4a-boxes.ts';
import { readCodec } from './audio-m4a-codec.ts';
import { makeEdits, readEdits, readItunesEdit } from './audio-m4a-edits.ts';
import type { Edit } from './audio-m4a-edits.ts';
import { mergeRanges, readChunks, toOffsets, u32 } from './audio-m4a-tables.ts';
import type { ByteSource } from './audio-source.ts';

const BRANDS = /^(?:M4A |M4B |mp41|mp42|isom|iso[2-9])$/;
const SMALL_BYTES_MAX = 1_024;
/** AAC's own (ISO 14496-3): what the tables say of time has to agree with it. */
const SAMPLES_PER_FRAME = 1_024;
/** Encoders pad the ends; more than this is a lie. */
const TOLERANCE_SECONDS = 1;
const FILE_TYPE = makeBox('ftyp', Buffer.from('M4A \0\0\0\0M4A mp42isom', 'latin1'));
const HANDLER = makeBox('hdlr', Buffer.from(`${'\0'.repeat(8)}soun${'\0'.repeat(12)}sound\0`, 'latin1'));
/** All data is in this very file: nothing is ever fetched. */
const DATA_INFORMATION = makeBox(
  'dinf',
  makeBox('dref', Buffer.from([0, 0, 0, 0, 0, 0, 0, 1]), makeBox('url ', Buffer.from([0, 0, 0, 1]))),
);

/**
 * Reads AAC in an M4A and plans it anew: the boxes that playing needs and the frames of its one audio
 * track, nothing else of what may hide in boxes or between them. What is needed first stands first,
 * so that a browser plays at once. Throws `UnusableAudioError`.
 */
export async function planM4a(source: ByteSource): Promise<AudioPlan> {
  const reader = createBoxReader(source);
  const top = await reader.top();
  checkBrand(await reader.content(top, 'ftyp', SMALL_BYTES_MAX));
  if (has(top, 'moof')) throw new UnusableAudioError('the file is fragmented');
  const movie = await reader.list(one(top, 'moov'));
  const track = await findTrack(reader, movie);
  const chunks = readChunks(track.tables, source.size);

  const samples = chunks.frames * SAMPLES_PER_FRAME;
  const sampleRateHz = track.codec.coreRateHz;
  const seconds = samples / sampleRateHz;
  const header = await reader.content(movie, 'mvhd', SMALL_BYTES_MAX);
  const movieTimescale = readTimescale(header);
  const trackTimescale = readTimescale(track.mdhd);
  const edits =
    track.edits.length > 0
      ? track.edits
      : await readItunesEdit(source, { samples, sampleRateHz, movieTimescale, trackTimescale });
  for (const claimed of [
    readSeconds(header),
    readSeconds(track.mdhd),
    sumTimes(track.stts) / trackTimescale,
    edits.reduce((sum, { duration }) => sum + duration, 0) / movieTimescale,
  ]) {
    if (!(claimed <= seconds * 1.05 + TOLERANCE_SECONDS)) throw new UnusableAudioError('the length is a lie');
  }
  const makeMovie = (firstChunk: number) =>
    makeBox(
      'moov',
      makeBox('mvhd', withoutTimes(header)),
      track.make(makeBox('stco', toOffsets(chunks, firstChunk)), edits),
    );
  const dataAt = FILE_TYPE.byteLength + makeMovie(0).byteLength + 8;
  const dataHead = Buffer.alloc(8);
  dataHead.writeUInt32BE(chunks.bytes + 8, 0);
  dataHead.write('mdat', 4, 'latin1');
  return {
    facts: toFacts('audio/mp4', {
      seconds,
      heardSeconds: toHeardSeconds(edits, { seconds, movieTimescale, trackTimescale }),
      bytes: chunks.bytes,
      sampleRateHz: track.codec.sampleRateHz,
    }),
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

/** The one audio track; texts beside it, such as chapters, are left behind, a film is not a sound. */
async function findTrack(reader: BoxReader, movie: readonly Box[]) {
  const sounding: { readonly track: Box[]; readonly media: Box[] }[] = [];
  for (const box of movie.filter(({ type }) => type === 'trak')) {
    const track = await reader.list(box);
    const media = await reader.list(one(track, 'mdia'));
    const handler = (await reader.content(media, 'hdlr', SMALL_BYTES_MAX)).toString('latin1', 8, 12);
    if (handler === 'vide') throw new UnusableAudioError('a film');
    if (handler === 'soun') sounding.push({ track, media });
  }
  const [only, another] = sounding;
  if (only === undefined || another !== undefined) throw new UnusableAudioError('not one audio track');
  return readTrack(reader, only.track, only.media);
}

async function readTrack(reader: BoxReader, track: readonly Box[], media: readonly Box[]) {
  const information = await reader.list(one(media, 'minf'));
  const table = await reader.list(one(information, 'stbl'));
  const header = await reader.content(track, 'tkhd', SMALL_BYTES_MAX);
  const edits = await readEdits(reader, track);
  const mdhd = await reader.content(media, 'mdhd', SMALL_BYTES_MAX);
  const stts = await reader.content(table, 'stts');
  const type = has(table, 'stco') ? ('stco' as const) : ('co64' as const);
  const tables = {
    stsz: await reader.content(table, 'stsz'),
    stsc: await reader.content(table, 'stsc'),
    offsets: { type, content: await reader.content(table, type) },
  };
  const codec = await readCodec(reader, one(table, 'stsd'));
  return {
    tables,
    codec,
    edits,
    mdhd,
    stts,
    /** The track anew, around a table of offsets. */
    make(offsets: Buffer, heard: readonly Edit[]): Buffer {
      const sampleTable = makeBox(
        'stbl',
        codec.description,
        makeBox('stts', stts),
        makeBox('stsc', tables.stsc),
        makeBox('stsz', tables.stsz),
        offsets,
      );
      const soundHeader = makeBox('smhd', Buffer.alloc(8));
      const content = makeBox('minf', soundHeader, DATA_INFORMATION, sampleTable);
      return makeBox(
        'trak',
        makeBox('tkhd', withoutTimes(header)),
        ...makeEdits(heard),
        makeBox('mdia', makeBox('mdhd', withoutTimes(mdhd)), HANDLER, content),
      );
    },
  };
}

/** What is heard of a track; edits that say nothing of use, or more than there is, count as none. */
function toHeardSeconds(
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

/** An `mvhd`, `tkhd` or `mdhd` that tells nobody when it was made. */
function withoutTimes(header: Buffer): Buffer {
  return Buffer.from(header).fill(0, 4, header[0] === 1 ? 20 : 12);
}

/** Time units a second of an `mvhd` or `mdhd`. */
function readTimescale(header: Buffer): number {
  return u32(header, header[0] === 1 ? 20 : 12);
}

function readSeconds(header: Buffer): number {
  const isLong = header[0] === 1;
  const units = isLong ? u32(header, 24) * 2 ** 32 + u32(header, 28) : u32(header, 16);
  const isUnknown = units === (isLong ? 2 ** 64 : 0xffff_ffff);
  return isUnknown ? 0 : units / readTimescale(header);
}

function sumTimes(stts: Buffer): number {
  let units = 0;
  for (let entry = 0; entry < u32(stts, 4); entry += 1) {
    units += u32(stts, 8 + entry * 8) * u32(stts, 12 + entry * 8);
  }
  return units;
}
