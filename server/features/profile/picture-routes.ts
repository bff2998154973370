import { updateProfileBackground, updateProfilePicture } from '../../../contract/profile.ts';
import type { Api } from '../../platform/http/context.ts';
import { requireFile } from '../../platform/http/form.ts';
import { serveForm } from '../../platform/http/form-serve.ts';
import type { FormCall } from '../../platform/http/form-serve.ts';
import type { RateLimit } from '../../platform/limits/rate-limits.ts';
import { orRefusePicture } from '../pictures/pictures.ts';
import { replacePicture } from './pictures.ts';
import type { MemberPictureKind } from './pictures.ts';

/** Of one member, both pictures together: room to try things out, too little to keep a core busy. */
export const PICTURES: RateLimit = { name: 'profile-pictures', points: 20, perSec: 600 };

export function servePictures(api: Api): void {
  const { deps } = api;

  /** The new picture's address. */
  async function replace(
    { caller, form }: Pick<FormCall<unknown>, 'caller' | 'form'>,
    name: string,
    kind: MemberPictureKind,
  ): Promise<string | null> {
    const file = requireFile(form, name);
    const key = await orRefusePicture(name, replacePicture(deps, caller.id, kind, file));
    return deps.fileUrls.picture(key, kind);
  }

  serveForm(api, updateProfilePicture, {}, async (call) => ({
    profile_picture: await replace(call, 'profile_picture', 'avatar'),
  }));

  serveForm(api, updateProfileBackground, {}, async (call) => ({
    profile_background: await replace(call, 'profile_background', 'background'),
  }));
}
