import * as calls from '../../../contract/operator/operator.ts';
import { getStatistics } from '../../../contract/operator/statistics.ts';
import type { Signatures } from '../../media/signatures.ts';
import { route, withDeps } from '../../platform/http/route.ts';
import type { Module } from '../../platform/http/module.ts';
import type { Platform } from '../../platform/http/context.ts';
import type { Route } from '../../platform/http/route.ts';
import type { DoctorSettings } from '../doctor/check.ts';
import { refuseTransferRequest } from '../ledger/transfer-decisions.ts';
import { ACTION_ROUTES } from './actions.ts';
import { ANNOUNCEMENT_ROUTES } from '../site/announcements-desk.ts';
import { APPLICATION_ROUTES } from '../reviews/quality-check/desk.ts';
import { CREDIT_ROUTES } from '../downloads/desk.ts';
import { LABEL_ROUTES } from '../catalogue/genres/desk.ts';
import { MAIL_ROUTES } from '../mail/desk.ts';
import { MEMBER_ROUTES } from './members.ts';
import { NOTICE_ROUTES } from '../notices/desk.ts';
import type { NoticeOptions } from '../notices/desk.ts';
import { createOverviewReader } from './overview.ts';
import { PAGE_ROUTES } from './pages.ts';
import { listDecided, listWaitingPayouts, payAll } from '../ledger/desk.ts';
import { PERSONAL_INFO_ROUTES } from '../reviews/personal-info/desk.ts';
import { REPORT_ROUTES } from '../reports/desk.ts';
import { DECIDING_RECENTLY, READING, READING_RECENTLY } from '../staff/rules.ts';
import { SECURITY_ROUTES } from './security.ts';
import { SITE_ROUTES } from '../site/desk.ts';
import { createStatisticsReader } from './statistics.ts';
import { SOUND_ROUTES } from './sounds.ts';
import { USE_ROUTES } from '../uses/desk.ts';
import { ZENGIN_ROUTES } from '../ledger/zengin/file.ts';
import type { ZenginSettings } from '../ledger/zengin/settings.ts';

export interface ConsoleOptions {
  /** For the addresses of files under review. */
  readonly signatures: Signatures;
  readonly settings: DoctorSettings & { readonly zengin: ZenginSettings; readonly retainMailsDays: number };
  readonly operatorEmail: string;
  readonly rewardPendingDays: number;
  readonly adProviders: NoticeOptions['adProviders'];
}

/** The staff's console at /operator. The command line calls these routes in process. */
export function createConsoleModule(options: ConsoleOptions): Module {
  const toDeps = (platform: Platform) => {
    const deps = { ...platform, ...options, zengin: options.settings.zengin };
    return {
      ...deps,
      readOverview: createOverviewReader(deps),
      readStatistics: createStatisticsReader(platform, options.settings.retainMailsDays),
    };
  };
  return { name: 'console', routes: withDeps(toDeps, ROUTES) };
}

type ConsoleDeps = Platform &
  ConsoleOptions & {
    readonly zengin: ZenginSettings;
    readonly readOverview: ReturnType<typeof createOverviewReader>;
    readonly readStatistics: ReturnType<typeof createStatisticsReader>;
  };

const ROUTES: readonly Route<ConsoleDeps>[] = [
  route(calls.getOverview, READING, (_, { readOverview }) => readOverview()),
  route(getStatistics, READING, (_, { readStatistics }) => readStatistics()),

  ...ACTION_ROUTES,
  ...ANNOUNCEMENT_ROUTES,
  ...APPLICATION_ROUTES,

  route(calls.listPayouts, READING_RECENTLY, async (_, deps) => ({
    results: await listWaitingPayouts(deps),
  })),

  route(calls.listDecidedPayouts, READING_RECENTLY, ({ query }, deps) => listDecided(deps, query.page)),

  route(calls.payPayouts, DECIDING_RECENTLY, ({ body, caller }, deps) =>
    payAll(deps, caller.id, body.ids, body.total),
  ),

  route(calls.refusePayout, DECIDING_RECENTLY, async ({ params: { id }, body, caller }, deps) => {
    await refuseTransferRequest(deps, id, caller.id, body.reason);
    return { state: 'refused' as const };
  }),

  ...CREDIT_ROUTES,
  ...LABEL_ROUTES,
  ...MAIL_ROUTES,
  ...MEMBER_ROUTES,
  ...NOTICE_ROUTES,
  ...PAGE_ROUTES,
  ...PERSONAL_INFO_ROUTES,
  ...REPORT_ROUTES,
  ...SECURITY_ROUTES,
  ...SITE_ROUTES,
  ...SOUND_ROUTES,
  ...USE_ROUTES,
  ...ZENGIN_ROUTES,
];
