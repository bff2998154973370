import {
  SITE_PICTURES as PICTURES,
  getOperatorSite,
  removeSitePicture,
  setSiteFlag as setSiteFlagCall,
  setSitePicture as setSitePictureCall,
} from '../../../contract/operator/site.ts';
import type { SitePicture } from '../../../contract/operator/site.ts';
import { formRoute, route } from '../../platform/http/route.ts';
import { notFound } from '../../platform/http/problem.ts';
import { requireFile } from '../../platform/http/form.ts';
import type { Platform } from '../../platform/http/context.ts';
import type { Route } from '../../platform/http/route.ts';
import { orRefusePicture } from '../pictures/problems.ts';
import { SITE_PICTURES, setSiteFlag, setSitePicture } from './changes.ts';
import { getSiteSettings } from './service.ts';
import { CHANGING_SITE, READING } from '../staff/rules.ts';

/** Logos, banner and switches of the whole site. */
export const SITE_ROUTES: readonly Route[] = [
  route(getOperatorSite, READING, (_, platform) => readSite(platform)),

  route(setSiteFlagCall, CHANGING_SITE, async ({ body: { flag, is_on }, caller }, platform) => {
    await setSiteFlag(platform, caller.id, flag, is_on);
    return { is_on };
  }),

  formRoute(
    setSitePictureCall,
    CHANGING_SITE,
    { admit: async (_platform, _caller, _request, { picture = '' }) => void requirePicture(picture) },
    async ({ caller, params, form }, platform) => {
      const name = requirePicture(params.picture);
      const file = requireFile(form, 'picture');
      await orRefusePicture('picture', setSitePicture(platform, caller.id, name, file));
      return { url: (await readSite(platform))[name] };
    },
  ),

  route(removeSitePicture, CHANGING_SITE, async ({ params, caller }, platform) => {
    await setSitePicture(platform, caller.id, requirePicture(params.picture), null);
    return { url: null };
  }),
];

async function readSite({ database, fileUrls }: Platform) {
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

/** Throws `Problem` 404. */
function requirePicture(name: string): SitePicture {
  const found = PICTURES.find((picture) => picture === name);
  if (found === undefined) throw notFound();
  return found;
}
