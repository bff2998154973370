import {
  previewDeletion as previewDeletionCall,
  requestDeletion as requestDeletionCall,
} from '../../../contract/own-data.ts';
import { requireMember, serve } from '../../platform/http/http.ts';
import type { Api } from '../../platform/http/http.ts';
import { describeDevice } from '../accounts/accounts.ts';
import { previewDeletion, requestDeletion } from './deletion.ts';
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
}
