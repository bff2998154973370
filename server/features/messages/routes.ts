import { sendMessage as sendMessageCall } from '../../../contract/messages.ts';
import { serve } from '../../platform/http/http.ts';
import type { Api } from '../../platform/http/http.ts';
import { sendMessage } from './service.ts';

export function serveMessages(api: Api): void {
  const { platform } = api;

  serve(api, sendMessageCall, async ({ body, caller }) => {
    await sendMessage(platform, body, caller);
    return { detail: 'メッセージを送信しました。' };
  });
}
