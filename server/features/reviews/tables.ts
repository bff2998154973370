import type { Generated, Kysely } from 'kysely';
import type { Handle, ReadOnly } from '../../platform/database/handle.ts';
import type { Schema } from '../../platform/database/schema.ts';

/** A photograph of an ID under review (spec §4). */
interface PersonalInfoSubmissionsTable {
  id: string;
  user_id: string;
  /** The storage key of its sealed image; null once that is deleted. */
  object_key: string | null;
  /** 'incoming' while the image is being stored. */
  state: 'incoming' | 'pending' | 'approved' | 'rejected';
  submitted_at: number;
  decided_at: number | null;
  /** The staff account. */
  decided_by: string | null;
  /** Why it was not approved, as shown to the member. */
  reason: Generated<string>;
}

/** Which staff account viewed an ID, and when. */
interface PersonalInfoViewsTable {
  submission_id: string;
  staff_id: string;
  viewed_at: number;
  /** `hashDetails` of what the image was compared with; '' when it could not be opened. */
  details_hash: Generated<string>;
}

/** An unverified member's application (spec §2). */
interface QualityChecksTable {
  id: string;
  user_id: string;
  /** 'incoming' while its files are being stored. */
  state: 'incoming' | 'pending' | 'approved' | 'rejected';
  submitted_at: number;
  decided_at: number | null;
  /** The staff account. */
  decided_by: string | null;
  /** Why it was rejected, as shown to the member. */
  reason: Generated<string>;
  /** When the staff put it aside; null for one that was not. */
  parked_at: number | null;
}

/** What an applicant intends to upload. */
interface QualityCheckTypesTable {
  quality_check_id: string;
  type_id: number;
}

interface QualityCheckFilesTable {
  quality_check_id: string;
  /** 1 to 6: `file_1` to `file_6` of spec §7. */
  slot: number;
  /** The storage key; null once it is deleted. */
  object_key: string | null;
  filename: string;
  mime: string;
  size_bytes: number;
  duration_ms: number;
  /** kbit/s. */
  bit_rate: number;
  /** Hz. */
  sample_rate: number;
  /** SHA-256 of the content, in hex. */
  sha256: string;
  /** `FileAnalysis` as JSON; null while it is not decoded. */
  analysis: string | null;
}

interface ReviewTables {
  personal_info_submissions: PersonalInfoSubmissionsTable;
  personal_info_views: PersonalInfoViewsTable;
  quality_checks: QualityChecksTable;
  quality_check_types: QualityCheckTypesTable;
  quality_check_files: QualityCheckFilesTable;
}

declare module '../../platform/database/schema.ts' {
  interface Schema extends ReviewTables {}
}

type Others = ReadOnly<Pick<Schema, 'sound_types' | 'users'>>;

/** What the queries of this feature see. */
export type Db = Kysely<ReviewTables & Others>;

/** A handle with which the queries of this feature compile. */
export const own = (db: Handle): Db => db;
