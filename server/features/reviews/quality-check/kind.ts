import type { Selectable } from 'kysely';
import type { Schema } from '../../../platform/database/schema.ts';
import { Problem } from '../../../platform/http/problem.ts';
import type { SubmissionKind } from '../life-cycle.ts';

/** The applicant, with what decides whether they may apply. */
export type Applicant = Pick<
  Selectable<Schema['users']>,
  'id' | 'username' | 'email' | 'status' | 'is_verified' | 'is_blocked'
>;

/** Applications for the quality check. */
export const QUALITY_CHECK: SubmissionKind<Applicant> = {
  name: 'quality check',
  table: 'quality_checks',
  files: ['quality_check_files', 'quality_check_id'],
  tooLate: 'もう一度申請してください。',
  notPending: 'このクオリティチェックは審査待ちではありません。',
  selectMember: (db, userId) =>
    db
      .selectFrom('users')
      .select(['id', 'username', 'email', 'status', 'is_verified', 'is_blocked'])
      .where('id', '=', userId),
  /** 403 when blocked, 409 by spec §4. */
  checkMember(applicant) {
    if (applicant.is_blocked === 1) {
      throw new Problem(403, '現在、クオリティチェックを申請できません。お問い合わせください。');
    }
    if (applicant.is_verified === 1) throw new Problem(409, 'クオリティチェックは完了しています。');
    if (applicant.status === 'pending') {
      throw new Problem(409, 'クオリティチェックは審査中です。結果をお待ちください。');
    }
  },
  deleteFile: (storage, _submissionId, objectKey) => storage.delete(objectKey),
};
