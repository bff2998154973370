import * as v from 'valibot';
import { defineEndpoint } from '../calls/endpoint.ts';
import { isSiteLink } from '../values/urls.ts';
import {
  AssumedFlagSchema,
  CountSchema,
  FileUrlSchema,
  FlagSchema,
  IdSchema,
  type Read,
  TextSchema,
  extra,
  listOf,
} from '../calls/wire.ts';

/** Who sees an announcement. */
export const AUDIENCES = ['everyone', 'members'] as const;
/** More are not shown at once: the newest are. */
export const ANNOUNCEMENTS_SHOWN_MAX = 3;

/** A short text of the operator under the navbar of every page (decision 157). */
export const AnnouncementSchema = v.object({
  id: v.string(),
  /** Changes with the text: one that was dismissed is shown again. */
  version: v.number(),
  text: v.string(),
  /** A path of the site or an https address. */
  link: v.nullable(
    v.pipe(v.string(), v.check(isSiteLink, 'このサイトのページのパスか、https:// で始まるURL')),
  ),
  audience: v.picklist(AUDIENCES),
});
export type Announcement = Read<typeof AnnouncementSchema>;

/** What the terms give for every sound. */
export const LicenceSchema = v.object({
  /** One line, which the terms contain as well. */
  line: v.pipe(TextSchema, v.nonEmpty()),
  /** Of `LICENCE_USES`. */
  uses: v.array(TextSchema),
});

/** The operator's settings for the whole site (spec §3). */
export const SiteConfigSchema = v.object({
  navbar_logo: FileUrlSchema,
  navbar_sp_logo: FileUrlSchema,
  footer_logo: FileUrlSchema,
  footer_banner: FileUrlSchema,
  maintenance_mode: FlagSchema,
  allow_register: AssumedFlagSchema,
  /** What the terms give for every sound; absent while the operator has not confirmed it for terms of their own. */
  licence: v.optional(LicenceSchema),
  /** Those of `LICENCE_USES` that artists may allow in addition. */
  licence_uses: extra(v.array(TextSchema)),
  /** Those of now, newest first. */
  announcements: extra(v.array(AnnouncementSchema)),
  /** The host can do more than spec §7: everything in `contract/` and `docs/openapi.json`. */
  is_extended: FlagSchema,
});
export type SiteConfig = Read<typeof SiteConfigSchema>;

/** A link in the footer (spec §3). */
export const ExtraPageSchema = v.object({
  slug: IdSchema,
  title: TextSchema,
  order: CountSchema,
});
export type ExtraPage = Read<typeof ExtraPageSchema>;

/** An extra page with its text in Markdown (decision 009). */
export const ContentPageSchema = v.object({
  id: extra(IdSchema),
  slug: TextSchema,
  title: TextSchema,
  body: TextSchema,
});
export type ContentPage = Read<typeof ContentPageSchema>;

export const getSiteConfig = defineEndpoint({
  method: 'GET',
  path: '/api/site-config',
  reply: SiteConfigSchema,
});

export const listPages = defineEndpoint({
  method: 'GET',
  path: '/api/page/',
  reply: listOf(ExtraPageSchema),
});

export const getPage = defineEndpoint({
  method: 'GET',
  path: '/api/page/{slug}/',
  reply: ContentPageSchema,
  refuses: [404],
});
