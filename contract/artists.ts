import * as v from 'valibot';
import { defineEndpoint } from './endpoint.ts';
import { CountSchema, FileUrlSchema, IdSchema, TextSchema, extra } from './wire.ts';

/** The public side of a profile (spec §3): no field that only its owner may see. */
export const ArtistSchema = v.object({
  id: v.optional(IdSchema),
  username: v.string(),
  bio: TextSchema,
  profile_picture: FileUrlSchema,
  profile_background: FileUrlSchema,
  message_email: TextSchema,
  donation_url: TextSchema,
  sound_count: extra(v.number()),
  total_download_balance: extra(v.number()),
  /** ISO 8601, UTC. */
  joined_at: extra(v.string()),
});
export type Artist = v.InferOutput<typeof ArtistSchema>;

export const getArtist = defineEndpoint({
  method: 'GET',
  path: '/api/account/artist/{username}/',
  reply: ArtistSchema,
  errors: { 404: 'no artist has this username' },
});

/** A card of an artist, for “artists to discover” on the home page; sent by our host alone. */
export const ArtistCardSchema = v.object({
  username: v.string(),
  bio: TextSchema,
  profile_picture: FileUrlSchema,
  sound_count: CountSchema,
});
export type ArtistCard = v.InferOutput<typeof ArtistCardSchema>;

export const listArtists = defineEndpoint({
  method: 'GET',
  path: '/api/account/artists/',
  reply: v.array(ArtistCardSchema),
  errors: { 404: 'a host that does not know this call: the page leaves the section out' },
});
