import {
  getApplication,
  getOverview,
  listActions,
  listApplications,
  listPayouts,
  payPayouts,
  refusePayout,
  reviewApplication,
} from '../../../contract/operator.ts';
import type { Signatures } from '../../media/signatures.ts';
import { byMember, declare, requireMember, serve } from '../../platform/http/http.ts';
import type { Api, Module } from '../../platform/http/http.ts';
import type { DoctorSettings } from '../doctor/doctor.ts';
import { refuseTransferRequest } from '../ledger/ledger.ts';
import { listPendingQualityChecks } from '../reviews/reviews.ts';
import { searchActions } from './actions.ts';
import { openApplication, review } from './applications.ts';
import { CREDITS_ACCESS, serveCredits } from './credits.ts';
import { GENRES_ACCESS, serveLabels } from './genres.ts';
import { CONSOLE_DECISIONS, CONSOLE_READS } from './limits.ts';
import { MEMBERS_ACCESS, serveMembers } from './members.ts';
import { NOTICES_ACCESS, serveNotices } from './notices.ts';
import type { NoticeOptions } from './notices.ts';
import { createOverviewReader } from './overview.ts';
import { PAGES_ACCESS, servePages } from './pages.ts';
import { listWaitingPayouts, payAll } from './payouts.ts';
import { PERSONAL_INFO_ACCESS, servePersonalInfo } from './personal-info.ts';
import { REPORTS_ACCESS, serveReports } from './reports.ts';
import { SECURITY_ACCESS, serveSecurity } from './security.ts';
import { SITE_ACCESS, serveSite } from './site.ts';
import { ZENGIN_ACCESS, serveZengin } from './zengin/file.ts';
import type { ZenginSettings } from './zengin/settings.ts';

export interface ConsoleOptions {
  /** For the addresses of files under review. */
  readonly signatures: Signatures;
  readonly settings: DoctorSettings & { readonly zengin: ZenginSettings };
  readonly operatorEmail: string;
  readonly rewardPendingDays: number;
  readonly adProviders: NoticeOptions['adProviders'];
}

/** The staff's console at /operator. It decides with the same services as the command line. */
export function createConsoleModule(options: ConsoleOptions): Module {
  const reads = byMember(CONSOLE_READS);
  const decisions = byMember(CONSOLE_DECISIONS);
  const recently = 'staff with recent log-in';
  return {
    name: 'console',
    access: [
      declare(getOverview, 'staff', 'staff', reads),
      declare(listActions, 'staff', 'staff', reads),
      declare(listApplications, 'staff', 'staff', reads),
      declare(getApplication, 'staff', 'staff', reads),
      declare(reviewApplication, 'staff', 'staff', decisions),
      declare(listPayouts, recently, 'staff', reads),
      declare(payPayouts, recently, 'staff', decisions),
      declare(refusePayout, recently, 'staff', decisions),
      ...CREDITS_ACCESS,
      ...GENRES_ACCESS,
      ...MEMBERS_ACCESS,
      ...NOTICES_ACCESS,
      ...PAGES_ACCESS,
      ...PERSONAL_INFO_ACCESS,
      ...REPORTS_ACCESS,
      ...SECURITY_ACCESS,
      ...SITE_ACCESS,
      ...ZENGIN_ACCESS,
    ],
    serve: (api) => serveConsole(api, options),
  };
}

function serveConsole(api: Api, options: ConsoleOptions): void {
  const deps = { ...api.platform, ...options };
  const readOverview = createOverviewReader(deps);
  serveCredits(api, deps);
  serveLabels(api);
  serveMembers(api, deps);
  serveNotices(api, options);
  servePages(api);
  servePersonalInfo(api);
  serveReports(api, deps);
  serveSecurity(api);
  serveSite(api);
  serveZengin(api, { ...deps, zengin: options.settings.zengin });

  serve(api, getOverview, () => readOverview());

  serve(api, listActions, ({ query: { search = '', page = 1 } }) =>
    searchActions(deps.database.db, { search, page }),
  );

  serve(api, listApplications, async () => {
    const waiting = await listPendingQualityChecks(deps.database.db);
    return {
      results: waiting.map(({ id, username, submittedAt, files, isParked }) => ({
        id,
        username,
        submitted_at: submittedAt,
        files,
        is_parked: isParked,
      })),
    };
  });

  serve(api, getApplication, ({ params: { id } }) => openApplication(deps, id));

  serve(api, reviewApplication, async ({ params: { id }, body, caller }) => ({
    state: await review(deps, id, requireMember({ caller }).id, body),
  }));

  serve(api, listPayouts, async () => ({ results: await listWaitingPayouts(deps) }));

  serve(api, payPayouts, ({ body, caller }) =>
    payAll(deps, requireMember({ caller }).id, body.ids, body.total),
  );

  serve(api, refusePayout, async ({ params: { id }, body, caller }) => {
    await refuseTransferRequest(deps, id, requireMember({ caller }).id, body.reason);
    return { state: 'refused' as const };
  });
}
