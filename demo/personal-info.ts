import sharp from 'sharp';
import { DAY_MS } from '../contract/values/time-units.ts';
import { randomId } from '../server/platform/database/statements/random-id.ts';
import { toPersonalInfoImageKey } from '../server/media/object-keys.ts';
import { encodePhotograph } from '../server/media/pictures/pictures.ts';
import type { Platform } from '../server/platform/http/context.ts';
import { findAccountByEmail } from '../server/features/accounts/queries.ts';
import { PERSONAL_INFO } from '../server/features/reviews/personal-info/kind.ts';
import { insertIncoming as insertIncomingPersonalInfo } from '../server/features/reviews/personal-info/submission-queries.ts';
import { markPending } from '../server/features/reviews/life-cycle.ts';
import { storeImage } from '../server/features/reviews/personal-info/images.ts';
import { DEMO_BANK } from './accounts.ts';
import { everyTable } from '../server/platform/database/schema.ts';

type Place = Parameters<typeof storeImage>[0] & Pick<Platform, 'database'>;

/** IDs that two of the demo's accounts have submitted: one is under review, one was not approved. */
export async function seedPersonalInfo(place: Place, nowMs = Date.now()): Promise<void> {
  const waiting = await submit(place, 'id-pending@example.test', 'たく よふけ', nowMs - 2 * DAY_MS);
  await storeImage(place, waiting, await encodePhotograph(await drawId()));

  const { db } = place.database;
  const { submissionId } = await submit(place, 'id-rejected@example.test', 'とばり', nowMs - 9 * DAY_MS);
  const staff = await findAccountByEmail(db, 'staff@example.test');
  await everyTable(db)
    .updateTable('personal_info_submissions')
    .set({
      state: 'rejected',
      object_key: null,
      decided_at: nowMs - 8 * DAY_MS,
      decided_by: staff?.id ?? '',
      reason: '写真がぼやけていて、文字を読み取れませんでした。明るい場所で撮り直してください。',
    })
    .where('id', '=', submissionId)
    .execute();
}

async function submit({ database: { db } }: Place, email: string, furigana: string, atMs: number) {
  const account = await findAccountByEmail(db, email);
  if (account === undefined) throw new Error(`the demo has no account ${email}`);
  const submissionId = randomId();
  await everyTable(db)
    .updateTable('users')
    .set({ ...DEMO_BANK, furigana })
    .where('id', '=', account.id)
    .execute();
  const row = { id: submissionId, user_id: account.id, object_key: toPersonalInfoImageKey(submissionId) };
  await insertIncomingPersonalInfo(db, { ...row, submitted_at: atMs });
  await markPending(db, PERSONAL_INFO, submissionId, atMs);
  return { submissionId, userId: account.id };
}

/** A card with a face and lines; fictitious. */
function drawId(): Promise<Buffer> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1011" height="638">
    <rect width="1011" height="638" fill="#5c6b66"/>
    <rect x="60" y="60" width="891" height="518" rx="32" fill="#eef2ea"/>
    <rect x="660" y="140" width="230" height="300" fill="#cfd9d2"/>
    <circle cx="775" cy="250" r="56" fill="#8fa39a"/>
    <path d="M680 440c12-80 48-112 95-112s83 32 95 112z" fill="#8fa39a"/>
    <path d="M120 160h460M120 240h360M120 320h460M120 400h300" stroke="#a9b8ae" stroke-width="28"/>
  </svg>`;
  return sharp(Buffer.from(svg)).png().toBuffer();
}
