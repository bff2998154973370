import type { Context } from 'hono';
import {
  describeUndo as describeUndoCall,
  undoChange as undoChangeCall,
} from '../../../contract/accounts/accounts.ts';
import { joinMonth } from '../../../contract/values/months.ts';
import type { Month } from '../../../contract/values/months.ts';
import * as calls from '../../../contract/accounts/profile.ts';
import { Problem } from '../../platform/http/problem.ts';
import { byAddress, byMember, inService, silently } from '../../platform/http/access.ts';
import { formRoute, route, withDeps } from '../../platform/http/route.ts';
import { requireFile } from '../../platform/http/form.ts';
import type { ApiEnv, Caller, Platform } from '../../platform/http/context.ts';
import type { Form } from '../../platform/http/form.ts';
import type { Route } from '../../platform/http/route.ts';
import type { Rule } from '../../platform/http/access.ts';
import { CONFIRMATIONS, REGISTRATION_MAILS } from '../accounts/limits.ts';
import { describeDevice } from '../accounts/user-agents.ts';
import type { Feature } from '../feature.ts';
import { orRefusePicture } from '../pictures/problems.ts';
import { describeUndo, undoChange, undoKeepingPassword } from '../undo/undo.ts';
import type { Undoable } from '../undo/undoable.ts';
import { CHANGE_MAILS, changeProfile } from './changes.ts';
import { confirmEmailChange, confirmMessageAddress } from './email-change.ts';
import * as limits from './limits.ts';
import type { ProfileOptions } from './options.ts';
import { getOwnProfile } from './own-profile.ts';
import { replacePicture } from './pictures.ts';
import type { MemberPictureKind } from './pictures.ts';
import { PROFILE_UNDO } from './undo.ts';

/** What members see and change of their own profile. */
export const profileFeature: Feature<ProfileOptions> = {
  name: 'profile',
  openOptions: ({ settings: { donationHost, operatorEmail, rewardPendingDays } }) => ({
    donationHost,
    operatorEmail,
    rewardPendingDays,
  }),
  apiTexts: () => import('./api-texts.ts'),
  undo: [PROFILE_UNDO],
  createModule(options, { features }) {
    const undoables = features.flatMap(({ undo = [] }) => undo);
    return { routes: withDeps((platform) => ({ ...platform, ...options, undoables }), ROUTES) };
  },
};

type ProfileDeps = Platform & ProfileOptions & { readonly undoables: readonly Undoable[] };

const CONFIRMING: Rule<'member'> = { caller: 'member', owner: 'own', limits: [byAddress(CONFIRMATIONS)] };
const UNDOING: Rule<'anyone'> = { caller: 'anyone', owner: 'secret', limits: [byAddress(CONFIRMATIONS)] };
const PICTURES: Rule<'member not blocked'> = {
  caller: 'member not blocked',
  owner: 'own',
  limits: [byMember(limits.PICTURES)],
};

const ROUTES: readonly Route<ProfileDeps>[] = [
  route(
    calls.getProfile,
    { caller: 'member', owner: 'own', limits: [byMember(limits.PROFILE_READS)] },
    async ({ caller, query }, deps) => getOwnProfile(deps, caller.id, toAskedMonth(query)),
  ),

  route(
    calls.updateProfile,
    {
      caller: 'member',
      owner: 'own',
      limits: [
        byMember(limits.PROFILE_CHANGES),
        inService('member', limits.RENAMES),
        inService('member', limits.EMAIL_CHANGES),
        inService('member', limits.GUARDED_CHANGES),
        silently(REGISTRATION_MAILS),
      ],
      mails: CHANGE_MAILS,
    },
    async (call, deps) => {
      await changeProfile(deps, call.caller, call.body, { device: toDevice(call), address: call.address });
      return getOwnProfile(deps, call.caller.id);
    },
  ),

  route(calls.confirmEmail, CONFIRMING, async (call, deps) => {
    await confirmEmailChange(deps, call.caller.id, call.body.token, toDevice(call));
    return { detail: '新しいメールアドレスを確認しました。' };
  }),

  route(calls.confirmMessageEmail, CONFIRMING, async ({ caller, body }, deps) => {
    await confirmMessageAddress(deps, caller.id, body.token);
    return { detail: 'メッセージの宛先を確認しました。' };
  }),

  route(describeUndoCall, UNDOING, ({ body }, deps) => describeUndo(deps, body.token)),

  route(undoChangeCall, UNDOING, async ({ body }, deps) => {
    await (body.keeps_password ? undoKeepingPassword : undoChange)(deps, body.token);
    return { detail: '変更を取り消しました。' };
  }),

  formRoute(calls.updateProfilePicture, PICTURES, {}, async (call, deps) => ({
    profile_picture: await replace(deps, call, 'profile_picture', 'avatar'),
  })),

  formRoute(calls.updateProfileBackground, PICTURES, {}, async (call, deps) => ({
    profile_background: await replace(deps, call, 'profile_background', 'background'),
  })),
];

/** Returns the new picture's address. */
async function replace(
  deps: ProfileDeps,
  { caller, form }: { readonly caller: Caller; readonly form: Form },
  name: string,
  kind: MemberPictureKind,
): Promise<string | null> {
  const file = requireFile(form, name);
  const key = await orRefusePicture(name, replacePicture(deps, caller.id, kind, file));
  return deps.fileUrls.picture(key, kind);
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
