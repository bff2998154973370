import * as v from 'valibot';
import { AUDIO_BYTES_MAX } from './audio-files.ts';
import { digits } from '../values/digits.ts';
import { defineEndpoint } from '../calls/endpoint.ts';
import { BPM_MAX, BPM_MIN, MUSICAL_KEYS } from './music.ts';
import { PICTURE_BYTES_MAX } from '../accounts/profile.ts';
import { CONTENT_ID_STATES, LICENCE_USES, MOODS, SOUND_MOODS_MAX } from './sound-facts.ts';
import { SoundSchema } from './sounds.ts';
import { lineField, textField } from '../values/texts.ts';
import { DoneSchema, IdSchema, TextSchema, extra, listOf, orElse } from '../calls/wire.ts';

/** Calls for managing one's own sounds (spec §2, sounds section; §7). */

export const TITLE_LENGTH_MAX = 100;
export const DESCRIPTION_LENGTH_MAX = 2_000;
export const FILENAME_LENGTH_MAX = 200;
/** Maximum number of sub-genres of one sound. With all other fields they fit into one form of 38 parts. */
export const SOUND_SUB_GENRES_MAX = 14;

/** Our host replies with the new sound; other hosts may reply with anything. */
const ChangedReplySchema = orElse(v.object({ sound: extra(SoundSchema) }), {});

/**
 * Creates a sound. It is private at first. Its title comes from its tags, or from the file name when another sound of
 * the artist already has that title. `types` is the sound type's id. `upload`, instead of `file`, is the id of a
 * finished upload, see `contract/sounds/resumable-uploads.ts`.
 */
export const uploadSound = defineEndpoint({
  method: 'POST',
  path: '/api/sounds/',
  form: { files: ['file'], fileBytesMax: AUDIO_BYTES_MAX, texts: ['types', 'filename', 'upload'] },
  reply: ChangedReplySchema,
  refuses: [400, 403, 404, 409, 413, 507],
});

/**
 * Changes any of the texts and the thumbnail. Those that may be repeated replace all when present; one empty value
 * stands for none. `bpm` and `key` override the estimates; empty ones restore them. `updated_at`, as it was read, refuses
 * the change (409) if the sound has changed since.
 */
export const updateSound = defineEndpoint({
  method: 'PATCH',
  path: '/api/sounds/{id}/',
  form: {
    files: ['thumbnail'],
    fileBytesMax: PICTURE_BYTES_MAX,
    texts: [
      'title',
      'is_published',
      'description',
      'is_ai_generated',
      'sub_genres',
      'filename',
      'is_loopable',
      'has_vocals',
      'moods',
      'licence_uses',
      'content_id',
      'bpm',
      'key',
      'updated_at',
    ],
    lists: ['sub_genres', 'moods', 'licence_uses'],
  },
  reply: ChangedReplySchema,
  refuses: [400, 403, 404, 409, 413],
});

/**
 * Deletes a sound permanently, with its file and all that refers to it. Ledger entries of past downloads are kept. A host
 * can keep it, hidden from everyone, for a few days in which a mailed link brings it back.
 */
export const deleteSound = defineEndpoint({
  method: 'DELETE',
  path: '/api/sounds/{id}/',
  reply: DoneSchema,
  refuses: [403, 404],
});

const flag = v.pipe(
  v.picklist(['true', 'false'], 'true か false を指定してください。'),
  v.transform((text) => text === 'true'),
);

const UNKNOWN = '選び直してください。';
/** '' is no answer. */
const answer = <const Answers extends readonly string[]>(answers: Answers) =>
  v.picklist(['', ...answers] as ['', ...Answers], UNKNOWN);
/** A form cannot carry an empty list, so one empty value represents it. */
const filled = <Text extends string>(item: v.GenericSchema<string, Text>) =>
  v.pipe(
    v.array(item),
    v.transform((texts) => [...new Set(texts)].filter((text): text is Exclude<Text, ''> => text !== '')),
  );
const BPM_BOUNDS = `BPMは${BPM_MIN}から${BPM_MAX}までの数字で入力してください。`;

