import type { Kysely } from 'kysely';
import type { PictureKind } from '../../../contract/site/pictures.ts';

/** Replaced pictures, until no cached page refers to them. */
interface RetiredPicturesTable {
  picture_key: string;
  kind: PictureKind;
  retired_at: number;
}

interface PictureTables {
  retired_pictures: RetiredPicturesTable;
}

declare module '../../platform/database/schema.ts' {
  interface Schema extends PictureTables {}
}

/** What the queries of this feature see. */
export type Db = Kysely<PictureTables>;
