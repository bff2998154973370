import { toDate, toDayStart } from '../../../contract/values/months.ts';
import { PLAY_SOURCES } from '../../../contract/sounds/plays.ts';
import type { FigureName, OwnStatistics, Part, Span } from '../../../contract/artists/statistics.ts';
import { isId } from '../../platform/database/statements/random-id.ts';
import type { Database } from '../../platform/database/open.ts';
import { Problem, notFound } from '../../platform/http/problem.ts';
import { toMonthStart } from './play-queries.ts';
import {
  countCertificates,
  countFavorites,
  countUses,
  findOwnSound,
  selectFoundWords,
  selectPlays,
  selectPlaysBySound,
  selectRewards,
  selectTitles,
} from './queries.ts';
import type { DayCount, PlaysOfDay, Scope } from './queries.ts';
import { toSpanDays } from './span.ts';
import type { SpanDays } from './span.ts';

const NOTHING = { plays: 0, downloads: 0, favorites: 0, certificates: 0, uses: 0 };
type Figures = Record<FigureName, number>;
type Sum = Figures & { reward: number | null };

/**
 * What became of an artist's sounds within a span, or of one of them. `soundId` is '' for all. Throws `Problem` 400 for a month whose days are
 * not all there, 404 for a sound that is not the artist's.
 */
export async function readOwnStatistics(
  database: Database,
  artistId: string,
  { span, soundId }: { readonly span: Span; readonly soundId: string },
  nowMs: number,
): Promise<OwnStatistics> {
  const days = toSpanDays(span, nowMs);
  if (days === undefined) throw new Problem(400, { span: '今月と、その前の12か月から選んでください。' });
  const scope: Scope = { artistId, sound: await findSound(database, artistId, soundId) };
  const { db } = database;
  const { unit, starts, before } = days;
  const plays = await selectPlays(db, unit, scope, days);
  const playsBefore = await selectPlays(db, days.isBeforeWhole ? 'month' : 'day', scope, before);
  const parts: Sum[] = starts.map(() => ({ ...NOTHING, reward: scope.sound === null ? 0 : null }));
  const sumBefore: Sum = { ...NOTHING, reward: scope.sound === null ? 0 : null };
  const add = (name: FigureName | 'reward', rows: readonly DayCount[]) => {
    for (const { day, count } of rows) {
      const part = day < days.from ? sumBefore : parts[starts.findLastIndex((start) => start <= day)];
      if (part !== undefined) part[name] = (part[name] ?? 0) + Number(count);
    }
  };
  const toTotal = (row: PlaysOfDay) => ({
    day: row.day,
    count: PLAY_SOURCES.reduce((sum, source) => sum + Number(row[source]), 0),
  });
  add('plays', [...playsBefore, ...plays].map(toTotal));
  add(
    'downloads',
    [...playsBefore, ...plays].map(({ day, downloads }) => ({ day, count: downloads })),
  );
  for (const [name, countRows] of COUNTED) {
    add(name, await countRows(database, scope, before).byDay());
    add(name, await countRows(database, scope, days).byDay());
  }
  if (scope.sound === null) {
    add('reward', await selectRewards(db, artistId, before));
    add('reward', await selectRewards(db, artistId, days));
  }
  return {
    unit,
    parts: starts.map((start, index): Part => ({ starts_on: toDate(start), ...(parts[index] ?? sumBefore) })),
    before: { starts_on: toDate(before.from), ends_on: toDate(before.until - 1), ...sumBefore },
    sources: PLAY_SOURCES.map((source) => ({
      source,
      plays: plays.reduce((sum, row) => sum + Number(row[source]), 0),
    }))
      .filter((source) => source.plays > 0)
      .toSorted((one, other) => other.plays - one.plays),
    sounds: await readSounds(database, scope, days),
    words: await readWords(database, scope, days),
  };
}

const COUNTED = [
  ['favorites', countFavorites],
  ['certificates', countCertificates],
  ['uses', countUses],
] as const;

async function findSound({ db }: Database, artistId: string, soundId: string) {
  if (soundId === '') return null;
  const sound = isId(soundId) ? await findOwnSound(db, artistId, soundId) : undefined;
  if (sound === undefined) throw notFound();
  return sound;
}

/** The figures of each sound; the limit of an artist's sounds bounds their number. */
async function readSounds(
  database: Database,
  scope: Scope,
  days: SpanDays,
): Promise<OwnStatistics['sounds']> {
  const { db } = database;
  const titles = new Map((await selectTitles(db, scope.artistId)).map(({ id, title }) => [id, title]));
  const found = new Map<string, Figures>();
  const add = (name: FigureName, id: string, count: number) => {
    const figures = found.get(id) ?? { ...NOTHING };
    figures[name] += count;
    found.set(id, figures);
  };
  for (const { sound_id, count, downloads } of await selectPlaysBySound(db, days.unit, scope, days)) {
    add('plays', sound_id, Number(count));
    add('downloads', sound_id, Number(downloads));
  }
  for (const [name, countRows] of COUNTED)
    for (const { sound_id, count } of await countRows(database, scope, days).bySound())
      add(name, sound_id, Number(count));
  return [...found]
    .filter(([, figures]) => Object.values(figures).some((count) => count > 0))
    .map(([sound_id, figures]) => ({ sound_id, title: titles.get(sound_id) ?? null, ...figures }))
    .toSorted(
      (one, other) =>
        other.plays - one.plays ||
        other.downloads - one.downloads ||
        other.favorites - one.favorites ||
        (one.sound_id < other.sound_id ? -1 : 1),
    );
}

async function readWords(
  { db }: Database,
  scope: Scope,
  { starts }: SpanDays,
): Promise<OwnStatistics['words']> {
  const months = new Set(starts.map((day) => toMonthStart(toDayStart(day))));
  const rows = await selectFoundWords(db, scope, [...months]);
  return rows.map(({ word, plays }) => ({ word, plays: Number(plays) }));
}
