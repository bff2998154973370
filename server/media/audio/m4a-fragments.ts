import { UnusableAudioError } from './facts.ts';
import { has } from './m4a-boxes.ts';
import type { Box, BoxReader } from './m4a-boxes.ts';
import { FRAMES_MAX, u32 } from './m4a-sizes.ts';
import type { Chunk } from './m4a-tables.ts';
import type { Times } from './m4a-times.ts';

/** Of `tfhd` and `trun` (ISO 14496-12 §8.8.7, §8.8.8): which fields follow. */
const TRACK_FIELDS = { offset: 0x1, description: 0x2, duration: 0x8, size: 0x10 };
const RUN_FIELDS = { offset: 0x1, firstFlags: 0x4, duration: 0x100, size: 0x200, flags: 0x400, shift: 0x800 };
const SMALL_BYTES_MAX = 1_024;

/** The frames of a track that are in fragments, in addition to those of its tables. */
export interface Fragments {
  readonly chunks: Chunk[];
  /** In bytes, for each frame. */
  readonly sizes: number[];
  readonly times: Times[];
}

interface Defaults {
  readonly units: number;
  readonly bytes: number;
}

interface FragmentedTrack {
  readonly top: readonly Box[];
  readonly movie: readonly Box[];
  readonly trackId: number;
  /** The duration of the frames in its tables, in track units. */
  readonly units: number;
}

/**
 * Reads the fragments of a track (§8.8). Like in players, there are none without the `mvex` that announces them. A
 * recorder that completes the tables at the end leaves its fragments: one of an earlier time is a copy, and ignored.
 * Throws `UnusableAudioError`.
 */
export async function readFragments(
  reader: BoxReader,
  { top, movie, trackId, units }: FragmentedTrack,
): Promise<Fragments> {
  const found: Fragments = { chunks: [], sizes: [], times: [] };
  const general = await findDefaults(reader, movie, trackId);
  if (general === undefined) return found;
  let end = units;
  for (const fragment of top.filter(({ type }) => type === 'moof')) {
    for (const part of (await reader.list(fragment)).filter(({ type }) => type === 'traf')) {
      const boxes = await reader.list(part);
      const header = readHeader(await reader.content(boxes, 'tfhd', SMALL_BYTES_MAX), general);
      const start = (await findTime(reader, boxes)) ?? end;
      if (header.id !== trackId || start + header.units < end) continue;
      end = start;
      let base = header.offset ?? fragment.headStart;
      const origin = base;
      for (const run of boxes.filter(({ type }) => type === 'trun')) {
        const added = addRun(found, await reader.content([run], 'trun'), { origin, base, defaults: header });
        base = added.end;
        end += added.units;
      }
    }
  }
  return found;
}

/** Adds the frames of a `trun`, whose data starts at an offset from `origin`, or else at `base`. */
function addRun(
  { chunks, sizes, times }: Fragments,
  run: Buffer,
  { origin, base, defaults }: { origin: number; base: number; defaults: Defaults },
): { end: number; units: number } {
  const next = openFields(run, 8, u32(run, 0));
  const frames = u32(run, 4);
  if (sizes.length + frames > FRAMES_MAX) throw new UnusableAudioError('too many frames');
  const offset = next(RUN_FIELDS.offset);
  next(RUN_FIELDS.firstFlags);
  const start = offset === undefined ? base : origin + (offset | 0);
  if (start < 0) throw new UnusableAudioError('a chunk lies outside of the file');
  let end = start;
  let sum = 0;
  for (let frame = 0; frame < frames; frame += 1) {
    const units = next(RUN_FIELDS.duration) ?? defaults.units;
    const bytes = next(RUN_FIELDS.size) ?? defaults.bytes;
    next(RUN_FIELDS.flags);
    next(RUN_FIELDS.shift);
    sizes.push(bytes);
    const last = times.at(-1);
    if (last?.[1] === units) times[times.length - 1] = [last[0] + 1, units];
    else times.push([1, units]);
    end += bytes;
    sum += units;
  }
  if (frames > 0) chunks.push({ start, end, frames });
  return { end, units: sum };
}

/** The `trex` of a track (§8.8.3); undefined if the file announces no fragments of it. */
async function findDefaults(
  reader: BoxReader,
  movie: readonly Box[],
  trackId: number,
): Promise<Defaults | undefined> {
  for (const extension of movie.filter(({ type }) => type === 'mvex')) {
    for (const box of (await reader.list(extension)).filter(({ type }) => type === 'trex')) {
      const content = await reader.content([box], 'trex', SMALL_BYTES_MAX);
      if (u32(content, 4) === trackId) return { units: u32(content, 12), bytes: u32(content, 16) };
    }
  }
  return undefined;
}

function readHeader(tfhd: Buffer, general: Defaults) {
  const next = openFields(tfhd, 8, u32(tfhd, 0));
  const high = next(TRACK_FIELDS.offset);
  const low = next(TRACK_FIELDS.offset);
  next(TRACK_FIELDS.description);
  return {
    id: u32(tfhd, 4),
    offset: high === undefined || low === undefined ? undefined : high * 2 ** 32 + low,
    units: next(TRACK_FIELDS.duration) ?? general.units,
    bytes: next(TRACK_FIELDS.size) ?? general.bytes,
  };
}

/** Returns a function that reads the next number if the flags say that it is there. */
function openFields(content: Buffer, start: number, flags: number): (field: number) => number | undefined {
  let at = start;
  return (field) => {
    if ((flags & field) === 0) return undefined;
    at += 4;
    return u32(content, at - 4);
  };
}

/** When a fragment starts, in track units (`tfdt`, §8.8.12); undefined if it does not say. */
async function findTime(reader: BoxReader, boxes: readonly Box[]): Promise<number | undefined> {
  if (!has(boxes, 'tfdt')) return undefined;
  const content = await reader.content(boxes, 'tfdt', SMALL_BYTES_MAX);
  return content[0] === 1 ? u32(content, 4) * 2 ** 32 + u32(content, 8) : u32(content, 4);
}
