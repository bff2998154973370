import * as v from 'valibot';
import { defineEndpoint } from '../calls/endpoint.ts';
import { lineField, requiredLine } from '../values/texts.ts';

/** The classification of sounds, in the console. A genre is a type, a genre or a sub-genre here, as its kind says. */

/** Of a name or an icon, in code points. */
export const GENRE_LENGTH_MAX = 40;
export const GENRE_KINDS = ['type', 'genre', 'sub-genre'] as const;
export type GenreKind = (typeof GENRE_KINDS)[number];
/** The highest position of a genre. */
export const GENRE_POSITION_MAX = 999_999;

const NameSchema = requiredLine('名前', GENRE_LENGTH_MAX);
const IconSchema = lineField('アイコン', GENRE_LENGTH_MAX);
const PositionSchema = v.pipe(
  v.number('並び順は数字で入力してください。'),
  v.integer('並び順は整数で入力してください。'),
  v.minValue(0, '並び順は0以上で入力してください。'),
  v.maxValue(GENRE_POSITION_MAX, `並び順は${GENRE_POSITION_MAX}以下で入力してください。`),
);
const NumberSchema = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(2_147_483_647));
/** OperatorGenres can be older than the rules for what is typed. */
const ReadSchema = v.pipe(v.string(), v.maxLength(1_000));
const KindSchema = v.picklist(GENRE_KINDS);

const genre = {
  id: v.number(),
  name: v.string(),
  order: v.number(),
  /** The sounds that have it. */
  sounds: v.number(),
};
const ListedGenreSchema = v.object(genre);
export type ListedGenre = v.InferOutput<typeof ListedGenreSchema>;
const OperatorGenresSchema = v.object({
  types: v.array(v.object({ ...genre, icon: v.string() })),
  genres: v.array(v.object({ ...genre, sub_genres: v.array(ListedGenreSchema) })),
});
export type OperatorGenres = v.InferOutput<typeof OperatorGenresSchema>;

/** Everything that sounds are classified by, in display order. */
export const listOperatorGenres = defineEndpoint({
  method: 'GET',
  path: '/api/operator/labels/',
  reply: OperatorGenresSchema,
});

const changed = v.object({ id: v.number() });

/** Adds a genre after the others of its kind. `genre_id` is for a sub-genre, `icon` for a type. */
export const addGenre = defineEndpoint({
  method: 'POST',
  path: '/api/operator/labels/',
  body: v.object({
    kind: KindSchema,
    name: NameSchema,
    icon: v.optional(IconSchema),
    genre_id: v.optional(NumberSchema),
  }),
  reply: changed,
  refuses: [400],
});

/**
 * Changes the name, icon or position of a genre. Search finds its sounds by the new name soon after. `read` has the values
 * that the caller has read; the change is refused (409) if they are no longer current.
 */
export const changeGenre = defineEndpoint({
  method: 'POST',
  path: '/api/operator/labels/change/',
  body: v.object({
    kind: KindSchema,
    id: NumberSchema,
    name: NameSchema,
    icon: v.optional(IconSchema),
    order: PositionSchema,
    read: v.optional(v.object({ name: ReadSchema, icon: ReadSchema, order: v.number() })),
  }),
  reply: changed,
  refuses: [400, 409],
});

/** Removes a genre that no sound has; its sub-genres go with it. */
export const removeGenre = defineEndpoint({
  method: 'POST',
  path: '/api/operator/labels/remove/',
  body: v.object({ kind: KindSchema, id: NumberSchema }),
  reply: changed,
  refuses: [409],
});
