import * as v from 'valibot';
import { defineEndpoint } from '../calls/endpoint.ts';
import { IdSchema, type Read, TextSchema, listOf } from '../calls/wire.ts';

/** Spec §3: BGM, 効果音, … */
export const SoundTypeSchema = v.object({ id: IdSchema, name: TextSchema, icon: TextSchema });
export type SoundType = Read<typeof SoundTypeSchema>;

export const SubGenreSchema = v.object({ id: IdSchema, name: TextSchema });

/** Spec §3: a genre groups sub-genres; sounds only have sub-genres. */
export const GenreSchema = v.object({ id: IdSchema, name: TextSchema, sub_genres: listOf(SubGenreSchema) });
export type Genre = Read<typeof GenreSchema>;

export const listGenres = defineEndpoint({
  method: 'GET',
  path: '/api/genres/',
  reply: listOf(GenreSchema),
});

export const listSoundTypes = defineEndpoint({
  method: 'GET',
  path: '/api/sounds/types/',
  reply: listOf(SoundTypeSchema),
});