/** The texts of `updateSound`, as a form carries them. */
export const SoundChangeSchema = v.object({
  title: v.optional(lineField('タイトル', TITLE_LENGTH_MAX)),
  description: v.optional(textField('説明', DESCRIPTION_LENGTH_MAX)),
  filename: v.optional(
    v.pipe(lineField('ファイル名', FILENAME_LENGTH_MAX), v.nonEmpty('ファイル名を入力してください。')),
  ),
  is_published: v.optional(flag),
  is_ai_generated: v.optional(flag),
  bpm: v.optional(
    v.pipe(
      digits(/^(?:\d{1,3}(?:\.\d{1,2})?)?$/, BPM_BOUNDS),
      v.transform((text) => (text === '' ? null : Number(text))),
      v.check((bpm) => bpm === null || (bpm >= BPM_MIN && bpm <= BPM_MAX), BPM_BOUNDS),
    ),
  ),
  key: v.optional(
    v.pipe(
      v.picklist(['', ...MUSICAL_KEYS], 'キーを一覧から選んでください。'),
      v.transform((key) => (key === '' ? null : key)),
    ),
  ),
  sub_genres: v.optional(
    v.pipe(
      filled(v.pipe(v.string(), v.regex(/^[\w-]{0,40}$/, 'idの形式が正しくありません。'))),
      v.maxLength(SOUND_SUB_GENRES_MAX, `ジャンルは${SOUND_SUB_GENRES_MAX}個まで選べます。`),
    ),
  ),
  is_loopable: v.optional(flag),
  has_vocals: v.optional(answer(['true', 'false'])),
  moods: v.optional(
    v.pipe(filled(answer(MOODS)), v.maxLength(SOUND_MOODS_MAX, `雰囲気は${SOUND_MOODS_MAX}つまで選べます。`)),
  ),
  licence_uses: v.optional(filled(answer(LICENCE_USES))),
  content_id: v.optional(answer(CONTENT_ID_STATES)),
});
export type SoundChange = v.InferOutput<typeof SoundChangeSchema>;

/** As many as one transaction changes. */
export const CHANGED_SOUNDS_MAX = 100;
const CHANGED_CHOICE = '変更するサウンドを選んでください。';
const ChosenIdSchema = v.pipe(v.string(CHANGED_CHOICE), v.maxLength(200, CHANGED_CHOICE));

/** When a sound was last changed, as it was read. */
export const SoundVersionSchema = v.optional(
  v.pipe(v.string(), v.maxLength(40), v.isoTimestamp('日時の形式が正しくありません。')),
);

/**
 * One of several changed sounds: the texts of `updateSound`, without files and their name. `updated_at`, as it was read,
 * leaves the sound alone if it has changed since.
 */
export const RowChangeSchema = v.object({
  id: ChosenIdSchema,
  updated_at: SoundVersionSchema,
  ...v.omit(SoundChangeSchema, ['filename']).entries,
});
export type RowChange = v.InferOutput<typeof RowChangeSchema>;

/** A sound that stays as it was, and why. */
export const RefusedRowSchema = v.object({ id: IdSchema, reason: TextSchema });

/**
 * Changes several sounds of the caller in one transaction. A sound that cannot be changed as asked stays as it was and is
 * named with the reason; the others change.
 */
export const updateSounds = defineEndpoint({
  method: 'POST',
  path: '/api/sounds/changes/',
  body: v.object({
    sounds: v.pipe(
      v.array(RowChangeSchema, CHANGED_CHOICE),
      v.minLength(1, CHANGED_CHOICE),
      v.maxLength(CHANGED_SOUNDS_MAX, `一度に変更できるのは${CHANGED_SOUNDS_MAX}件までです。`),
    ),
  }),
  // The longest description in each, escaped by half.
  bodyBytesMax: 1024 * 1024,
  reply: v.object({ changed: listOf(SoundSchema), refused: listOf(RefusedRowSchema) }),
  refuses: [400, 403, 413],
});
