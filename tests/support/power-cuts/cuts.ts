import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'vitest';
import { SEED } from '#support/depth.ts';
import { Disk } from './disk.ts';
import type { Survival } from './disk.ts';
import type { Recording } from './events.ts';

const asked = process.env['POWER_CUTS'];
/** Whether this is `npm run power-cuts`, which records every call of a process with strace. Not every machine has it. */
export const seesAll = asked !== undefined;
/** How often the power is cut in each test. */
export const CUTS = Number(asked ?? 4);
/** Of each test. */
export const TIMEOUT_MS = 60_000 + CUTS * 5_000;
/** For what SQLite writes, which only strace sees. */
export const testOfAllCalls = test.runIf(seesAll);

/** What a power loss left, and what the process had said by then. */
export interface Cut {
  /** A copy of the recorded folder. */
  readonly root: string;
  readonly heard: readonly unknown[];
}

/** What survives of what was not synced: nothing, everything, or a random part of it, torn. */
const MODES = ['nothing', 'part', 'everything'] as const;
type Mode = (typeof MODES)[number];

interface Point {
  /** The number of events before it. */
  readonly after: number;
  readonly mode: Mode;
}

/**
 * Cuts the power so many times while the recording is replayed, and calls `check` with each state. Returns what it threw, with the
 * step before the cut. `FUZZ_SEED` repeats a run.
 */
export async function cutPower(
  recording: Recording,
  count: number,
  check: (cut: Cut) => Promise<void>,
): Promise<string[]> {
  const { events } = recording;
  const random = createRandom(SEED);
  const points = choosePoints(recording, count, random);
  const disk = new Disk(recording);
  const heard: unknown[] = [];
  const failures: string[] = [];
  let applied = 0;
  for (const { after, mode } of points) {
    for (const event of events.slice(applied, after)) {
      disk.apply(event);
      if (event.kind === 'said') heard.push(event.message);
    }
    applied = after;
    const root = await mkdtemp(join(tmpdir(), 'otoichi-power-'));
    try {
      await disk.materialise(root, toSurvival(mode, random));
      await check({ root, heard });
    } catch (error) {
      const last = events[after - 1];
      const step =
        last === undefined
          ? 'the start'
          : `${last.kind} ${'path' in last ? last.path : JSON.stringify(last.message)}`;
      failures.push(
        `${mode} of what was not synced survives, after step ${after}, ${step}: ${String(error)}`,
      );
    } finally {
      await rm(root, { recursive: true, force: true });
    }
  }
  return failures;
}

/**
 * Half of the cuts leave nothing unsynced: what is on the disk then changes only with a sync, and what was acknowledged only with a
 * message, so they are right before and after those.
 */
function choosePoints({ events }: Recording, count: number, random: () => number): Point[] {
  const steps = events.flatMap(({ kind }, index) =>
    kind === 'sync' || kind === 'said' ? [index, index + 1] : [],
  );
  const strict = pick([...new Set(steps)], Math.ceil(count / 2), random);
  const loose = pick(
    [...events.keys()].map((index) => index + 1),
    count - strict.length,
    random,
  );
  const points: Point[] = [
    ...strict.map((after) => ({ after, mode: 'nothing' as const })),
    ...loose.map((after, index) => ({
      after,
      mode: index % 8 === 0 ? ('everything' as const) : ('part' as const),
    })),
  ];
  return points.toSorted((a, b) => a.after - b.after);
}

/** Spread over the whole list, with each value at most once more than any other. */
function pick(values: readonly number[], count: number, random: () => number): number[] {
  return Array.from({ length: count }, (_, index) => {
    const at = Math.floor(((index + random()) * values.length) / count);
    return values[at] ?? 0;
  });
}

function toSurvival(mode: Mode, random: () => number): Survival {
  if (mode === 'nothing') return { entries: () => false, write: () => 0 };
  if (mode === 'everything') return { entries: () => true, write: (sectors) => sectors };
  return {
    entries: () => random() < 0.5,
    write(sectors) {
      const chance = random() * 3;
      return chance < 1 ? 0 : chance < 2 ? sectors : Math.floor(random() * sectors);
    },
  };
}

/** Mulberry32. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
