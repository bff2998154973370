import { randomBytes } from 'node:crypto';
import type { UseState } from '#contract/artists/uses.ts';
import type { Database } from '#server/platform/database/open.ts';
import { randomId } from '#server/platform/database/statements/random-id.ts';
import { everyTable } from '#server/platform/database/schema.ts';

let serial = 0;

/** The id of a certificate that names a sound, without a signature. */
export async function addCertificate(
  { db }: Database,
  soundId: string,
  userId: string | null = null,
): Promise<string> {
  const id = randomBytes(16).toString('base64url');
  const body = JSON.stringify({
    artist: 'owner',
    file_bytes: 1,
    file_sha256: '0'.repeat(64),
    id,
    issued_at: '2026-11-23T17:01:02+09:00',
    issuer: 'https://site.example',
    licence_sha256: '0'.repeat(64),
    licence_title: '会員規約',
    site_name: 'Otoichi',
    sound_id: soundId,
    sound_title: 'public',
    version: 2,
  });
  const row = { id, user_id: userId, issued_at: 0, body, key_id: 'test', signature: 'A'.repeat(86) };
  await everyTable(db).insertInto('certificates').values(row).execute();
  return id;
}

/** A use of a sound, told with a certificate of its own unless one is given; returns its id. */
export async function addUse(
  database: Database,
  soundId: string,
  {
    state = 'waiting',
    atMs = 1,
    certificateId,
    ...texts
  }: {
    state?: UseState;
    atMs?: number;
    certificateId?: string;
    title?: string;
    address?: string;
    message?: string;
  } = {},
): Promise<string> {
  serial += 1;
  const { artist_id } = await everyTable(database.db)
    .selectFrom('sounds')
    .select('artist_id')
    .where('id', '=', soundId)
    .executeTakeFirstOrThrow();
  const id = randomId();
  await everyTable(database.db)
    .insertInto('uses')
    .values({
      id,
      certificate_id: certificateId ?? (await addCertificate(database, soundId)),
      sound_id: soundId,
      artist_id,
      address: `https://video.example.com/watch?v=${serial}`,
      title: `作品${serial}`,
      message: '',
      ...texts,
      state,
      created_at: atMs,
      changed_at: atMs,
    })
    .execute();
  return id;
}
