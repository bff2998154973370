import {
  IDENTITY_CHECKS_MAX,
  getIdentityCheck,
  listIdentityChecks,
  reviewIdentity,
  viewIdentityPhotograph,
} from '../../../contract/operator-personal-info.ts';
import { REVIEWED_FIELDS } from '../../../contract/profile-fields.ts';
import type { ReviewedIdentity } from '../../../contract/operator-personal-info.ts';
import { Problem, byMember, declare, requireMember, serve } from '../../platform/http/http.ts';
import type { Api, Platform } from '../../platform/http/http.ts';
import { MissingObjectError } from '../../platform/storage/storage.ts';
import {
  confirmView,
  decidePersonalInfo,
  getPersonalInfo,
  handOverPersonalInfo,
  listPendingPersonalInfo,
} from '../reviews/reviews.ts';
import { nameFirst } from './first-decision.ts';
import { CONSOLE_DECISIONS, CONSOLE_READS } from './limits.ts';

const recently = 'staff with recent log-in';

/** Each of these shows or changes who a member is. */
export const PERSONAL_INFO_ACCESS = [
  declare(listIdentityChecks, recently, 'staff', byMember(CONSOLE_READS)),
  declare(getIdentityCheck, recently, 'staff', byMember(CONSOLE_READS)),
  declare(viewIdentityPhotograph, recently, 'staff', byMember(CONSOLE_DECISIONS)),
  declare(reviewIdentity, recently, 'staff', byMember(CONSOLE_DECISIONS)),
];

/** The check of IDs, with the services of `npm run operator -- personal-info`. No reply contains an open photograph. */
export function servePersonalInfo(api: Api): void {
  const deps = api.platform;

  serve(api, listIdentityChecks, async () => {
    const waiting = await listPendingPersonalInfo(deps.database.db, IDENTITY_CHECKS_MAX);
    return {
      results: waiting.map(({ id, username, submittedAt }) => ({ id, username, submitted_at: submittedAt })),
    };
  });

  serve(api, getIdentityCheck, ({ params: { id } }) => openIdentity(deps, id));

  serve(api, viewIdentityPhotograph, async ({ params: { id }, caller }) => {
    const photograph = await handOverPersonalInfo(deps, id, requireMember({ caller }).id).catch(orMissing);
    return {
      sealed: photograph.sealed.toString('base64'),
      sealed_key: photograph.sealedKey?.toString('base64') ?? null,
      context: photograph.context,
      viewed_at: photograph.viewedAt,
    };
  });

  serve(api, reviewIdentity, async ({ params: { id }, body, caller }) => {
    const { id: staffId } = requireMember({ caller });
    const isApproval = body.action === 'approve';
    if (isApproval) {
      const view = { viewedAt: body.viewed_at, detailsHash: body.details_hash };
      await confirmView(deps, id, staffId, view);
    }
    await nameFirst(
      () =>
        isApproval
          ? decidePersonalInfo(deps, id, staffId, 'confirmed')
          : decidePersonalInfo(deps, id, staffId, 'rejected', body.reason),
      async () => toOutcome(await getPersonalInfo(deps.database.db, id)),
      { approved: '承認', rejected: '却下' },
    );
    return { state: isApproval ? 'approved' : 'rejected' };
  });
}

type Found = Awaited<ReturnType<typeof getPersonalInfo>>;

/** The state in the words of the console. */
function toOutcome({ state, decided_by_name }: Pick<Found, 'state' | 'decided_by_name'>) {
  const outcome = state === 'confirmed' ? 'approved' : state === 'rejected' ? 'rejected' : 'pending';
  return { state: outcome, decided_by_name } as const;
}

async function openIdentity({ database }: Pick<Platform, 'database'>, id: string): Promise<ReviewedIdentity> {
  const found = await getPersonalInfo(database.db, id);
  const { state } = toOutcome(found);
  const { details } = found;
  const shown = Object.fromEntries(REVIEWED_FIELDS.map((field) => [field, details[field]]));
  const canApprove = found.missing.length === 0;
  return {
    id,
    username: found.username,
    state,
    submitted_at: found.submitted_at,
    decided_at: found.decided_at,
    decided_by: found.decided_by_name,
    details: shown as ReviewedIdentity['details'],
    details_hash: found.detailsHash,
    missing: found.missing,
    history: found.history,
    allowed: state !== 'pending' ? [] : canApprove ? ['approve', 'reject'] : ['reject'],
  };
}

/** The file was lost, or someone decided a moment ago. */
function orMissing(error: unknown): never {
  if (!(error instanceof MissingObjectError)) throw error;
  throw new Problem(409, '写真のファイルがありません。却下して、再提出を依頼してください。');
}
