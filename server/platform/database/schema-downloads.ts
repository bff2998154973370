import type { Generated } from 'kysely';

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
  is_repeat: 0 | 1;
  /** The notice that is being watched; '' before the first report. */
  notice: Generated<string>;
  /** How long that notice must be watched; null before the first report, and for a notice this host does not have. */
  needed_ms: number | null;
  /** Viewing time up to the last report. */
  watched_ms: Generated<number>;
  /** Time of the last report, while it is being watched. */
  watching_since: number | null;
  /** 1: completed after an advertisement. */
  is_granted: Generated<0 | 1>;
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
  is_counted: 0 | 1;
  /** Fixed when the download was completed; 0 if nothing is earned. */
  yen: number;
  created_at: number;
  decided_at: number | null;
  /** The staff account. */
  decided_by: string | null;
}

/** Counts for one day (`toDay`) of a visitor, an address, a network or a provider, per artist or for the site. */
export interface DownloadCountsTable {
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

/** An artist's earnings on one day (`toDay`), maintained by the triggers that book and reverse rewards. */
interface ArtistDaysTable {
  user_id: string;
  day: number;
  reward_yen: number;
}

export interface DownloadsSchema {
  download_intents: DownloadIntentsTable;
  download_credits: DownloadCreditsTable;
  download_counts: DownloadCountsTable;
  member_traces: MemberTracesTable;
  address_keys: AddressKeysTable;
  artist_days: ArtistDaysTable;
}
