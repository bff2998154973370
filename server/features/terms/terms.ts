import type { Selectable } from 'kysely';
import { DEFAULT_LICENCE, TERMS_SLUG } from '../../../contract/downloads/licence.ts';
import type { Licence } from '../../../contract/downloads/licence.ts';
import { LICENCE_USES } from '../../../contract/sounds/sound-facts.ts';
import { cached } from '../../platform/database/statements/cached.ts';
import { toList } from '../../platform/database/tables/parts.ts';
import type { Database } from '../../platform/database/open.ts';
import type { Schema } from '../../platform/database/schema.ts';
import { own } from './tables.ts';

/** The operator's terms for members. */
export interface OwnTerms {
  readonly title: string;
  /** Markdown with placeholders. */
  readonly body: string;
}

export interface Terms {
  /** null: the product's text applies. */
  readonly own: OwnTerms | null;
  /** null: the operator has not said what terms of their own give. */
  readonly licence: Licence | null;
}

type SavedLicence = Pick<
  Selectable<Schema['extra_pages']>,
  'licence_line' | 'licence_uses' | 'licence_version' | 'updated_at'
>;

/** The terms of now. Cached like pages. */
export function findTerms(database: Database): Promise<Terms> {
  return cached(database, 'terms', async () => {
    const row = await own(database.db)
      .selectFrom('extra_pages')
      .select(['title', 'body', 'updated_at', 'licence_line', 'licence_uses', 'licence_version'])
      .where('slug', '=', TERMS_SLUG)
      .executeTakeFirst();
    if (row === undefined) return { own: null, licence: DEFAULT_LICENCE };
    return { own: { title: row.title, body: row.body }, licence: toSavedLicence(row) };
  });
}

/** The licence that was saved with a page; null for none, and if only the text of the page was changed since. */
export function toSavedLicence({
  licence_line: line,
  licence_uses,
  licence_version,
  updated_at,
}: SavedLicence): Licence | null {
  return line === null || licence_version !== updated_at ? null : { line, uses: toList(licence_uses) };
}

/** The uses that the terms give for every sound. */
export async function findGivenUses(database: Database): Promise<readonly string[]> {
  return (await findTerms(database)).licence?.uses ?? [];
}

/** The uses that artists can allow in addition. */
export function toAddableUses(given: readonly string[]): string[] {
  return LICENCE_USES.filter((use) => !given.includes(use));
}

/** What a sound may be used for, and what of it only its artist allows; `stored` are the words of its row. */
export function toUses(stored: string, given: readonly string[]): { allowed: string[]; added: string[] } {
  const added = toList(stored).filter((use) => !given.includes(use));
  const order: readonly string[] = [...LICENCE_USES, ...added];
  return { allowed: [...new Set(order)].filter((use) => given.includes(use) || added.includes(use)), added };
}

/** The words of a row after its artist has answered. Uses that artists cannot choose stay. */
export function answerUses(stored: string, given: readonly string[], answer: readonly string[]): string {
  const addable = toAddableUses(given);
  const others = toList(stored).filter((use) => !addable.includes(use));
  return [...others, ...addable.filter((use) => answer.includes(use))].join(' ');
}
