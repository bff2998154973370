import { sendMessage as sendMessageCall } from '../../../contract/messages.ts';
import type { Api } from '../../http/context.ts';
import { serve } from '../../http/serve.ts';
import { sendMessage } from './service.ts';

export function serveMessages(api: Api): void {
  const { deps } = api;

  serve(api, sendMessageCall, async ({ body, caller, address }) => {
    await sendMessage(deps, body, { caller, address });
    return { detail: 'メッセージを送信しました。' };
  });
}
