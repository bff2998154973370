import { toDay } from '../../../contract/values/months.ts';
import { PLAY_SOURCES } from '../../../contract/sounds/plays.ts';
import type { PlaySource } from '../../../contract/sounds/plays.ts';
import { classifyFailure, isTransient } from '../../platform/database/drivers/failure.ts';
import type { Platform } from '../../platform/http/context.ts';
import { addPlays, selectPublicSounds, toMonthStart } from './play-queries.ts';
import type { PlaysRow } from './play-queries.ts';
import { addWords, readOrMakeWordKey, toWordRows } from './words.ts';
import type { Origin, Use } from './words.ts';
import type { Handle } from '../../platform/database/handle.ts';

/** A process that is killed loses what it has counted for this long. */
const FLUSH_MS = 3_000;
/** More within that time are not counted: 1,600 plays a second. */
const WAITING_MAX = 5_000;
/** Words are a statement each; further ones of the same time are not counted. */
const WORDS_MAX = 500;

/** A sound that was heard, or a search without results. It is in memory until it is added up. */
export interface Counted {
  /** null: a search without results. */
  readonly soundId: string | null;
  readonly source: PlaySource;
  /** '': none. */
  readonly word: string;
  readonly origin: Origin;
  readonly memberId: string | null;
  readonly atMs: number;
}

export type CounterDeps = Pick<Platform, 'database' | 'backgroundJobs' | 'logger'>;

/** Collects what is to be counted, and stores it every few seconds in one transaction. Several processes add up. */
export function createCounter(deps: CounterDeps): (counted: Counted) => void {
  let waiting: Counted[] = [];
  let isScheduled = false;
  async function flush(): Promise<void> {
    const taken = waiting;
    waiting = [];
    isScheduled = false;
    try {
      await store(deps, taken);
    } catch (err) {
      deps.logger.warn({ err }, 'plays could not be counted');
      // They are tried again with the next ones; what the database refuses would be refused again.
      if (isTransient(classifyFailure(err))) waiting = [...taken, ...waiting].slice(0, WAITING_MAX);
    }
  }
  return (counted) => {
    if (waiting.length < WAITING_MAX) waiting.push(counted);
    if (isScheduled) return;
    isScheduled = true;
    deps.backgroundJobs.start(flush, FLUSH_MS);
  };
}

function store({ database: { db } }: CounterDeps, taken: readonly Counted[]): Promise<void> {
  return db.transaction().execute(async (transaction: Handle) => {
    const ids = [...new Set(taken.flatMap(({ soundId }) => soundId ?? []))];
    const sounds = await selectPublicSounds(transaction, ids);
    const days = new Map<string, PlaysRow>();
    const uses: Use[] = [];
    for (const { soundId, source, word, origin, memberId, atMs } of taken) {
      const sound = soundId === null ? null : sounds.get(soundId);
      if (sound === undefined || (sound !== null && sound.artist_id === memberId)) continue;
      const day = toDay(atMs);
      const month = toMonthStart(atMs);
      if (sound !== null) addPlay(days, { sound_seq: sound.seq, day, month }, source);
      if (word !== '' && uses.length < WORDS_MAX)
        uses.push({ soundSeq: sound?.seq ?? null, month, word, origin, atMs });
    }
    await addPlays(transaction, [...days.values()]);
    const keys = new Map<number, Buffer>();
    for (const month of new Set(uses.map((use) => use.month)))
      keys.set(month, await readOrMakeWordKey(transaction, month));
    await addWords(transaction, toWordRows(uses, keys));
  });
}

function addPlay(
  days: Map<string, PlaysRow>,
  { sound_seq, day, month }: Pick<PlaysRow, 'sound_seq' | 'day' | 'month'>,
  source: PlaySource,
): void {
  const key = `${sound_seq} ${day}`;
  const row = days.get(key) ?? { sound_seq, day, month, plays: PLAY_SOURCES.map(() => 0) };
  const plays = row.plays.map((count, index) => (PLAY_SOURCES[index] === source ? count + 1 : count));
  days.set(key, { ...row, plays });
}
