import * as v from 'valibot';
import { defineEndpoint } from '../calls/endpoint.ts';
import { IdSchema, type Read, listOf } from '../calls/wire.ts';

/** The record of what an artist changed of a sound within the last seven days. */

/** How a sound was changed: alone, with others in one call, or back by the link of a mail. */
export const CHANGE_WAYS = ['edit', 'several', 'undo'] as const;
export type ChangeWay = (typeof CHANGE_WAYS)[number];

/**
 * `name` is a text of `updateSound`, or `thumbnail`, whose pictures are not kept. The values are those of a form, none for
 * an empty one; only lists have several.
 */
export const ChangedFieldSchema = v.object({
  name: v.string(),
  before: v.array(v.string()),
  after: v.array(v.string()),
});

export const SoundHistoryEntrySchema = v.object({
  id: IdSchema,
  /** ISO 8601, UTC. */
  changed_at: v.string(),
  /** Of `CHANGE_WAYS`. */
  way: v.string(),
  /** Whether the sound still has all values of the change, so that it can be undone alone. */
  can_undo: v.boolean(),
  fields: listOf(ChangedFieldSchema),
});
export type SoundHistoryEntry = Read<typeof SoundHistoryEntrySchema>;

/** Changes of one of the caller's own sounds within seven days, newest first. */
export const listSoundChanges = defineEndpoint({
  method: 'GET',
  path: '/api/sounds/{id}/changes/',
  reply: v.object({ changes: listOf(SoundHistoryEntrySchema) }),
  refuses: [404],
});
