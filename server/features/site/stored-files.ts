import { ownerOf } from '../stored-files/owners.ts';
import type { FileOwner } from '../stored-files/owners.ts';
import { toPicture } from '../stored-files/pictures.ts';

/** The pictures of the site. */
export const SITE_FILES: readonly FileOwner[] = [
  ownerOf('site_config', {
    id: 'id',
    first: 0,
    name: ['site configuration'],
    complete: 'all',
    columns: [
      toPicture('navbar_logo', 'logo'),
      toPicture('navbar_sp_logo', 'logo'),
      toPicture('footer_logo', 'logo'),
      toPicture('footer_banner', 'banner'),
    ],
  }),
];
