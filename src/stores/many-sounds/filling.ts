import type { Genre } from '../../../contract/sounds/genres.ts';
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

/** Fills a row from texts; its problem names sub-genres that do not exist. */
export function fillRow(row: ManyRow, texts: FilledTexts, genres: readonly Genre[]): Outcome {
  const { ids, unknown } = findGenres(texts.genres ?? '', genres, row.saved.sub_genres);
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

/**
 * A name may contain the separator, so the whole text is looked up first. Among sub-genres of one name, those of the
 * sound are used.
 */
function findGenres(
  text: string,
  genres: readonly Genre[],
  saved: readonly string[],
): { ids: string[]; unknown: string[] } {
  const byName = new Map<string, string[]>();
  for (const { id, name } of genres.flatMap(({ sub_genres }) => sub_genres)) {
    const key = toLoose(name);
    byName.set(key, [...(byName.get(key) ?? []), id]);
  }
  const findIds = (name: string) => {
    const ids = byName.get(toLoose(name)) ?? [];
    const own = ids.filter((id) => saved.includes(id));
    return own.length > 0 ? own : ids.slice(0, 1);
  };
  let names = [text];
  for (const separator of SEPARATORS) {
    names = names.flatMap((name) => (byName.has(toLoose(name)) ? [name] : name.split(separator)));
  }
  const given = names.map((name) => name.trim()).filter(Boolean);
  return {
    ids: [...new Set(given.flatMap(findIds))],
    unknown: given.filter((name) => !byName.has(toLoose(name))),
  };
}
