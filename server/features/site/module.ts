import { getPage, getSiteConfig, listPages } from '../../../contract/site.ts';
import { READS, declare } from '../../platform/http/http.ts';
import type { Module } from '../../platform/http/http.ts';
import { serveSite } from './routes.ts';
import type { SiteOptions } from './routes.ts';

/** The site's settings and its pages. */
export function createSiteModule(options: SiteOptions): Module {
  return {
    name: 'site',
    access: [
      declare(getSiteConfig, 'anyone', 'nothing', READS),
      declare(listPages, 'anyone', 'nothing', READS),
      declare(getPage, 'anyone', 'nothing', READS),
    ],
    serve: (api) => serveSite(api, options),
  };
}
