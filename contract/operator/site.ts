import * as v from 'valibot';
import { defineEndpoint } from '../calls/endpoint.ts';
import { PICTURE_BYTES_MAX } from '../accounts/profile.ts';

/** The settings of the whole site, in the console. */

/** Boolean settings. */
export const SITE_FLAGS = ['maintenance_mode', 'allow_register'] as const;
export type SiteFlag = (typeof SITE_FLAGS)[number];

/** Settings that are pictures. */
export const SITE_PICTURES = ['navbar_logo', 'navbar_sp_logo', 'footer_logo', 'footer_banner'] as const;
export type SitePicture = (typeof SITE_PICTURES)[number];

const UrlSchema = v.nullable(v.string());
const SiteSchema = v.object({
  maintenance_mode: v.boolean(),
  allow_register: v.boolean(),
  /** Addresses; null for none. */
  navbar_logo: UrlSchema,
  navbar_sp_logo: UrlSchema,
  footer_logo: UrlSchema,
  footer_banner: UrlSchema,
});
export type OperatorSite = v.InferOutput<typeof SiteSchema>;

export const getOperatorSite = defineEndpoint({
  method: 'GET',
  path: '/api/operator/site/',
  reply: SiteSchema,
});

export const setSiteFlag = defineEndpoint({
  method: 'POST',
  path: '/api/operator/site/flag/',
  body: v.object({
    flag: v.picklist(SITE_FLAGS, 'この設定はありません。'),
    is_on: v.boolean('オンかオフを選んでください。'),
  }),
  reply: v.object({ is_on: v.boolean() }),
  refuses: [400],
});

/** Replaces a logo or the banner. */
export const setSitePicture = defineEndpoint({
  method: 'POST',
  path: '/api/operator/site/pictures/{picture}/',
  form: { files: ['picture'], fileBytesMax: PICTURE_BYTES_MAX },
  reply: v.object({ url: UrlSchema }),
  refuses: [400, 413],
});

export const removeSitePicture = defineEndpoint({
  method: 'POST',
  path: '/api/operator/site/pictures/{picture}/remove/',
  reply: v.object({ url: v.null() }),
});
