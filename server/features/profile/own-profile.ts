import type * as v from 'valibot';
import { toMonth } from '../../../contract/values/months.ts';
import type { Month } from '../../../contract/values/months.ts';
import type { ProfileSchema } from '../../../contract/accounts/profile.ts';
import { notFound } from '../../platform/http/problem.ts';
import type { Platform } from '../../platform/http/context.ts';
import { readFigures } from '../ledger/figures.ts';
import { findPersonalInfoReviewState } from '../reviews/personal-info/kind.ts';
import { findQualityCheckReviewState } from '../reviews/quality-check/review-state.ts';
import { findAddressChanges } from '../accounts/address-change-queries.ts';
import type { ProfileOptions } from './options.ts';
import { findProfileRow } from './queries.ts';

/**
 * A profile with everything its owner may see (spec §3), with the figures of a month if one is given. Throws `Problem`
 * 404 when it has just been deleted.
 */
export async function getOwnProfile(
  {
    database: { db },
    fileUrls,
    clock,
    rewardPendingDays,
  }: Pick<Platform, 'database' | 'fileUrls' | 'clock'> & Pick<ProfileOptions, 'rewardPendingDays'>,
  userId: string,
  month?: Month,
): Promise<v.InferOutput<typeof ProfileSchema>> {
  const now = clock.now();
  const row = await findProfileRow(db, userId);
  if (row === undefined) throw notFound();
  const [figures, waiting, personalInfo, qualityCheck] = await Promise.all([
    readFigures(db, userId, now, month, rewardPendingDays),
    findAddressChanges(db, userId, now),
    findPersonalInfoReviewState(db, userId),
    findQualityCheckReviewState(db, userId),
  ]);
  const {
    picture_key,
    background_key,
    created_at,
    suspension_reason,
    payout_held_until,
    is_staff,
    has_sounds,
    ...fields
  } = row;
  const joined = toMonth(created_at);
  return {
    ...fields,
    profile_picture: fileUrls.picture(picture_key, 'avatar'),
    profile_background: fileUrls.picture(background_key, 'background'),
    is_personal_info_verified: row.is_personal_info_verified === 1,
    is_verified: row.is_verified === 1,
    is_blocked: row.is_blocked === 1,
    ...(suspension_reason !== null && { suspension_reason }),
    // For everyone else the console does not exist.
    ...(is_staff === 1 && row.is_blocked === 0 && { is_staff: true }),
    ...figures,
    // Accounts of the demo have earnings from before their creation.
    first_month:
      figures.first_month !== undefined && figures.first_month < joined ? figures.first_month : joined,
    pending_email: waiting.account,
    pending_message_email: waiting.message,
    payout_held_until: payout_held_until > now ? new Date(payout_held_until).toISOString() : undefined,
    personal_info_submitted_at: personalInfo && new Date(personalInfo.submittedAt).toISOString(),
    personal_info_reason: personalInfo?.reason,
    quality_check: qualityCheck,
    ...(row.is_verified === 0 && Boolean(has_sounds) && { has_sounds: true }),
  };
}
