import type { Kysely } from 'kysely';
import { PICTURE_WIDTHS } from '../../../contract/pictures.ts';
import type { PictureKind } from '../../../contract/pictures.ts';
import { toPictureKey, toSoundKey } from '../../media/object-keys.ts';
import type { Schema } from '../../platform/database/database.ts';
import { listFiles, selectListed } from '../notices/notices.ts';
import { toFolderPath } from '../../platform/storage/storage.ts';

const ROWS = 5_000;

/**
 * The files that rows refer to, as paths below the data folder; some more than once. Submissions whose files are still
 * being stored, and decided ones, whose files are being deleted, are left out.
 */
export async function* listReferencedFiles(db: Kysely<Schema>): AsyncGenerator<string> {
  for await (const key of listKeys(db)) yield `files/${toFolderPath(key)}`;
}

async function* listKeys(db: Kysely<Schema>): AsyncGenerator<string> {
  for (let after = 0; ;) {
    const rows = await db
      .selectFrom('sounds')
      .select(['seq', 'audio_key', 'thumbnail_key'])
      .where('seq', '>', after)
      .orderBy('seq')
      .limit(ROWS)
      .execute();
    for (const { audio_key, thumbnail_key } of rows) {
      yield toSoundKey(audio_key);
      yield* toPicture(thumbnail_key, 'thumbnail');
    }
    const last = rows.at(-1);
    if (last === undefined) break;
    after = last.seq;
  }
  for (let after = ''; ;) {
    const rows = await db
      .selectFrom('users')
      .select(['id', 'picture_key', 'background_key'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(ROWS)
      .execute();
    for (const { picture_key, background_key } of rows) {
      yield* toPicture(picture_key, 'avatar');
      yield* toPicture(background_key, 'background');
    }
    const last = rows.at(-1);
    if (last === undefined) break;
    after = last.id;
  }
  for (const site of await db.selectFrom('site_config').selectAll().execute()) {
    for (const logo of [site.navbar_logo, site.navbar_sp_logo, site.footer_logo])
      yield* toPicture(logo, 'logo');
    yield* toPicture(site.footer_banner, 'banner');
  }
  const applications = await db
    .selectFrom('quality_check_files as files')
    .innerJoin('quality_checks as checks', 'checks.id', 'files.quality_check_id')
    .select('files.object_key')
    .where('checks.state', '=', 'pending')
    .execute();
  const photographs = await db
    .selectFrom('personal_info_submissions')
    .select('object_key')
    .where('state', '=', 'pending')
    .execute();
  for (const row of await selectListed(db)) for (const { key } of listFiles(row)) yield key;
  for (const { object_key } of [...applications, ...photographs]) if (object_key !== null) yield object_key;
}

function toPicture(key: string | null, kind: PictureKind): string[] {
  return key === null ? [] : PICTURE_WIDTHS[kind].map((width) => toPictureKey(key, width));
}
