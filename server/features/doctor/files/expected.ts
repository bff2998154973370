import { PICTURE_WIDTHS } from '../../../../contract/pictures.ts';
import type { PictureKind } from '../../../../contract/pictures.ts';
import { toPictureKey, toSoundKey } from '../../../media/object-keys.ts';
import type { Database } from '../../../platform/database/database.ts';
import { listFiles } from '../../notices/notices.ts';
import { toImageKey } from '../../reviews/reviews.ts';

type Db = Database['db'];

/** A stored file that a row refers to. */
export interface ExpectedFile {
  readonly key: string;
  /** Undefined where rows do not have it. */
  readonly sizeBytes?: number;
  /** Hexadecimal; undefined where rows do not have it. */
  readonly sha256?: string;
}

/** A row with the files that it refers to. */
export interface Owner {
  /** Unique and ascending within its source. */
  readonly id: string | number;
  /** For the operator: what is affected. */
  readonly name: string;
  readonly files: readonly ExpectedFile[];
}

/** Rows of one table in order of their ids: those after an id, or exactly one. */
export interface Source {
  readonly first: string | number;
  select(
    db: Db,
    range: { readonly after: string | number } | { readonly only: string | number },
  ): Promise<Owner[]>;
}

const WINDOW_ROWS = 200;
const SHA256 = /^[0-9a-f]{64}$/;

const sounds: Source = {
  first: 0,
  async select(db, range) {
    const rows = await db
      .selectFrom('sounds')
      .select(['seq', 'id', 'audio_key', 'audio_size', 'content_hash', 'thumbnail_key'])
      .where('seq', toOperator(range), toId<number>(range))
      .orderBy('seq')
      .limit(WINDOW_ROWS)
      .execute();
    return rows.map((row) => ({
      id: row.seq,
      name: `sound ${row.id}`,
      files: [
        // The file of a sound that was not uploaded is stored under its hash.
        {
          key: toSoundKey(row.audio_key),
          sizeBytes: row.audio_size,
          ...(SHA256.test(row.audio_key) && { sha256: row.content_hash ?? row.audio_key }),
        },
        ...toPictures(row.thumbnail_key, 'thumbnail'),
      ],
    }));
  },
};

const members: Source = {
  first: '',
  async select(db, range) {
    const rows = await db
      .selectFrom('users')
      .select(['id', 'username', 'picture_key', 'background_key'])
      .where('id', toOperator(range), toId<string>(range))
      .orderBy('id')
      .limit(WINDOW_ROWS)
      .execute();
    return rows.map((row) => ({
      id: row.id,
      name: `member ${row.username}`,
      files: [...toPictures(row.picture_key, 'avatar'), ...toPictures(row.background_key, 'background')],
    }));
  },
};

const site: Source = {
  first: 0,
  async select(db, range) {
    const rows = await db
      .selectFrom('site_config')
      .select(['id', 'navbar_logo', 'navbar_sp_logo', 'footer_logo', 'footer_banner'])
      .where('id', toOperator(range), toId<number>(range))
      .orderBy('id')
      .execute();
    return rows.map((row) => ({
      id: row.id,
      name: 'site configuration',
      files: [
        ...[row.navbar_logo, row.navbar_sp_logo, row.footer_logo].flatMap((key) => toPictures(key, 'logo')),
        ...toPictures(row.footer_banner, 'banner'),
      ],
    }));
  },
};

/** The files of other applications are not there yet, or are being deleted. */
const qualityChecks: Source = {
  first: '',
  async select(db, range) {
    const pending = await db
      .selectFrom('quality_checks')
      .select('id')
      .where('state', '=', 'pending')
      .where('id', toOperator(range), toId<string>(range))
      .orderBy('id')
      .limit(WINDOW_ROWS)
      .execute();
    if (pending.length === 0) return [];
    const files = await db
      .selectFrom('quality_check_files')
      .select(['quality_check_id', 'object_key', 'size_bytes', 'sha256'])
      .where(
        'quality_check_id',
        'in',
        pending.map(({ id }) => id),
      )
      .execute();
    return pending.map(({ id }) => ({
      id,
      name: `quality check ${id}`,
      files: files.flatMap(({ quality_check_id, object_key, size_bytes, sha256 }) =>
        quality_check_id === id && object_key !== null
          ? { key: object_key, sizeBytes: size_bytes, sha256 }
          : [],
      ),
    }));
  },
};

const personalInfo: Source = {
  first: '',
  async select(db, range) {
    const rows = await db
      .selectFrom('personal_info_submissions')
      .select('id')
      .where('state', '=', 'pending')
      .where('id', toOperator(range), toId<string>(range))
      .orderBy('id')
      .limit(WINDOW_ROWS)
      .execute();
    return rows.map(({ id }) => ({ id, name: `ID ${id}`, files: [{ key: toImageKey(id) }] }));
  },
};

const notices: Source = {
  first: '',
  async select(db, range) {
    const rows = await db
      .selectFrom('notices')
      .selectAll()
      .where('state', '=', 'listed')
      .where('id', toOperator(range), toId<string>(range))
      .orderBy('id')
      .limit(WINDOW_ROWS)
      .execute();
    return rows.map((row) => ({
      id: row.id,
      name: `notice ${row.id}`,
      files: listFiles(row).map(({ key, size, hash }) => ({ key, sizeBytes: size, sha256: hash })),
    }));
  },
};

export const SOURCES: readonly Source[] = [site, notices, members, personalInfo, qualityChecks, sounds];

function toPictures(key: string | null, kind: PictureKind): ExpectedFile[] {
  return key === null ? [] : PICTURE_WIDTHS[kind].map((width) => ({ key: toPictureKey(key, width) }));
}

type Range = Parameters<Source['select']>[1];

function toOperator(range: Range) {
  return 'only' in range ? '=' : '>';
}

function toId<Id extends string | number>(range: Range): Id {
  return ('only' in range ? range.only : range.after) as Id;
}
