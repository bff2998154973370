import type { Generated } from 'kysely';
import { TEXT, count, flag } from './parts.ts';
import type { Flag } from './parts.ts';

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

/** Browsers and networks that a member has used. */
interface MemberTracesTable {
  subject: string;
  user_id: string;
  seen_at: number;
}

/** The key of each day's hashes of addresses; once it is deleted, they cannot be linked to addresses. */
interface AddressKeysTable {
  day: number;
  /** 32 bytes, base64url. */
  secret: string;
}

/** Certificates of downloads. A row never changes, except that `user_id` is cleared. */
interface CertificatesTable {
  /** Unguessable. */
  id: string;
  /** The member who was logged in, if any. */
  user_id: string | null;
  issued_at: number;
  /** The signed bytes: `Certificate` (contract/certificates.ts) as canonical JSON. */
  body: string;
  /** In `certificate_keys`. */
  key_id: string;
  /** Base64url. */
  signature: string;
}

/** The public halves of the keys that have signed certificates. */
interface CertificateKeysTable {
  id: string;
  /** 32 bytes, base64url. */
  public_key: string;
  created_at: number;
}

/** Terms of use as they were when certificates named them. */
interface LicencesTable {
  /** SHA-256 of `toLicenceText`, hexadecimal. */
  hash: string;
  title: string;
  /** Markdown. */
  body: string;
  created_at: number;
}

export interface DownloadTables {
  download_intents: DownloadIntentsTable;
  download_credits: DownloadCreditsTable;
  download_counts: DownloadCountsTable;
  member_traces: MemberTracesTable;
  address_keys: AddressKeysTable;
  certificates: CertificatesTable;
  certificate_keys: CertificateKeysTable;
  licences: LicencesTable;
}

export const DOWNLOAD_TABLES: readonly string[] = [
  `create table download_intents (
    id text primary key,
    sound_id text not null,
    visitor text not null,
    user_id text references users (id) on delete set null,
    is_repeat integer not null check (is_repeat in (0, 1)),
    notice ${TEXT},
    needed_ms integer,
    ${count('watched_ms')},
    watching_since bigint,
    ${flag('is_granted')},
    created_at bigint not null,
    completed_at bigint,
    certificate_id text
  )`,
  `create index download_intents_visitor on download_intents (visitor, sound_id)`,
  `create index download_intents_member on download_intents (user_id, sound_id)`,
  `create index download_intents_age on download_intents (created_at)`,
  // No reference to sounds: earnings outlive them.
  `create table download_credits (
    id text primary key,
    intent_id text not null unique,
    sound_id text not null,
    artist_id text not null references users (id),
    visitor text,
    user_id text references users (id) on delete set null,
    network text,
    state text not null check (state in ('credited', 'held', 'rejected', 'refused', 'reversed')),
    reason text not null,
    is_counted integer not null check (is_counted in (0, 1)),
    yen bigint not null check (yen >= 0),
    created_at bigint not null,
    decided_at bigint,
    decided_by text references users (id)
  )`,
  `create index download_credits_visitor on download_credits (visitor, sound_id)`,
  `create index download_credits_member on download_credits (user_id, sound_id)`,
  `create index download_credits_artist on download_credits (artist_id, state, created_at)`,
  `create index download_credits_state on download_credits (state, created_at)`,
  `create index download_credits_traced on download_credits (created_at) where visitor is not null`,
  // The staff's list of held credits by day in Japan and artist is read from this index alone, in its order. `state` is
  // in it because SQLite would prefer another index otherwise.
  `create index download_credits_held on download_credits
    (state, ((created_at + 32400000) / 86400000), artist_id, created_at, reason, yen) where state = 'held'`,
  `create table download_counts (
    subject text not null,
    day integer not null,
    downloads integer not null,
    counted integer not null,
    credits integer not null,
    approved integer not null default 0,
    primary key (subject, day)
  )`,
  `create index download_counts_day on download_counts (day)`,
  `create table member_traces (
    subject text not null,
    user_id text not null references users (id) on delete cascade,
    seen_at bigint not null,
    primary key (subject, user_id)
  )`,
  `create index member_traces_age on member_traces (seen_at)`,
  `create table address_keys (day integer primary key, secret text not null)`,
  // A certificate refers to no sound and to no artist: it outlives both.
  `create table certificates (
    id text primary key,
    user_id text references users (id) on delete set null,
    issued_at bigint not null,
    body text not null,
    key_id text not null,
    signature text not null
  )`,
  `create index certificates_member on certificates (user_id, issued_at, id) where user_id is not null`,
  `create table certificate_keys (id text primary key, public_key text not null, created_at bigint not null)`,
  `create table licences (
    hash text primary key,
    title text not null,
    body text not null,
    created_at bigint not null
  )`,
];
