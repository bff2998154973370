import { toPopularity } from '#server/features/catalogue/popularity.ts';
import type { Database } from '#server/platform/database/open.ts';
import { randomId } from '#server/platform/database/statements/random-id.ts';
import type { Flag } from '#server/platform/database/tables/parts.ts';
import { createUser } from '#server/features/accounts/users.ts';
import { createSoundType } from '#server/features/catalogue/genres/service.ts';
import { indexSound } from '#server/features/catalogue/service.ts';
import { everyTable } from '#server/platform/database/schema.ts';
import type { Handle } from '#server/platform/database/handle.ts';

export interface GeneratedSound {
  readonly seq: number;
  readonly id: string;
  readonly is_published: Flag;
  readonly is_ai_generated: Flag;
  readonly download_count: number;
  readonly favorite_count: number;
  readonly popularity: number;
  /** 共通 is in the title or the description. */
  readonly isCommon: boolean;
  readonly isInTitle: boolean;
}

/** Many sounds in an empty database, with counts of which few are high and many equal. */
export async function fillGenerated(database: Database, count: number): Promise<readonly GeneratedSound[]> {
  const artist_id = await createUser(database, {
    username: 'machine',
    email: 'machine@example.test',
    is_verified: true,
  });
  const type_id = await createSoundType(database, { name: '効果音' });
  const next = createRandom(42);
  const sounds: GeneratedSound[] = [];
  await database.db.transaction().execute(async (transaction: Handle) => {
    for (let seq = 1; seq <= count; seq++) {
      const isInTitle = next() < 0.3;
      const isCommon = isInTitle || next() < 0.7;
      const download_count = Math.floor(next() ** 6 * 5_000);
      const favorite_count = Math.floor(next() ** 12 * 400);
      const sound = {
        id: randomId(),
        is_published: next() < 0.97 ? (1 as const) : (0 as const),
        is_ai_generated: next() < 0.15 ? (1 as const) : (0 as const),
        download_count,
        favorite_count,
        popularity: toPopularity(download_count, favorite_count),
      };
      const row = await everyTable(transaction)
        .insertInto('sounds')
        .values({
          ...sound,
          artist_id,
          type_id,
          title: isInTitle ? `共通の音${seq}` : `別の音${seq}`,
          description: isCommon ? 'これは共通です' : 'これは別です',
          filename: `${seq}.mp3`,
          audio_key: `key${seq}`,
          audio_mime: 'audio/mpeg',
          audio_size: 1,
          created_at: seq,
          updated_at: seq,
        })
        .returning('seq')
        .executeTakeFirstOrThrow();
      sounds.push({ ...sound, seq: row.seq, isCommon, isInTitle });
      await indexSound(database, transaction, row.seq);
    }
  });
  return sounds;
}

/** mulberry32: a small seeded generator, sufficient for test data. */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
