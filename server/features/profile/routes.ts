import { joinMonth } from '../../../contract/months.ts';
import type { Month } from '../../../contract/months.ts';
import { confirmEmail, getProfile, updateProfile } from '../../../contract/profile.ts';
import type { Api } from '../../http/context.ts';
import { Problem } from '../../http/problem.ts';
import { requireMember, serve } from '../../http/serve.ts';
import { changeProfile } from './changes.ts';
import { confirmEmailChange } from './email-change.ts';
import { getOwnProfile } from './own-profile.ts';

export function serveProfile(api: Api): void {
  const { deps } = api;

  serve(api, getProfile, async (call) => {
    const { id } = requireMember(call);
    return getOwnProfile(deps, id, toAskedMonth(call.query));
  });

  serve(api, updateProfile, async (call) => {
    const { id } = requireMember(call);
    await changeProfile(deps, id, call.body);
    return getOwnProfile(deps, id);
  });

  serve(api, confirmEmail, async (call) => {
    const { id } = requireMember(call);
    await confirmEmailChange(deps, id, call.body.token);
    return { detail: '新しいメールアドレスを確認しました。' };
  });
}

/** One of the two alone names no month. */
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
