import type { Generated, Kysely } from 'kysely';
import type { Handle } from '../../platform/database/handle.ts';
import type { Flag } from '../../platform/database/tables/parts.ts';

interface SiteConfigTable {
  /** Always 1: there is one site. */
  id: number;
  navbar_logo: string | null;
  navbar_sp_logo: string | null;
  footer_logo: string | null;
  footer_banner: string | null;
  maintenance_mode: Generated<Flag>;
  allow_register: Generated<Flag>;
}

export interface ExtraPagesTable {
  slug: string;
  title: string;
  position: number;
  body: string;
  /** 0: has an address, but no link in the footer. */
  is_listed: Flag;
  updated_at: number;
  /** Of the terms for members: what they give in one line; null: the operator has not said. */
  licence_line: Generated<string | null>;
  /** The uses that they give, of `LICENCE_USES`, with spaces between them. */
  licence_uses: Generated<string>;
  /** The `updated_at` with which the two were saved: a version that does not know them may have changed the page since. */
  licence_version: Generated<number | null>;
}

/** The operator's announcements under the navbar. */
interface AnnouncementsTable {
  id: string;
  text: string;
  link: string | null;
  audience: 'everyone' | 'members';
  begins_at: number;
  ends_at: number;
  /** Its version: every change has another one. */
  updated_at: number;
}

interface SiteTables {
  site_config: SiteConfigTable;
  extra_pages: ExtraPagesTable;
  announcements: AnnouncementsTable;
}

declare module '../../platform/database/schema.ts' {
  interface Schema extends SiteTables {}
}

/** What the queries of this feature see. */
export type Db = Kysely<SiteTables>;

/** A handle with which the queries of this feature compile. */
export const own = (db: Handle): Db => db;
