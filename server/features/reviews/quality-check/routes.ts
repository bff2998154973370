import { applyForQualityCheck as endpoint } from '../../../../contract/quality-check.ts';
import { serveForm } from '../../../platform/http/http.ts';
import type { Api } from '../../../platform/http/http.ts';
import type { RateLimit } from '../../../platform/limits/limits.ts';
import { requireSubmitter } from '../life-cycle.ts';
import type { ReviewsOptions } from '../options.ts';
import { analyseFiles } from './analysis.ts';
import { applyForQualityCheck } from './application.ts';
import { QUALITY_CHECK } from './kind.ts';

/** Per member: allows for rejected files and lost connections. */
export const APPLICATIONS: RateLimit = { name: 'quality-check', points: 10, perSec: 3_600 };

export function serveQualityCheck(api: Api, options: ReviewsOptions): void {
  const deps = { ...api.platform, ...options };
  const rules = { admit: ({ id }: { readonly id: string }) => requireSubmitter(deps, QUALITY_CHECK, id) };

  serveForm(api, endpoint, rules, async ({ caller, form }) => {
    const applicationId = await applyForQualityCheck(deps, caller.id, form);
    deps.backgroundJobs.start((ending) => analyseFiles(deps, applicationId, ending));
    return { detail: 'クオリティチェックの申請を受け付けました。', status: 'pending' };
  });
}
