import { personalInfoKeys, waitingPersonalInfo } from './checks/personal-info-keys.ts';
import { payees } from './checks/payees.ts';
import { reviewRows } from './checks/rows.ts';
import { submissions } from './checks/submissions.ts';
import type { Check } from '../doctor/check.ts';

/** What the doctor checks of applications and personal info. */
export const REVIEW_CHECKS: readonly Check[] = [
  personalInfoKeys,
  waitingPersonalInfo,
  payees,
  reviewRows,
  submissions,
];
