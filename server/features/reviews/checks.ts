import { identityKeys, waitingIds } from './checks/identity-keys.ts';
import { payees } from './checks/payees.ts';
import { reviewRows } from './checks/rows.ts';
import { submissions } from './checks/submissions.ts';
import type { Check } from '../doctor/check.ts';

/** What the doctor checks of applications and identities. */
export const REVIEW_CHECKS: readonly Check[] = [identityKeys, waitingIds, payees, reviewRows, submissions];
