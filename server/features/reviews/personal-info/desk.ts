import * as calls from '../../../../contract/operator/personal-info.ts';
import { REVIEWED_FIELDS } from '../../../../contract/accounts/profile-fields.ts';
import type { ReviewedPersonalInfo } from '../../../../contract/operator/personal-info.ts';
import { Problem } from '../../../platform/http/problem.ts';
import { route } from '../../../platform/http/route.ts';
import type { Platform } from '../../../platform/http/context.ts';
import type { Route } from '../../../platform/http/route.ts';
import { MissingObjectError } from '../../../platform/storage/port.ts';
import {
  confirmView,
  decidePersonalInfo,
  getPersonalInfo,
  handOverPersonalInfo,
  listPendingPersonalInfo,
} from './review.ts';
import { decideOrNameActor } from '../../staff/actions.ts';
import type { EarlierActions } from '../../staff/actions.ts';
import { DECIDING_RECENTLY, READING_RECENTLY } from '../../staff/rules.ts';

/** The actions on record that can have come before a decision. */
const EARLIER: EarlierActions = {
  'approve personal info': '承認にしています',
  'reject personal info': '却下にしています',
};

/** The check of IDs. Each call shows or changes who a member is; no reply contains an open photograph. */
export const PERSONAL_INFO_ROUTES: readonly Route[] = [
  route(calls.listPersonalInfo, READING_RECENTLY, async (_, { database }) => {
    const waiting = await listPendingPersonalInfo(database.db, calls.WAITING_PERSONAL_INFO_MAX);
    return {
      results: waiting.map(({ id, username, submittedAt }) => ({ id, username, submitted_at: submittedAt })),
    };
  }),

  route(calls.getPersonalInfo, READING_RECENTLY, ({ params: { id } }, platform) =>
    readPersonalInfo(platform, id),
  ),

  // Recorded, and counted as a decision.
  route(calls.viewPersonalInfoPhotograph, DECIDING_RECENTLY, async ({ params: { id }, caller }, platform) => {
    const photograph = await handOverPersonalInfo(platform, id, caller.id).catch(refuseMissingPhotograph);
    return {
      sealed: photograph.sealed.toString('base64'),
      sealed_key: photograph.sealedKey?.toString('base64') ?? null,
      context: photograph.context,
      viewed_at: photograph.viewedAt,
    };
  }),

  route(calls.reviewPersonalInfo, DECIDING_RECENTLY, async ({ params: { id }, body, caller }, platform) => {
    const isApproval = body.action === 'approve';
    if (isApproval) {
      const view = { viewedAt: body.viewed_at, detailsHash: body.details_hash };
      await confirmView(platform, id, caller.id, view);
    }
    await decideOrNameActor(platform.database.db, id, EARLIER, () =>
      isApproval
        ? decidePersonalInfo(platform, id, caller.id, 'approved')
        : decidePersonalInfo(platform, id, caller.id, 'rejected', body.reason),
    );
    return { state: isApproval ? 'approved' : 'rejected' };
  }),
];

async function readPersonalInfo(
  { database }: Pick<Platform, 'database'>,
  id: string,
): Promise<ReviewedPersonalInfo> {
  const found = await getPersonalInfo(database.db, id);
  const state = found.state === 'incoming' ? 'pending' : found.state;
  const { details } = found;
  const reviewed = Object.fromEntries(REVIEWED_FIELDS.map((field) => [field, details[field]]));
  const canApprove = found.missing.length === 0;
  return {
    id,
    username: found.username,
    state,
    submitted_at: found.submitted_at,
    decided_at: found.decided_at,
    decided_by: found.decided_by_name,
    details: reviewed as ReviewedPersonalInfo['details'],
    details_hash: found.detailsHash,
    missing: found.missing,
    history: found.history,
    allowed: state !== 'pending' ? [] : canApprove ? ['approve', 'reject'] : ['reject'],
  };
}

/** Answers 409 when the file was lost, or someone decided a moment ago. */
function refuseMissingPhotograph(error: unknown): never {
  if (!(error instanceof MissingObjectError)) throw error;
  throw new Problem(409, '写真のファイルがありません。却下して、再提出を依頼してください。');
}
