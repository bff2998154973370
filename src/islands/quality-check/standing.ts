import type { Profile } from '../../../contract/profile.ts';

/** Where an unverified member's application stands. Only our own host tells since when, and why not. */
export type Standing =
  | { readonly state: 'none' }
  | { readonly state: 'pending'; readonly submittedAt: string | undefined }
  | { readonly state: 'rejected'; readonly decidedAt: string | undefined; readonly reason: string };

/** The status counts (spec §2); what else is told of the newest application explains it. */
export function toStanding({ status, quality_check: newest }: Profile): Standing {
  if (status === 'pending') {
    return { state: 'pending', submittedAt: newest?.state === 'pending' ? newest.submitted_at : undefined };
  }
  if (newest?.state !== 'rejected') return { state: 'none' };
  return { state: 'rejected', decidedAt: newest.decided_at, reason: newest.reason ?? '' };
}
