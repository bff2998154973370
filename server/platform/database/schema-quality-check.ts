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

/** Actions of the staff, with person and time; written in the same transaction as the action and never changed. */
interface OperatorActionsTable {
  id: string;
  /** Null only for the first staff account, which no staff member could have created. */
  staff_id: string | null;
  /** The action, such as `approve quality check`. */
  action: string;
  /** The id of its target. */
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
