import {
  EXPORT_FILE_PATH,
  previewDeletion as previewDeletionCall,
  requestDeletion as requestDeletionCall,
  requestExport,
} from '../../../contract/own-data.ts';
import { NOT_STORED, requireMember, serve } from '../../platform/http/http.ts';
import type { Api } from '../../platform/http/http.ts';
import { describeDevice } from '../accounts/accounts.ts';
import { previewDeletion, requestDeletion } from './deletion.ts';
import { exportOwnData } from './export.ts';
import { makeExportToken, requireExportToken } from './export-link.ts';
import type { OwnDataOptions } from './options.ts';

export function serveOwnData({ app, platform }: Api, { rewardPendingDays }: OwnDataOptions): void {
  const api = { app, platform };

  serve(api, previewDeletionCall, (call) =>
    previewDeletion(platform, requireMember(call).id, rewardPendingDays),
  );

  serve(api, requestDeletionCall, async (call) => {
    const device = describeDevice(call.context.req.header('user-agent'));
    const atMs = await requestDeletion(platform, requireMember(call), call.body.forfeit, device);
    return { deleted_at: new Date(atMs).toISOString() };
  });

  serve(api, requestExport, async (call) => ({ token: makeExportToken(platform, requireMember(call)) }));

  app.get(EXPORT_FILE_PATH.replace(/\/$/, ''), async (context) => {
    const { id } = await requireExportToken(platform, context.req.query('token') ?? '');
    const date = new Date(platform.clock.now()).toISOString().slice(0, 10);
    return context.body(exportOwnData(platform, id), 200, {
      'Content-Type': 'application/zip',
      'Content-Disposition': `attachment; filename="my-data-${date}.zip"`,
      'Cache-Control': NOT_STORED,
    });
  });
}
