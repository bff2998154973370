import type { Genre } from '../../../contract/genres.ts';
import type { SoundValues } from '../my-sounds/my-sounds.ts';
import { type Outcome, toOutcome } from './plan.ts';
import type { ManyRow } from './rows.ts';

/** Texts for fields of a row, as a file name or a table has them; an empty one leaves the field as it is. */
export interface FilledTexts {
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  /** Names of sub-genres. */
  readonly genres?: string | undefined;
}

const SEPARATORS = [/[,、，;；|｜]/, /[\s・+＋&＆/／]/];

/** What the texts do to a row; its problem names sub-genres that do not exist. */
export function fillRow(row: ManyRow, texts: FilledTexts, genres: readonly Genre[]): Outcome {
  const { ids, unknown } = findGenres(texts.genres ?? '', genres);
  if (unknown.length > 0) {
    const names = unknown.map((name) => `「${name}」`).join('');
    return { row, values: {}, problem: `サブジャンル${names}はありません。` };
  }
  const values: SoundValues = {
    ...(texts.title && { title: texts.title }),
    ...(texts.description && { description: texts.description }),
    ...(ids.length > 0 && { sub_genres: ids }),
  };
  return toOutcome(row, values);
}

export function toLoose(text: string): string {
  return text.normalize('NFKC').trim().toLowerCase();
}

/** Names may contain what separates others, so that the whole text is looked up first. */
function findGenres(text: string, genres: readonly Genre[]): { ids: string[]; unknown: string[] } {
  const byName = new Map(
    genres.flatMap(({ sub_genres }) => sub_genres.map(({ id, name }) => [toLoose(name), id] as const)),
  );
  let names = [text];
  for (const separator of SEPARATORS) {
    names = names.flatMap((name) => (byName.has(toLoose(name)) ? [name] : name.split(separator)));
  }
  const given = names.map((name) => name.trim()).filter(Boolean);
  return {
    ids: [...new Set(given.flatMap((name) => byName.get(toLoose(name)) ?? []))],
    unknown: given.filter((name) => !byName.has(toLoose(name))),
  };
}
