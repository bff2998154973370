import type { Generated } from 'kysely';
import type { CertificatesSchema } from './schema-certificates.ts';
import type { DownloadsSchema } from './schema-downloads.ts';
import type { LedgerSchema } from './schema-ledger.ts';
import type {
  AddressChangesTable,
  FormerUsernamesTable,
  RetiredPicturesTable,
  UndoLinksTable,
  UnindexedArtistsTable,
} from './schema-profiles.ts';
import type { NoticesSchema } from './schema-notices.ts';
import type { ProcessesSchema } from './schema-processes.ts';
import type { QualityCheckSchema } from './schema-quality-check.ts';
import type { ReportsSchema } from './schema-reports.ts';
import type { SecondFactorSchema } from './schema-second-factor.ts';
import type { SoundFactColumns, SoundsWorkSchema } from './schema-sounds-work.ts';

/** Types that both databases share: text, integer, real. Times are epoch ms, flags are 0 or 1. */
export type Flag = 0 | 1;

export interface UsersTable {
  id: string;
  username: string;
  /** `toUsernameKey(username)`; unique. */
  username_key: string;
  /** `toUsernameSkeleton(username)`; unique: no two names look alike. */
  username_skeleton: string;
  email: string;
  /** `toEmailKey(email)`; unique. */
  email_key: string;
  password_hash: string | null;
  name: Generated<string>;
  furigana: Generated<string>;
  bio: Generated<string>;
  picture_key: string | null;
  background_key: string | null;
  message_email: Generated<string>;
  donation_url: Generated<string>;
  bank_name: Generated<string>;
  branch_name: Generated<string>;
  deposit_type: Generated<string>;
  account_number: Generated<string>;
  phone_number: Generated<string>;
  /** Spec §4. */
  personal_info_status: Generated<PersonalInfoStatus>;
  is_personal_info_verified: Generated<Flag>;
  is_verified: Generated<Flag>;
  /** Also 1 for a suspended member. */
  is_blocked: Generated<Flag>;
  /** `is_blocked` before the suspension; restored when the suspension ends. */
  was_blocked: Generated<Flag>;
  /** Why the member is suspended, as shown to the member; null for a member who is not. */
  suspension_reason: string | null;
  is_staff: Generated<Flag>;
  /** 'pending' while the quality check is under review. */
  status: Generated<'' | 'pending'>;
  created_at: number;
  /** No payout is requested or paid before this time; 0 when payouts are not held. */
  payout_held_until: Generated<number>;
  /** When the member asked to delete the account, which is hidden since then; null for an account that stays. */
  deletion_requested_at: number | null;
  /** When everything except the books was deleted; this row is a pseudonym since then. */
  deleted_at: number | null;
}
export type PersonalInfoStatus = '' | 'pending' | 'confirmed' | 'rejected';

export interface SoundTypesTable {
  id: Generated<number>;
  name: string;
  icon: Generated<string>;
  position: Generated<number>;
}

export interface GenresTable {
  id: Generated<number>;
  name: string;
  position: Generated<number>;
}

export interface SubGenresTable {
  id: Generated<number>;
  genre_id: number;
  name: string;
  position: Generated<number>;
}

export interface SoundsTable extends SoundFactColumns {
  /** In order of creation: a higher one is newer. Never leaves the server. */
  seq: Generated<number>;
  id: string;
  artist_id: string;
  type_id: number;
  title: Generated<string>;
  description: Generated<string>;
  filename: Generated<string>;
  audio_key: string;
  audio_mime: string;
  audio_size: number;
  /** SHA-256 of the upload without its tags, in hex; null for a sound that was not uploaded: it is `audio_key`. */
  content_hash: string | null;
  duration_ms: Generated<number>;
  /** kbit/s. */
  bit_rate: Generated<number>;
  /** Hz. */
  sample_rate: Generated<number>;
  /** See contract/peaks.ts. */
  peaks: Generated<string>;
  /** Positions in ms, as JSON, where unreadable passages of the upload were removed; null if there were none. */
  gaps_ms: string | null;
  thumbnail_key: string | null;
  /** Whether the sound is public: its artist has published it, and it is not withheld. */
  is_published: Generated<Flag>;
  /** Published by its artist, but not shown because it is hidden or its artist is suspended. */
  is_withheld: Generated<Flag>;
  /** Why the staff has hidden it, as shown to its artist; null for a sound that is not hidden. */
  hidden_reason: string | null;
  /** When its artist deleted it; null for a sound that is there. It is then not published, and erased a week later. */
  deleted_at: number | null;
  is_ai_generated: Generated<Flag>;
  download_count: Generated<number>;
  favorite_count: Generated<number>;
  /** `toPopularity(…)` of the two counts; breaks ties between equal search hits. */
  popularity: Generated<number>;
  created_at: number;
  updated_at: number;
}

