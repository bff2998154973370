import { DAY_MS } from '../contract/values/time-units.ts';
import { toDay, toDayStart } from '../contract/values/months.ts';
import { addPlays, toMonthStart } from '../server/features/statistics/play-queries.ts';
import type { Database } from '../server/platform/database/open.ts';
import type { SoundSpec } from './catalogue.ts';
import { type Random, between, seededRandom } from './random.ts';
import { everyTable } from '../server/platform/database/schema.ts';
import type { Handle } from '../server/platform/database/handle.ts';

const ARTIST = 'Minamo Works';
const DAYS = 365;
/** Plays for each download. */
const PLAYS = 4;
/** From Sunday to Saturday: films are cut on weekends. */
const WEEK = [1.3, 0.85, 0.8, 0.85, 0.9, 1.1, 1.4];
/** In the order of `PLAY_SOURCES`. */
const SHARES = [0.18, 0.34, 0.13, 0.14, 0.09, 0.07, 0.03, 0.02];
const WORDS = ['ボサノバ', 'カフェ bgm', '雨', '静かな ピアノ', 'ジャズ', 'おしゃれ', 'ギター'];
const MISSED = ['ディジュリドゥ', 'バグパイプ', '方言 ナレーション', '祭囃子'];

interface LivelySound extends Pick<
  SoundSpec,
  'artist' | 'downloadCount' | 'createdDaysAgo' | 'favoriteCount' | 'isPublished'
> {
  readonly id: string;
  readonly seq: number;
}

/** A lively year of one artist: plays, downloads and favourites by day, and the words by which they were found. */
export async function seedStatistics(
  { db }: Database,
  all: readonly LivelySound[],
  artistIds: ReadonlyMap<string, string>,
  nowMs: number,
): Promise<void> {
  const sounds = all.filter(({ artist, isPublished }) => artist === ARTIST && isPublished);
  const artist_id = artistIds.get(ARTIST) ?? '';
  const fans = [...artistIds.values()].filter((id) => id !== artist_id);
  const today = toDay(nowMs);
  const random = seededRandom('statistics');
  await db.transaction().execute(async (transaction: Handle) => {
    for (const sound of sounds) {
      const days = Math.min(DAYS, Math.floor(sound.createdDaysAgo));
      const weights = Array.from({ length: days }, (_, age) => toWeight(random, today - age, age));
      const whole = weights.reduce((sum, weight) => sum + weight, 0);
      for (const [age, weight] of weights.entries()) {
        const day = today - age;
        const downloads = Math.floor((sound.downloadCount * weight) / whole);
        const row = { sound_seq: sound.seq, day, month: toMonthStart(toDayStart(day)) };
        const plays = SHARES.map((share) =>
          Math.round(downloads * PLAYS * share * between(random, 0.5, 1.5)),
        );
        await addPlays(transaction, [{ ...row, plays, downloads }]);
      }
      const added = fans.slice(0, sound.favoriteCount).map((user_id) => ({
        user_id,
        sound_seq: sound.seq,
        created_at: Math.round(nowMs - between(random, 0, Math.min(60, sound.createdDaysAgo)) * DAY_MS),
      }));
      if (added.length > 0) await everyTable(transaction).insertInto('favorites').values(added).execute();
    }
    for (const month of [toMonthStart(nowMs), toMonthStart(nowMs - 31 * DAY_MS)]) {
      const word = { month, networks: 0b11111, providers: 0b111, is_shown: 1 as const };
      const found = WORDS.slice(0, Math.max(1, sounds.length + 2)).map((text, index) => ({
        ...word,
        word: text,
        sound_seq: sounds[index % sounds.length]?.seq ?? 0,
        uses: 60 - index * 7,
      }));
      await everyTable(transaction).insertInto('found_words').values(found).execute();
      const missed = MISSED.map((text, index) => ({ ...word, word: text, uses: 20 - index * 3 }));
      await everyTable(transaction).insertInto('missed_words').values(missed).execute();
    }
  });
}

/** More of late, more on weekends, and sometimes somebody recommends a sound. */
function toWeight(random: Random, day: number, age: number): number {
  // Day 0 was a Thursday.
  const week = WEEK[(day + 4) % 7] ?? 1;
  return week * 0.997 ** age * between(random, 0.6, 1.4) * (random() < 0.02 ? 3 : 1);
}
