import type { Profile } from '../../../contract/accounts/profile.ts';

/** The state of an unverified member's application. Only our own host sends dates and reasons. */
export type ReviewState =
  | { readonly state: 'none' }
  | { readonly state: 'pending'; readonly submittedAt: string | undefined }
  | { readonly state: 'rejected'; readonly decidedAt: string | undefined; readonly reason: string };

/** The status decides (spec §2); the newest application only adds details. */
export function toReviewState({ status, quality_check: newest }: Profile): ReviewState {
  if (status === 'pending') {
    return { state: 'pending', submittedAt: newest?.state === 'pending' ? newest.submitted_at : undefined };
  }
  if (newest?.state !== 'rejected') return { state: 'none' };
  return { state: 'rejected', decidedAt: newest.decided_at, reason: newest.reason ?? '' };
}
