import { Readable } from 'node:stream';
import { DAY_MS } from '../contract/values/time-units.ts';
import { findAccountByEmail } from '../server/features/accounts/queries.ts';
import { QUALITY_CHECK } from '../server/features/reviews/quality-check/kind.ts';
import { insertIncoming as insertIncomingQualityCheck } from '../server/features/reviews/quality-check/queries.ts';
import { markPending } from '../server/features/reviews/life-cycle.ts';
import { toFileKey } from '../server/features/reviews/quality-check/application.ts';
import { recordAction } from '../server/features/staff/actions.ts';
import type { RecordedAction } from '../server/features/staff/actions.ts';
import { withCleanAudio } from '../server/media/audio/audio.ts';
import { randomId } from '../server/platform/database/statements/random-id.ts';
import type { MusicRecipe } from './music/form.ts';
import { renderSound } from './render.ts';
import type { Place } from './seed.ts';
import { everyTable } from '../server/platform/database/schema.ts';

type Song = readonly [title: string, recipe: MusicRecipe];

/** Not in the catalogue, so they are new to the staff. */
const MORNING: Song = ['坂道の朝', toRecipe('bossa', 901, 96, 2)];
const PLANE: Song = ['紙ひこうき', toRecipe('bright', 902, 118, 7)];
const RAIN: Song = ['雨やどり', toRecipe('lofi', 903, 74, 5)];

/** The applications that wait, by the account. Two applicants sent the same song. */
const APPLICATIONS: readonly {
  readonly email: string;
  readonly daysAgo: number;
  readonly songs: readonly Song[];
}[] = [
  { email: 'pending@example.test', daysAgo: 1, songs: [MORNING, PLANE, RAIN] },
  {
    email: 'pending-2@example.test',
    daysAgo: 3,
    songs: [PLANE, ['夜の川', toRecipe('lofi', 904, 68, 0)], RAIN],
  },
  {
    email: 'pending-3@example.test',
    daysAgo: 6,
    songs: [
      ['始発', toRecipe('bright', 905, 124, 4)],
      ['昼の月', toRecipe('bossa', 906, 88, 9)],
      ['帰り道', toRecipe('lofi', 907, 80, 3)],
    ],
  },
];

function toRecipe(mood: MusicRecipe['mood'], seed: number, bpm: number, transpose: number): MusicRecipe {
  return { kind: 'music', mood, seed, bpm, transpose, bars: 4, ending: 'final' };
}

/** The applications of the demo's accounts with a pending quality check, with three songs each. */
export async function seedQualityCheck(
  { database: { db }, storage }: Place,
  nowMs = Date.now(),
): Promise<void> {
  const types = await everyTable(db).selectFrom('sound_types').select('id').orderBy('id').limit(1).execute();
  const rendered = new Map<Song, Uint8Array>();
  for (const { email, daysAgo, songs } of APPLICATIONS) {
    const applicant = await findAccountByEmail(db, email);
    if (applicant === undefined) throw new Error(`the demo has no account ${email}`);
    const id = randomId();
    const submittedAt = nowMs - daysAgo * DAY_MS;
    const files = [];
    for (const [index, song] of songs.entries()) {
      const [title, recipe] = song;
      const mp3 = rendered.get(song) ?? renderSound({ title, artist: email, recipe }).mp3;
      rendered.set(song, mp3);
      files.push(await storeSong(storage, id, index + 1, title, mp3));
    }
    const application = { id, user_id: applicant.id, submitted_at: submittedAt };
    await insertIncomingQualityCheck(
      db,
      application,
      types.map((type) => type.id),
      files,
    );
    await markPending(db, QUALITY_CHECK, id, submittedAt);
  }
  await seedRejection(db, nowMs - 9 * DAY_MS);
}

/** An earlier application of one of them, which the staff rejected. */
async function seedRejection(db: Place['database']['db'], decided_at: number): Promise<void> {
  const applicant = await findAccountByEmail(db, 'pending-3@example.test');
  const staff = await findAccountByEmail(db, 'staff@example.test');
  if (applicant === undefined || staff === undefined) throw new Error('the demo has no staff account');
  const id = randomId();
  const reason = '音が途中で切れています。余韻まで含めて、最後まで書き出してください。';
  await everyTable(db)
    .insertInto('quality_checks')
    .values({
      id,
      user_id: applicant.id,
      state: 'rejected',
      submitted_at: decided_at - DAY_MS,
      decided_at,
      decided_by: staff.id,
      reason,
    })
    .execute();
  const action: RecordedAction = {
    staffId: staff.id,
    action: 'reject quality check',
    subject: id,
    note: reason,
  };
  await recordAction(db, action, decided_at);
}

function storeSong(
  storage: Place['storage'],
  applicationId: string,
  slot: number,
  title: string,
  mp3: Uint8Array,
) {
  const object_key = toFileKey(applicationId, slot);
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
