import * as v from 'valibot';
import { defineEndpoint } from './endpoint.ts';
import {
  AssumedFlagSchema,
  CountSchema,
  FileUrlSchema,
  FlagSchema,
  IdSchema,
  TextSchema,
  extra,
  listOf,
} from './wire.ts';

/** The operator's settings for the whole site (spec §3). */
export const SiteConfigSchema = v.object({
  navbar_logo: FileUrlSchema,
  navbar_sp_logo: FileUrlSchema,
  footer_logo: FileUrlSchema,
  footer_banner: FileUrlSchema,
  maintenance_mode: FlagSchema,
  allow_register: AssumedFlagSchema,
  /** Those of `LICENCE_USES` that artists may choose. */
  licence_uses: extra(v.array(TextSchema)),
  /** The host can do more than spec §7: everything in `contract/` and `docs/openapi.json`. */
  is_extended: FlagSchema,
});
export type SiteConfig = v.InferOutput<typeof SiteConfigSchema>;

/** A link in the footer (spec §3). */
export const ExtraPageSchema = v.object({
  slug: IdSchema,
  title: TextSchema,
  order: CountSchema,
});
export type ExtraPage = v.InferOutput<typeof ExtraPageSchema>;

/** An extra page with its text in Markdown (decision 009). */
export const ContentPageSchema = v.object({
  id: extra(IdSchema),
  slug: TextSchema,
  title: TextSchema,
  body: TextSchema,
});
export type ContentPage = v.InferOutput<typeof ContentPageSchema>;

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
