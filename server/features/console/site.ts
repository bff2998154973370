import {
  SITE_PICTURES as PICTURES,
  getOperatorSite,
  removeSitePicture,
  setSiteFlag as setSiteFlagCall,
  setSitePicture as setSitePictureCall,
} from '../../../contract/operator-site.ts';
import type { SitePicture } from '../../../contract/operator-site.ts';
import { pictureSemaphore } from '../../media/pictures.ts';
import {
  byMember,
  declare,
  notFound,
  requireFile,
  requireMember,
  serve,
  serveForm,
} from '../../platform/http/http.ts';
import type { Access, Api } from '../../platform/http/http.ts';
import { orRefusePicture } from '../pictures/pictures.ts';
import { SITE_PICTURES, getSiteSettings, setSiteFlag, setSitePicture } from '../site/site.ts';
import { CONSOLE_DECISIONS, CONSOLE_READS } from './limits.ts';

const recently = 'staff with recent log-in';
export const SITE_ACCESS: readonly Access[] = [
  declare(getOperatorSite, 'staff', 'staff', byMember(CONSOLE_READS)),
  declare(setSiteFlagCall, recently, 'site', byMember(CONSOLE_DECISIONS)),
  declare(setSitePictureCall, recently, 'site', byMember(CONSOLE_DECISIONS)),
  declare(removeSitePicture, recently, 'site', byMember(CONSOLE_DECISIONS)),
];

/** Logos, banner and switches of the whole site. */
export function serveSite(api: Api): void {
  const { platform } = api;
  const { database, fileUrls } = platform;

  async function readSite() {
    const settings = await getSiteSettings(database);
    const toUrl = (name: SitePicture) => fileUrls.picture(settings[name], SITE_PICTURES[name]);
    return {
      maintenance_mode: settings.maintenance_mode,
      allow_register: settings.allow_register,
      navbar_logo: toUrl('navbar_logo'),
      navbar_sp_logo: toUrl('navbar_sp_logo'),
      footer_logo: toUrl('footer_logo'),
      footer_banner: toUrl('footer_banner'),
    };
  }

  serve(api, getOperatorSite, readSite);

  serve(api, setSiteFlagCall, async ({ body: { flag, is_on }, caller }) => {
    await setSiteFlag(platform, requireMember({ caller }).id, flag, is_on);
    return { is_on };
  });

  const admit = (_caller: unknown, _request: Request, { picture = '' }: Readonly<Record<string, string>>) =>
    Promise.resolve(void requirePicture(picture));
  serveForm(api, setSitePictureCall, { admit }, async ({ caller, params, form }) => {
    const name = requirePicture(params.picture);
    const file = requireFile(form, 'picture');
    const replace = async () => setSitePicture(platform, caller.id, name, await file.read());
    await orRefusePicture('picture', pictureSemaphore.run(replace));
    return { url: (await readSite())[name] };
  });

  serve(api, removeSitePicture, async ({ params, caller }) => {
    await setSitePicture(platform, requireMember({ caller }).id, requirePicture(params.picture), null);
    return { url: null };
  });
}

/** Throws `Problem` 404. */
function requirePicture(name: string): SitePicture {
  const found = PICTURES.find((picture) => picture === name);
  if (found === undefined) throw notFound();
  return found;
}
