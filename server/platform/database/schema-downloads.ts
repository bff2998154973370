import type { Generated } from 'kysely';

/** A download from the press on its button until its file is asked for. */
export interface DownloadIntentsTable {
  /** Not to be guessed. */
  id: string;
  sound_id: string;
  /** `toVisitorKey(…)` of the browser's cookie. */
  visitor: string;
  /** The member who was logged in. */
  user_id: string | null;
  /** 1: an advertisement was watched for this sound within a day before. */
  is_repeat: 0 | 1;
  /** The notice that is watched; '' before the first report. */
  notice: Generated<string>;
  /** How long that notice has to be watched; null before the first report, and for one this host does not know. */
  needed_ms: number | null;
  /** Until the last report. */
  watched_ms: Generated<number>;
  /** When the last report came, while it is being watched. */
  watching_since: number | null;
  /** 1: completed after an advertisement. */
  is_granted: Generated<0 | 1>;
  created_at: number;
  /** null: open. */
  completed_at: number | null;
}

/** What the rules said of a completed intent. */
export interface DownloadCreditsTable {
  id: string;
  intent_id: string;
  sound_id: string;
  artist_id: string;
  /** These three are forgotten once no rule asks for them. */
  visitor: string | null;
  user_id: string | null;
  network: string | null;
  /** 'held' waits for the staff, who makes it 'credited' or 'rejected', and may make 'credited' 'reversed'. */
  state: 'credited' | 'held' | 'rejected' | 'refused' | 'reversed';
  /** Why it is not credited; '' where it is. */
  reason: string;
  /** 1: it went into the sound's public count. */
  is_counted: 0 | 1;
  /** Fixed when the download was completed; 0 where nothing is earned. */
  yen: number;
  created_at: number;
  decided_at: number | null;
  /** The staff account. */
  decided_by: string | null;
}

/** What was done on a day (`toDay`) by a visitor, an address, a network or a provider, for an artist or on the site. */
export interface DownloadCountsTable {
  subject: string;
  day: number;
  /** Completed. */
  downloads: number;
  /** Of these: in the public count of their sound. */
  counted: number;
  /** Of these: credited, or held by visitors and networks; held ones of an artist once they are approved. */
  credits: number;
  /** Of an artist's credits: held first, and approved by the staff. */
  approved: Generated<number>;
}

/** Browsers and networks that a member was seen with. */
interface MemberTracesTable {
  subject: string;
  user_id: string;
  seen_at: number;
}

/** The key of each day's hashes of addresses; when it is gone, they are nobody's any more. */
interface AddressKeysTable {
  day: number;
  /** 32 bytes, base64url. */
  secret: string;
}

/** What an artist earned on a day (`toDay`), added up by the triggers that book rewards and take them back. */
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
