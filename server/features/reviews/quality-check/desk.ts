import {
  getApplication,
  listApplications,
  reviewApplication,
} from '../../../../contract/operator/operator.ts';
import type { ReviewAction, ReviewedApplication } from '../../../../contract/operator/operator.ts';
import type { Signatures } from '../../../media/signatures.ts';
import { route } from '../../../platform/http/route.ts';
import type { Platform } from '../../../platform/http/context.ts';
import type { Route } from '../../../platform/http/route.ts';
import { analyseFiles, toAnalysis } from './analysis.ts';
import {
  approveQualityCheck,
  getQualityCheck,
  listPendingQualityChecks,
  parkQualityCheck,
  rejectQualityCheck,
} from './review.ts';
import { toFilePath } from './media.ts';
import { decideOrNameActor } from '../../staff/actions.ts';
import type { EarlierActions } from '../../staff/actions.ts';
import { DECIDING_RECENTLY, READING } from '../../staff/rules.ts';

type ApplicationDeps = Platform & { readonly signatures: Signatures };

/** The review desk of the quality check. */
export const APPLICATION_ROUTES: readonly Route<ApplicationDeps>[] = [
  route(listApplications, READING, async (_, { database }) => {
    const waiting = await listPendingQualityChecks(database.db);
    return {
      results: waiting.map(({ id, username, submittedAt, files, isParked }) => ({
        id,
        username,
        submitted_at: submittedAt,
        files,
        is_parked: isParked,
      })),
    };
  }),

  route(getApplication, READING, ({ params: { id } }, deps) => openApplication(deps, id)),

  route(reviewApplication, DECIDING_RECENTLY, async ({ params: { id }, body, caller }, deps) => ({
    state: await review(deps, id, caller.id, body),
  })),
];

/**
 * An application with everything that a decision needs. Files that are not decoded yet are decoded from now on. Throws
 * `Problem` 404.
 */
async function openApplication(deps: ApplicationDeps, id: string): Promise<ReviewedApplication> {
  const found = await getQualityCheck(deps.database.db, id);
  const isPending = found.state === 'pending';
  if (isPending && found.files.some(({ analysis }) => analysis === null)) {
    deps.backgroundJobs.start((ending) => analyseFiles(deps, id, ending));
  }
  return {
    id: found.id,
    username: found.username,
    email: found.email,
    types: found.types,
    state: found.state as ReviewedApplication['state'],
    submitted_at: found.submitted_at,
    decided_at: found.decided_at,
    decided_by: found.decided_by_name,
    reason: found.reason,
    is_parked: found.parked_at !== null,
    files: found.files.map((file) => ({
      slot: file.slot,
      filename: file.filename,
      mime: file.mime,
      size_bytes: Number(file.size_bytes),
      duration_ms: file.duration_ms,
      bit_rate_kbps: file.bit_rate,
      sample_rate_hz: file.sample_rate,
      url: isPending ? toFilePath(deps.signatures, id, file.slot) : null,
      analysis: toAnalysis(file.analysis),
      also_from: file.alsoFrom,
    })),
    history: found.history,
    allowed: isPending ? ['approve', 'reject', found.parked_at === null ? 'park' : 'unpark'] : [],
  };
}

/** The actions on record that can have come before a decision. */
const EARLIER: EarlierActions = {
  'approve quality check': '合格にしています',
  'reject quality check': '不合格にしています',
};

/**
 * Carries out an action of the review desk. Throws `Problem` 400 for a rejection without a reason, 404, and 409 that
 * names who decided first.
 */
async function review(
  deps: ApplicationDeps,
  id: string,
  staffId: string,
  { action, reason }: { readonly action: ReviewAction; readonly reason: string },
): Promise<ReviewedApplication['state']> {
  await decideOrNameActor(deps.database.db, id, EARLIER, async () => {
    if (action === 'approve') await approveQualityCheck(deps, id, staffId);
    else if (action === 'reject') await rejectQualityCheck(deps, id, staffId, reason);
    else await parkQualityCheck(deps, id, staffId, action === 'park');
  });
  return action === 'approve' ? 'approved' : action === 'reject' ? 'rejected' : 'pending';
}
