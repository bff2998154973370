import type { Database } from '../../../platform/database/database.ts';

type Db = Database['db'];

/**
 * Which of the keys, at most some hundred, a row refers to in any state. Includes files whose row waits for them to be
 * stored or deleted. Undefined for a key outside of the folders of this program.
 */
export async function findReferenced(
  db: Db,
  keys: readonly string[],
): Promise<(key: string) => boolean | undefined> {
  const known = new Map<string, ReadonlySet<string>>();
  for (const [folder, find] of Object.entries(FINDERS)) {
    const names = keys.flatMap((key) => {
      const [top, name = ''] = key.split('/');
      return top === folder ? [name] : [];
    });
    known.set(folder, names.length === 0 ? new Set() : await find(db, [...new Set(names)]));
  }
  return (key) => {
    const [folder = '', name = ''] = key.split('/');
    return known.get(folder)?.has(name);
  };
}

type Find = (db: Db, names: readonly string[]) => Promise<ReadonlySet<string>>;

/** By the first segment of a key: which of its second segments are in use. */
const FINDERS: Readonly<Record<string, Find>> = {
  async sounds(db, names) {
    const rows = await db
      .selectFrom('sounds')
      .select('audio_key as key')
      .where('audio_key', 'in', names)
      .execute();
    return toSet(rows, await findUnclaimed(db, names));
  },
  async pictures(db, names) {
    const thumbnails = await db
      .selectFrom('sounds')
      .select('thumbnail_key as key')
      .where('thumbnail_key', 'in', names)
      .execute();
    const [avatars, backgrounds] = [
      await db.selectFrom('users').select('picture_key as key').where('picture_key', 'in', names).execute(),
      await db
        .selectFrom('users')
        .select('background_key as key')
        .where('background_key', 'in', names)
        .execute(),
    ];
    const retired = await db
      .selectFrom('retired_pictures')
      .select('picture_key as key')
      .where('picture_key', 'in', names)
      .execute();
    const site = await db
      .selectFrom('site_config')
      .select(['navbar_logo', 'navbar_sp_logo', 'footer_logo', 'footer_banner'])
      .execute();
    const shown = site.flatMap((row) => Object.values(row)).map((key) => ({ key }));
    return toSet(thumbnails, avatars, backgrounds, retired, shown, await findUnclaimed(db, names));
  },
  async 'quality-check'(db, names) {
    const ids = names.map((name) => name.replace(/-\d+$/, ''));
    const rows = await db
      .selectFrom('quality_check_files')
      .select('object_key')
      .where('quality_check_id', 'in', ids)
      .execute();
    return toSet(rows.map(({ object_key }) => ({ key: object_key?.split('/')[1] ?? null })));
  },
  async 'upload-pieces'(db, names) {
    return toSet(await db.selectFrom('upload_pieces').select('id as key').where('id', 'in', names).execute());
  },
  async notices(db, names) {
    return toSet(await db.selectFrom('notices').select('id as key').where('id', 'in', names).execute());
  },
  'personal-info': findSubmissions,
  'personal-info-keys': findSubmissions,
};

async function findSubmissions(db: Db, names: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('personal_info_submissions')
    .select('id as key')
    .where('id', 'in', names)
    .where('object_key', 'is not', null)
    .execute();
  return toSet(rows);
}

function findUnclaimed(db: Db, names: readonly string[]) {
  return db.selectFrom('unclaimed_files').select('file_key as key').where('file_key', 'in', names).execute();
}

function toSet(...lists: readonly (readonly { readonly key: string | null }[])[]): ReadonlySet<string> {
  return new Set(lists.flat().flatMap(({ key }) => key ?? []));
}
