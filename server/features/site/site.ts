export { SITE_PICTURES, setSiteFlag, setSitePicture } from './changes.ts';
export { changePage, createPage, removePage, replacePage } from './page-changes.ts';
export { findPageRow, selectPages } from './queries.ts';
export { findPage, getSiteSettings, isPageSlug, savePage, setSiteConfig } from './service.ts';
