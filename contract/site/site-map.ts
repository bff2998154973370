import * as v from 'valibot';
import { defineEndpoint } from '../calls/endpoint.ts';
import { extra, listOf } from '../calls/wire.ts';

/** A part of the site map describes at most this many sounds, public or not. */
export const SITE_MAP_PART_SIZE = 5_000;

const changedAt = {
  /** ISO 8601, UTC: the last change of what the page shows. */
  updated_at: extra(v.string()),
};

export const MappedSoundSchema = v.object({ id: v.pipe(v.string(), v.nonEmpty()), ...changedAt });
export const MappedArtistSchema = v.object({ username: v.pipe(v.string(), v.nonEmpty()), ...changedAt });

/** The number of parts, each counted from 1. */
export const getSiteMap = defineEndpoint({
  method: 'GET',
  path: '/api/sitemap/',
  reply: v.object({ parts: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(40_000)) }),
});

/** Public sounds in the order of their upload, and the artists whose newest public sound is among them. */
export const getSiteMapPart = defineEndpoint({
  method: 'GET',
  path: '/api/sitemap/{part}/',
  reply: v.object({ sounds: listOf(MappedSoundSchema), artists: listOf(MappedArtistSchema) }),
  refuses: [404],
});
