import * as calls from '../../../contract/own-data.ts';
import { NOT_STORED, accepted, byAddress, byMember, rawRoute, route } from '../../platform/http/http.ts';
import type { Platform, Route } from '../../platform/http/http.ts';
import { describeDevice } from '../accounts/accounts.ts';
import { previewDeletion, requestDeletion } from './deletion.ts';
import { exportOwnData } from './export.ts';
import { makeExportToken, requireExportToken } from './export-link.ts';
import { DELETIONS, EXPORTS, EXPORT_CALLS, EXPORT_REQUESTS, PREVIEWS } from './limits.ts';
import type { OwnDataOptions } from './options.ts';

export const OWN_DATA_ROUTES: readonly Route<Platform & OwnDataOptions>[] = [
  route(
    calls.previewDeletion,
    { caller: 'member', owner: 'own', limits: [byMember(PREVIEWS)] },
    ({ caller }, deps) => previewDeletion(deps, caller.id, deps.rewardPendingDays),
  ),

  route(
    calls.requestDeletion,
    { caller: 'member', owner: 'own', limits: [byMember(DELETIONS)] },
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
      const date = new Date(deps.clock.now()).toISOString().slice(0, 10);
      return context.body(exportOwnData(deps, id), 200, {
        'Content-Type': 'application/zip',
        'Content-Disposition': `attachment; filename="my-data-${date}.zip"`,
      });
    },
  ),
];
