import { toDate, toDay } from '../../../contract/values/months.ts';
import * as calls from '../../../contract/accounts/own-data.ts';
import { NOT_STORED, accepted, byAddress, byMember } from '../../platform/http/access.ts';
import { mailing } from '../../platform/http/mail-budget.ts';
import { rawRoute, route, withDeps } from '../../platform/http/route.ts';
import type { Platform } from '../../platform/http/context.ts';
import type { Route } from '../../platform/http/route.ts';
import { describeDevice } from '../accounts/user-agents.ts';
import type { EveryFeature, Feature } from '../feature.ts';
import { OWN_DATA_CHECKS } from './checks.ts';
import { previewDeletion, requestDeletion } from './deletion.ts';
import { eraseDueAccounts } from './erasure.ts';
import { makeExportToken, requireExportToken } from './export-link.ts';
import { exportOwnData } from './export.ts';
import { DELETIONS, EXPORTS, EXPORT_CALLS, EXPORT_REQUESTS, PREVIEWS } from './limits.ts';
import { DELETION_UNDO } from './undo.ts';

/** What exports and deletions need in addition to the platform. */
interface OwnDataOptions {
  /** How long earnings are held before they can be paid out. */
  readonly rewardPendingDays: number;
}

/** What members do with all of their data: export it, and delete the account. */
export const ownDataFeature: Feature<OwnDataOptions> = {
  name: 'own data',
  checks: OWN_DATA_CHECKS,
  openOptions: ({ settings: { rewardPendingDays } }) => ({ rewardPendingDays }),
  apiTexts: () => import('./api-texts.ts'),
  undo: [DELETION_UNDO],
  createModule: (options, { features }) => ({
    routes: withDeps((platform) => ({ ...platform, ...options, features }), ROUTES),
    scheduledJobs: (platform) => [
      {
        name: 'deleted accounts',
        // A thousand sounds with their files take a while; the next scheduled jobs do not wait for it.
        run: async () =>
          platform.backgroundJobs.start((ending) => eraseDueAccounts({ ...platform, features }, ending)),
      },
    ],
  }),
};

const ROUTES: readonly Route<Platform & OwnDataOptions & Pick<EveryFeature, 'features'>>[] = [
  route(
    calls.previewDeletion,
    { caller: 'member', owner: 'own', limits: [byMember(PREVIEWS)] },
    ({ caller }, deps) => previewDeletion(deps, caller.id, deps.rewardPendingDays),
  ),

  route(
    calls.requestDeletion,
    // That it was asked for, and that it was cancelled.
    { caller: 'member', owner: 'own', limits: [byMember(DELETIONS)], mails: mailing(2) },
    async ({ caller, body, context }, deps) => {
      const device = describeDevice(context.req.header('user-agent'));
      const atMs = await requestDeletion(deps, caller, body.forfeit, device);
      return { deleted_at: new Date(atMs).toISOString() };
    },
  ),

  route(
    calls.requestExport,
    { caller: 'member', owner: 'own', limits: [byMember(EXPORT_REQUESTS), accepted(byMember(EXPORTS))] },
    async ({ caller }, deps) => ({ token: makeExportToken(deps, caller) }),
  ),

  rawRoute(
    { method: 'GET', path: calls.EXPORT_FILE_PATH },
    { caller: 'anyone', owner: 'secret', limits: [byAddress(EXPORT_CALLS)] },
    async (context, deps) => {
      const { id } = await requireExportToken(deps, context.req.query('token') ?? '');
      // Not as a header of the body: once CORS has answered, an earlier value would win.
      context.header('Cache-Control', NOT_STORED);
      const date = toDate(toDay(deps.clock.now()));
      return context.body(exportOwnData(deps, id), 200, {
        'Content-Type': 'application/zip',
        'Content-Disposition': `attachment; filename="my-data-${date}.zip"`,
      });
    },
  ),
];
