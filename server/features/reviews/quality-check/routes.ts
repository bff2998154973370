import { applyForQualityCheck as endpoint } from '../../../../contract/quality-check.ts';
import { serveForm } from '../../../platform/http/http.ts';
import type { Api } from '../../../platform/http/http.ts';
import type { ReviewsOptions } from '../options.ts';
import { applyForQualityCheck, requireApplicant } from './application.ts';

export function serveQualityCheck(api: Api, options: ReviewsOptions): void {
  const deps = { ...api.platform, ...options };
  const rules = { admit: ({ id }: { readonly id: string }) => requireApplicant(deps, id) };

  serveForm(api, endpoint, rules, async ({ caller, form }) => {
    await applyForQualityCheck(deps, caller.id, form);
    return { detail: 'クオリティチェックの申請を受け付けました。', status: 'pending' };
  });
}
