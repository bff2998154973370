import * as v from 'valibot';
import { defineEndpoint } from './endpoint.ts';
import {
  CountSchema,
  ExtraNumberSchema,
  FileUrlSchema,
  IdSchema,
  TextSchema,
  extra,
  listOf,
} from './wire.ts';

/** The public side of a profile (spec §3): no field that only its owner may see. */
export const ArtistSchema = v.object({
  id: extra(IdSchema),
  /** '' where a host leaves it out: then the artist has the name that was asked for. */
  username: TextSchema,
  bio: TextSchema,
  profile_picture: FileUrlSchema,
  profile_background: FileUrlSchema,
  message_email: TextSchema,
  donation_url: TextSchema,
  sound_count: ExtraNumberSchema,
  total_download_balance: ExtraNumberSchema,
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

/** A card of an artist, for “artists to discover” on the home page; sent by hosts with the capability `artist-list`. */
export const ArtistCardSchema = v.object({
  username: v.pipe(v.string(), v.nonEmpty()),
  bio: TextSchema,
  profile_picture: FileUrlSchema,
  sound_count: CountSchema,
});
export type ArtistCard = v.InferOutput<typeof ArtistCardSchema>;

export const listArtists = defineEndpoint({
  method: 'GET',
  path: '/api/account/artists/',
  reply: listOf(ArtistCardSchema),
});
