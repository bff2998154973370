export { SITE_FLAGS, SITE_PICTURES, changePage, removePage, setSiteFlag, setSitePicture } from './changes.ts';
export type { SitePicture } from './changes.ts';
export { findPageRow, selectPages } from './queries.ts';
export { getSiteSettings, isPageSlug, savePage, setSiteConfig } from './service.ts';
