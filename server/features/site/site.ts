export {
  addAnnouncement,
  changeAnnouncement,
  endAnnouncement,
  followAnnouncements,
  removeAnnouncement,
  selectAnnouncements,
} from './announcements.ts';
export { SITE_PICTURES, setSiteFlag, setSitePicture } from './changes.ts';
export { createPage, removePage, replacePage } from './page-changes.ts';
export { findPageRow, selectPages } from './queries.ts';
export { getSiteSettings, savePage, setSiteConfig } from './service.ts';
