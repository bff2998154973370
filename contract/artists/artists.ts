import * as v from 'valibot';
import { defineEndpoint } from '../calls/endpoint.ts';
import { CountSchema, FileUrlSchema, IdSchema, type Read, TextSchema, extra, listOf } from '../calls/wire.ts';

/** The public part of a profile (spec §3). Contains no field that only the owner may see. */
export const ArtistSchema = v.object({
  id: extra(IdSchema),
  /** '' when a host omits it; the artist then has the requested name. */
  username: TextSchema,
  bio: TextSchema,
  profile_picture: FileUrlSchema,
  profile_background: FileUrlSchema,
  message_email: TextSchema,
  donation_url: TextSchema,
  sound_count: extra(v.number()),
  total_download_balance: v.optional(v.number()),
  /** ISO 8601, UTC. */
  joined_at: extra(v.string()),
  /** The picture of links to the artist (`SHARE_PICTURE`). */
  share_picture_url: extra(v.string()),
});
export type Artist = Read<typeof ArtistSchema>;

export const getArtist = defineEndpoint({
  method: 'GET',
  path: '/api/account/artist/{username}/',
  reply: ArtistSchema,
  refuses: [404],
});

/** An artist card for “artists to discover” on the home page. */
export const ArtistCardSchema = v.object({
  username: v.pipe(v.string(), v.nonEmpty()),
  bio: TextSchema,
  profile_picture: FileUrlSchema,
  sound_count: CountSchema,
});
export type ArtistCard = Read<typeof ArtistCardSchema>;

export const listArtists = defineEndpoint({
  method: 'GET',
  path: '/api/account/artists/',
  reply: listOf(ArtistCardSchema),
});
