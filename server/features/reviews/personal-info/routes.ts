import { verifyPersonalInfo } from '../../../../contract/profile.ts';
import { requireFile, serveForm } from '../../../platform/http/http.ts';
import type { Api, Caller } from '../../../platform/http/http.ts';
import type { RateLimit } from '../../../platform/limits/limits.ts';
import { describeDevice, requireRecentLogIn } from '../../accounts/accounts.ts';
import { orRefusePicture } from '../../pictures/pictures.ts';
import { requireSubmitter } from '../life-cycle.ts';
import type { ReviewsOptions } from '../options.ts';
import { PERSONAL_INFO } from './kind.ts';
import { submitPersonalInfo } from './submission.ts';

/** Per member: allows for a few blurred photographs. */
export const SUBMISSIONS: RateLimit = { name: 'personal-info', points: 10, perSec: 3_600 };
const IMAGE = 'personal_id_image';

export function servePersonalInfo(api: Api, options: ReviewsOptions): void {
  const deps = { ...api.platform, ...options };
  const rules = {
    admit: async (caller: Caller) => {
      await requireSubmitter(deps, PERSONAL_INFO, caller.id);
      requireRecentLogIn(caller, deps.clock.now());
    },
    areFilesSealed: true,
  };

  serveForm(api, verifyPersonalInfo, rules, async ({ caller, form, context }) => {
    const device = describeDevice(context.req.header('user-agent'));
    await orRefusePicture(IMAGE, submitPersonalInfo(deps, caller, requireFile(form, IMAGE), device));
    return { detail: '本人確認書類を受け付けました。', personal_info_status: 'pending' };
  });
}
