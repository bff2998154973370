import type { Generated, Kysely } from 'kysely';
import type { Asking } from '../../../contract/operator/reports.ts';
import type { ReportReason, ReportState } from '../../../contract/reports.ts';
import type { Handle, ReadOnly } from '../../platform/database/handle.ts';
import type { Schema } from '../../platform/database/schema.ts';
import type { Flag } from '../../platform/database/tables/parts.ts';

/** A visitor's report of a sound. It stays when the sound or its artist is deleted. */
export interface ReportsTable {
  id: string;
  sound_id: string;
  /** The title at the time of the report. */
  sound_title: string;
  /** Null once the artist's account is deleted. */
  artist_id: string | null;
  reason: ReportReason;
  name: string;
  email: string;
  /** `toEmailKey(email)`. */
  email_key: string;
  explanation: string;
  /** The reporter's relation to the right; '' if no right is claimed. */
  relation: Generated<string>;
  /** The artist may learn the name. */
  shares_name: Flag;
  /** Keyed hashes of the reporter's network and address, to bound reports; '' for a call without an address. */
  network: string;
  source: Generated<string>;
  /** SHA-256 of the secret in the mail, in hex. */
  secret_hash: string;
  state: ReportState;
  /** The reporter opened the mailed link; before, neither side is mailed about the report. */
  is_confirmed: Generated<Flag>;
  /** Grows by one with each event: a decision names the version that it is based on. */
  version: Generated<number>;
  /** The end of the current deadline; null without one. */
  due_at: number | null;
  /** Whether the artist knows of a confirmed report. A held one waits for the staff; nothing else tells it. */
  asking: Generated<Asking>;
  /** When the artist was mailed about it as a new one; null before, and for a report from before this was stored. */
  asked_at: number | null;
  answer: Generated<string>;
  /** 1 if the sound was already hidden, without a report, when this report hid it. */
  was_hidden: Generated<Flag>;
  created_at: number;
  updated_at: number;
}

/** What happened to a report, one row for each version. */
export interface ReportEventsTable {
  report_id: string;
  version: number;
  event: string;
  /** The state after the event. */
  state: ReportState;
  at: number;
  /** The reason that the staff gave; '' for other events. */
  reason: string;
}

interface ReportTables {
  reports: ReportsTable;
  report_events: ReportEventsTable;
}

declare module '../../platform/database/schema.ts' {
  interface Schema extends ReportTables {}
}

type Others = ReadOnly<Pick<Schema, 'operator_actions' | 'sounds' | 'users'>>;

/** What the queries of this feature see. */
export type Db = Kysely<ReportTables & Others>;

/** A handle with which the queries of this feature compile. */
export const own = (db: Handle): Db => db;