export interface SoundSubGenresTable {
  sound_seq: number;
  sub_genre_id: number;
}

export interface SiteConfigTable {
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
}

/** Accounts with an unconfirmed address; confirmation creates a user with this id. */
export interface RegistrationsTable {
  id: string;
  username: string;
  username_key: string;
  username_skeleton: string;
  email: string;
  email_key: string;
  password_hash: string;
  /** SHA-256 of the token in the mail, in hex. */
  token_hash: string;
  created_at: number;
  expires_at: number;
}

/** One log-in, with its chain of refresh tokens. Deleted when it ends. */
export interface SessionsTable {
  id: string;
  user_id: string;
  /** SHA-256 of the current refresh token, in hex. */
  token_hash: string;
  /** The previous one, which a second tab may still send; initially null. */
  previous_hash: string | null;
  /** When the previous one was exchanged. */
  rotated_at: number | null;
  created_at: number;
  /** Extended by each refresh, up to a limit. */
  expires_at: number;
  /** When the password and a code of the second factor were last given; 0: never. Not changed by a refresh. */
  authenticated_at: Generated<number>;
  second_factor_at: Generated<number>;
}

/** Links to choose a new password. */
export interface PasswordResetsTable {
  /** SHA-256 of the token in the mail, in hex. */
  token_hash: string;
  user_id: string;
  expires_at: number;
  used_at: number | null;
  created_at: number;
}

/** Wrong passwords and codes of the last day. All columns except counts and times are keyed hashes. */
interface PasswordFailuresTable {
  /** Of an e-mail address, with or without an account. */
  account: string;
  /** Of a known device, or of a network. */
  source: string;
  /** Of a network; '' for a device. */
  provider: string;
  failures: number;
  /** Time of the first failure; failures are deleted a day later. */
  since: number;
  /** Time of the last failure. */
  failed_at: number;
}

/** Outgoing mails; their content is deleted once they are sent. */
export interface MailOutboxTable {
  id: string;
  to_address: string;
  reply_to: string | null;
  subject: string;
  text: string;
  html: string;
  state: 'waiting' | 'sent' | 'given-up';
  attempts: Generated<number>;
  created_at: number;
  /** Not sent before this time; a process that takes the mail moves it forward. */
  next_attempt_at: number;
  finished_at: number | null;
  last_error: Generated<string>;
}

/** Visitors' messages to the operator. */
export interface ContactMessagesTable {
  id: string;
  name: string;
  email: string;
  message: string;
  /** The member who wrote it; null for a visitor. */
  user_id: string | null;
  created_at: number;
}

/** A photograph of an ID under review (spec §4). */
export interface PersonalInfoSubmissionsTable {
  id: string;
  user_id: string;
  /** The storage key of its sealed image; null once that is deleted. */
  object_key: string | null;
  /** 'incoming' while the image is being stored. */
  state: 'incoming' | 'pending' | 'confirmed' | 'rejected';
  submitted_at: number;
  decided_at: number | null;
  /** The staff account. */
  decided_by: string | null;
  /** Why it was not approved, as shown to the member. */
  reason: Generated<string>;
}

/** Which staff account viewed an ID, and when. */
export interface PersonalInfoViewsTable {
  submission_id: string;
  staff_id: string;
  viewed_at: number;
  /** `hashDetails` of what the image was compared with; '' when it could not be opened, and before migration 0016. */
  details_hash: Generated<string>;
}

export interface Schema
  extends
    CertificatesSchema,
    DownloadsSchema,
    LedgerSchema,
    NoticesSchema,
    ProcessesSchema,
    QualityCheckSchema,
    ReportsSchema,
    SecondFactorSchema,
    SoundsWorkSchema {
  users: UsersTable;
  retired_pictures: RetiredPicturesTable;
  registrations: RegistrationsTable;
  sessions: SessionsTable;
  password_resets: PasswordResetsTable;
  password_failures: PasswordFailuresTable;
  mail_outbox: MailOutboxTable;
  contact_messages: ContactMessagesTable;
  sound_types: SoundTypesTable;
  genres: GenresTable;
  sub_genres: SubGenresTable;
  sounds: SoundsTable;
  sound_sub_genres: SoundSubGenresTable;
  site_config: SiteConfigTable;
  extra_pages: ExtraPagesTable;
  personal_info_submissions: PersonalInfoSubmissionsTable;
  personal_info_views: PersonalInfoViewsTable;
  former_usernames: FormerUsernamesTable;
  unindexed_artists: UnindexedArtistsTable;
  address_changes: AddressChangesTable;
  undo_links: UndoLinksTable;
}
