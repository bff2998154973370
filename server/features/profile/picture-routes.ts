import { updateProfileBackground, updateProfilePicture } from '../../../contract/profile.ts';
import { requireFile, serveForm } from '../../platform/http/http.ts';
import type { Api, FormCall } from '../../platform/http/http.ts';
import type { RateLimit } from '../../platform/limits/limits.ts';
import { orRefusePicture } from '../pictures/pictures.ts';
import { replacePicture } from './pictures.ts';
import type { MemberPictureKind } from './pictures.ts';

/** Per member, for both pictures together: enough to try things out, too few to keep a core busy. */
export const PICTURES: RateLimit = { name: 'profile-pictures', points: 20, perSec: 600 };

export function servePictures(api: Api): void {
  const { platform } = api;

  /** Returns the new picture's address. */
  async function replace(
    { caller, form }: Pick<FormCall<unknown>, 'caller' | 'form'>,
    name: string,
    kind: MemberPictureKind,
  ): Promise<string | null> {
    const file = requireFile(form, name);
    const key = await orRefusePicture(name, replacePicture(platform, caller.id, kind, file));
    return platform.fileUrls.picture(key, kind);
  }

  serveForm(api, updateProfilePicture, {}, async (call) => ({
    profile_picture: await replace(call, 'profile_picture', 'avatar'),
  }));

  serveForm(api, updateProfileBackground, {}, async (call) => ({
    profile_background: await replace(call, 'profile_background', 'background'),
  }));
}
