import { Readable } from 'node:stream';
import { findAccountByEmail } from '../server/features/accounts/accounts.ts';
import {
  QUALITY_CHECK,
  insertIncomingQualityCheck,
  markPending,
  toFileKey,
} from '../server/features/reviews/reviews.ts';
import { withCleanAudio } from '../server/media/audio.ts';
import { randomId } from '../server/platform/database/database.ts';
import type { MusicRecipe } from './music/form.ts';
import { renderSound } from './render.ts';
import type { Place } from './seed.ts';

const DAY_MS = 86_400_000;
const APPLICANT = 'pending@example.test';

/** Not in the catalogue, so they are new to the staff. */
const SONGS: readonly { readonly title: string; readonly recipe: MusicRecipe }[] = [
  { title: '坂道の朝', recipe: toRecipe('bossa', 901, 96, 2) },
  { title: '紙ひこうき', recipe: toRecipe('bright', 902, 118, 7) },
  { title: '雨やどり', recipe: toRecipe('lofi', 903, 74, 5) },
];

function toRecipe(mood: MusicRecipe['mood'], seed: number, bpm: number, transpose: number): MusicRecipe {
  return { kind: 'music', mood, seed, bpm, transpose, bars: 4, ending: 'final' };
}

/** The application of the demo's account with a pending quality check, with three songs. */
export async function seedQualityCheck(
  { database: { db }, storage }: Place,
  nowMs = Date.now(),
): Promise<void> {
  const applicant = await findAccountByEmail(db, APPLICANT);
  const types = await db.selectFrom('sound_types').select('id').orderBy('id').limit(1).execute();
  if (applicant === undefined) throw new Error(`the demo has no account ${APPLICANT}`);
  const id = randomId();
  const submittedAt = nowMs - DAY_MS;
  const files = [];
  for (const [index, song] of SONGS.entries()) files.push(await storeSong(storage, id, index + 1, song));
  const application = { id, user_id: applicant.id, submitted_at: submittedAt };
  await insertIncomingQualityCheck(
    db,
    application,
    types.map((type) => type.id),
    files,
  );
  await markPending(db, QUALITY_CHECK, id, submittedAt);
}

function storeSong(
  storage: Place['storage'],
  applicationId: string,
  slot: number,
  { title, recipe }: (typeof SONGS)[number],
) {
  const object_key = toFileKey(applicationId, slot);
  const { mp3 } = renderSound({ title, artist: APPLICANT, recipe });
  return withCleanAudio(mp3, async ({ facts, sizeBytes, hash, bytes }) => {
    await storage.put(object_key, Readable.from(bytes(), { objectMode: false }));
    return {
      slot,
      object_key,
      filename: `${title}.mp3`,
      mime: facts.mime,
      size_bytes: sizeBytes,
      duration_ms: facts.durationMs,
      bit_rate: facts.bitRateKbps,
      sample_rate: facts.sampleRateHz,
      sha256: hash,
    };
  });
}
