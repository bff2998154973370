import type { ReviewAction, ReviewedApplication } from '../../../contract/operator.ts';
import type { Signatures } from '../../media/signatures.ts';
import type { Platform } from '../../platform/http/http.ts';
import {
  analyseFiles,
  approveQualityCheck,
  getQualityCheck,
  parkQualityCheck,
  rejectQualityCheck,
  toAnalysis,
  toFilePath,
} from '../reviews/reviews.ts';
import { nameFirst } from './first-decision.ts';

type ApplicationDeps = Platform & { readonly signatures: Signatures };

/**
 * An application with everything that a decision needs. Files that are not decoded yet are decoded from now on. Throws
 * `Problem` 404.
 */
export async function openApplication(deps: ApplicationDeps, id: string): Promise<ReviewedApplication> {
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

/**
 * Carries out an action of the review desk, with the services of the command line. Throws `Problem` 400 for a rejection
 * without a reason, 404, and 409 that names who decided first.
 */
export async function review(
  deps: ApplicationDeps,
  id: string,
  staffId: string,
  { action, reason }: { readonly action: ReviewAction; readonly reason: string },
): Promise<ReviewedApplication['state']> {
  await nameFirst(
    async () => {
      if (action === 'approve') await approveQualityCheck(deps, id, staffId);
      else if (action === 'reject') await rejectQualityCheck(deps, id, staffId, reason);
      else await parkQualityCheck(deps, id, staffId, action === 'park');
    },
    () => getQualityCheck(deps.database.db, id),
    { approved: '合格', rejected: '不合格' },
  );
  return action === 'approve' ? 'approved' : action === 'reject' ? 'rejected' : 'pending';
}
