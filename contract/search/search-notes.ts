import * as v from 'valibot';
import { FlagSchema, type Read, TextSchema, listOf } from '../calls/wire.ts';

/** A word that says something about the facts of sounds; a hit has one of the values, or the word itself. */
export const WordFactSchema = v.object({
  word: TextSchema,
  /** A filter of the listing. */
  name: TextSchema,
  values: v.array(v.string()),
});

/** A word that finds nothing, and what was searched instead: something more general, or a near spelling. */
export const ReplacedWordSchema = v.object({
  word: TextSchema,
  by: TextSchema,
  why: v.picklist(['broader', 'near']),
});

/** What a search did with the words of a text. Only our host sends it. */
export const SearchNotesSchema = v.object({
  facts: listOf(WordFactSchema),
  replaced: listOf(ReplacedWordSchema),
  /** Words that find nothing, and were left out. */
  left_out: v.array(v.string()),
  /** Whether sounds that have only some of the words are among the hits. */
  is_partial: FlagSchema,
});
export type SearchNotes = Read<typeof SearchNotesSchema>;
