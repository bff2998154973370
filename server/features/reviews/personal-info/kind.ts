import type { Selectable } from 'kysely';
import {
  PAYOUT_FIELDS,
  listMissing,
  toPersonalInfoPrecondition,
} from '../../../../contract/accounts/profile-fields.ts';
import type { PayoutField } from '../../../../contract/accounts/profile-fields.ts';
import type { PersonalInfoStatus } from '../../accounts/tables.ts';
import type { Schema } from '../../../platform/database/schema.ts';
import { Problem } from '../../../platform/http/problem.ts';
import { findNewest } from '../life-cycle.ts';
import type { SubmissionKind } from '../life-cycle.ts';
import { destroyImage } from './images.ts';
import type { Db } from '../tables.ts';
import { updateMemberRow } from '../../accounts/queries.ts';
import type { Handle } from '../../../platform/database/handle.ts';

/** The sender of an ID, with what decides whether they may send one. */
export type Applicant = Pick<
  Selectable<Schema['users']>,
  'id' | 'username' | 'personal_info_status' | PayoutField
>;

/** In `users.verified_details` until the details of a verified member are recorded (`verified-details.ts`). */
export const UNRECORDED = 'unrecorded';

/** Photographs of IDs. */
export const PERSONAL_INFO: SubmissionKind<Applicant> = {
  name: 'personal info',
  table: 'personal_info_submissions',
  files: ['personal_info_submissions', 'id'],
  tooLate: 'もう一度提出してください。',
  notPending: 'この本人確認書類は審査待ちではありません。',
  selectMember: (db, userId) =>
    db
      .selectFrom('users')
      .select(['id', 'username', 'personal_info_status', ...PAYOUT_FIELDS])
      .where('id', '=', userId),
  /** 409 by spec §4, 400 by spec §5. */
  checkMember(applicant) {
    if (applicant.personal_info_status === 'pending') {
      throw new Problem(409, '本人確認書類は審査中です。結果をお待ちください。');
    }
    if (applicant.personal_info_status === 'confirmed') {
      throw new Problem(409, '本人確認は完了しています。');
    }
    const missing = listMissing(applicant, { needsFurigana: true });
    if (missing.length > 0) throw new Problem(400, toPersonalInfoPrecondition(missing));
  },
  deleteFile: (storage, submissionId, objectKey) => destroyImage({ storage }, submissionId, objectKey),
};

/** The state of a member's newest submission: when it was sent (epoch ms), and why it was rejected. */
export interface PersonalInfoReviewState {
  readonly submittedAt: number;
  /** '' unless it was rejected. */
  readonly reason: string;
}

/** The state of a member's newest submission; undefined when there is none. */
export async function findPersonalInfoReviewState(
  db: Db,
  userId: string,
): Promise<PersonalInfoReviewState | undefined> {
  const row = await findNewest(db, PERSONAL_INFO, userId);
  return row && { submittedAt: row.submitted_at, reason: row.reason };
}

export async function updateReviewStatus(
  db: Handle,
  userId: string,
  personal_info_status: Exclude<PersonalInfoStatus, ''>,
): Promise<void> {
  const isConfirmed = personal_info_status === 'confirmed';
  const is_personal_info_verified = isConfirmed ? 1 : 0;
  const verified_details = isConfirmed ? UNRECORDED : '';
  await updateMemberRow(db, userId, { personal_info_status, is_personal_info_verified, verified_details });
}
