import type { Generated, Kysely } from 'kysely';
import type { ReadOnly } from '../../platform/database/handle.ts';
import type { Schema } from '../../platform/database/schema.ts';
import type { Flag } from '../../platform/database/tables/parts.ts';

/** A download, from the click on its button until its file is requested. */
export interface DownloadIntentsTable {
  /** Unguessable. */
  id: string;
  sound_id: string;
  /** `toVisitorKey(…)` of the browser's cookie. */
  visitor: string;
  /** The member who was logged in, if any. */
  user_id: string | null;
  /** 1: an advertisement was watched for this sound within the previous day. */
  is_repeat: Flag;
  /** The notice that is being watched; '' before the first report. */
  notice: Generated<string>;
  /** How long that notice must be watched; null before the first report, and for a notice this host does not have. */
  needed_ms: number | null;
  /** Viewing time up to the last report. */
  watched_ms: Generated<number>;
  /** Time of the last report, while it is being watched. */
  watching_since: number | null;
  /** 1: completed after an advertisement. */
  is_granted: Generated<Flag>;
  created_at: number;
  /** null: open. */
  completed_at: number | null;
  /** The certificate of the completed download; null if there is none. */
  certificate_id: Generated<string | null>;
}

/** The result of the rules for a completed intent. */
export interface DownloadCreditsTable {
  id: string;
  intent_id: string;
  sound_id: string;
  artist_id: string;
  /** These three are deleted once no rule needs them. */
  visitor: string | null;
  user_id: string | null;
  network: string | null;
  /** 'held' waits for the staff, who sets 'credited' or 'rejected', and can set 'credited' to 'reversed'. */
  state: 'credited' | 'held' | 'rejected' | 'refused' | 'reversed';
  /** Why it is not credited; '' if it is. */
  reason: string;
  /** 1: included in the sound's public count. */
  is_counted: Flag;
  /** Fixed when the download was completed; 0 if nothing is earned. */
  yen: number;
  created_at: number;
  decided_at: number | null;
  /** The staff account. */
  decided_by: string | null;
}

/** Counts for one day (`toDay`) of a visitor, an address, a network or a provider, per artist or for the site. */
interface DownloadCountsTable {
  subject: string;
  day: number;
  /** Completed downloads. */
  downloads: number;
  /** Of these: included in the public count of their sound. */
  counted: number;
  /** Of these: credited, or held for visitors and networks; those held for an artist count once approved. */
  credits: number;
  /** Of an artist's credits: first held, then approved by the staff. */
  approved: Generated<number>;
}

interface DownloadTables {
  download_intents: DownloadIntentsTable;
  download_credits: DownloadCreditsTable;
  download_counts: DownloadCountsTable;
}

declare module '../../platform/database/schema.ts' {
  interface Schema extends DownloadTables {}
}

type Others = ReadOnly<Pick<Schema, 'member_traces' | 'sounds' | 'users'>>;

/** What the queries of this feature see. */
export type Db = Kysely<DownloadTables & Others>;
