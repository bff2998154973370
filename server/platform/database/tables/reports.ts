import type { Generated } from 'kysely';
import type { Asking } from '../../../../contract/operator/reports.ts';
import type { ReportReason, ReportState } from '../../../../contract/reports.ts';
import { TEXT, flag } from './parts.ts';
import type { Flag } from './parts.ts';

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

export interface ReportTables {
  reports: ReportsTable;
  report_events: ReportEventsTable;
}

export const REPORT_TABLES: readonly string[] = [
  `create table reports (
    id text primary key,
    sound_id text not null,
    sound_title text not null,
    artist_id text references users (id) on delete set null,
    reason text not null check (reason in ('copyright', 'likeness', 'terms', 'other')),
    name text not null,
    email text not null,
    email_key text not null,
    explanation text not null,
    relation ${TEXT},
    shares_name integer not null check (shares_name in (0, 1)),
    network text not null,
    source ${TEXT},
    secret_hash text not null unique,
    state text not null check (state in ('unconfirmed', 'waiting', 'waiting-hidden', 'answered',
      'answered-hidden', 'unanswered', 'unanswered-hidden', 'hidden', 'deleted', 'dismissed', 'restored',
      'lapsed', 'gone')),
    ${flag('is_confirmed')},
    version integer not null default 0,
    due_at bigint,
    asking text not null default 'asked',
    asked_at bigint,
    answer ${TEXT},
    ${flag('was_hidden')},
    created_at bigint not null,
    updated_at bigint not null
  )`,
  `create index reports_sound on reports (sound_id, state)`,
  `create index reports_artist on reports (artist_id, created_at)`,
  `create index reports_artist_state on reports (artist_id, state)`,
  `create index reports_state on reports (state, created_at, id)`,
  `create index reports_asking on reports (asking, state, created_at, id) where asking <> 'asked'`,
  `create index reports_due on reports (due_at) where due_at is not null`,
  `create index reports_network on reports (network, state)`,
  `create table report_events (
    report_id text not null references reports (id) on delete cascade,
    version integer not null,
    event text not null,
    state text not null,
    at bigint not null,
    reason ${TEXT},
    primary key (report_id, version)
  )`,
];
