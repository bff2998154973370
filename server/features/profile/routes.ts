import type { Context } from 'hono';
import { joinMonth } from '../../../contract/months.ts';
import type { Month } from '../../../contract/months.ts';
import {
  describeUndo as describeUndoCall,
  undoChange as undoChangeCall,
} from '../../../contract/accounts.ts';
import { confirmEmail, confirmMessageEmail, getProfile, updateProfile } from '../../../contract/profile.ts';
import { Problem, requireMember, serve } from '../../platform/http/http.ts';
import type { Api, ApiEnv } from '../../platform/http/http.ts';
import { describeDevice } from '../accounts/accounts.ts';
import { changeProfile } from './changes.ts';
import { confirmEmailChange, confirmMessageAddress } from './email-change.ts';
import type { ProfileOptions } from './options.ts';
import { getOwnProfile } from './own-profile.ts';
import { describeUndo, undoChange, undoKeepingPassword } from './undo.ts';

export function serveProfile(api: Api, options: ProfileOptions): void {
  const deps = { ...api.platform, ...options };

  serve(api, getProfile, async (call) => {
    const { id } = requireMember(call);
    return getOwnProfile(deps, id, toAskedMonth(call.query));
  });

  serve(api, updateProfile, async (call) => {
    const member = requireMember(call);
    await changeProfile(deps, member, call.body, toDevice(call));
    return getOwnProfile(deps, member.id);
  });

  serve(api, confirmEmail, async (call) => {
    const { id } = requireMember(call);
    await confirmEmailChange(deps, id, call.body.token, toDevice(call));
    return { detail: '新しいメールアドレスを確認しました。' };
  });

  serve(api, confirmMessageEmail, async (call) => {
    const { id } = requireMember(call);
    await confirmMessageAddress(deps, id, call.body.token);
    return { detail: 'メッセージの宛先を確認しました。' };
  });

  serve(api, describeUndoCall, async ({ body }) => {
    const { changes, changedAt, canKeepPassword, sounds } = await describeUndo(deps, body.token);
    const changed_at = new Date(changedAt).toISOString();
    return { changes, changed_at, can_keep_password: canKeepPassword, sounds };
  });

  serve(api, undoChangeCall, async ({ body }) => {
    await (body.keeps_password ? undoKeepingPassword : undoChange)(deps, body.token);
    return { detail: '変更を取り消しました。' };
  });
}

function toDevice({ context }: { readonly context: Context<ApiEnv> }): string {
  return describeDevice(context.req.header('user-agent'));
}

/** Either of the two alone does not define a month. */
function toAskedMonth({
  month,
  year,
}: {
  readonly month?: number | undefined;
  readonly year?: number | undefined;
}): Month | undefined {
  if (month === undefined && year === undefined) return undefined;
  if (year === undefined) throw new Problem(400, { year: '月を指定するときは、年も指定してください。' });
  if (month === undefined) throw new Problem(400, { month: '年を指定するときは、月も指定してください。' });
  return joinMonth(year, month);
}
