import type { Generated } from 'kysely';

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
  /** Why it was rejected, as the member reads it. */
  reason: Generated<string>;
}

/** What an applicant wants to upload. */
interface QualityCheckTypesTable {
  quality_check_id: string;
  type_id: number;
}

interface QualityCheckFilesTable {
  quality_check_id: string;
  /** 1 to 6: `file_1` to `file_6` of spec §7. */
  slot: number;
  /** Where it lies; null once it is destroyed. */
  object_key: string | null;
  filename: string;
  mime: string;
  size_bytes: number;
  duration_ms: number;
  /** kbit/s. */
  bit_rate: number;
  /** Hz. */
  sample_rate: number;
  /** Of the content, in hex. */
  sha256: string;
}

/** What the staff has done, and who and when; written with what was done and never changed. */
interface OperatorActionsTable {
  id: string;
  /** Null for the first staff account alone, which nobody of the staff could have made. */
  staff_id: string | null;
  /** What was done, such as `approve quality check`. */
  action: string;
  /** The id of what it was done to. */
  subject: string;
  at: number;
  note: Generated<string>;
}

export interface QualityCheckSchema {
  quality_checks: QualityChecksTable;
  quality_check_types: QualityCheckTypesTable;
  quality_check_files: QualityCheckFilesTable;
  operator_actions: OperatorActionsTable;
}
