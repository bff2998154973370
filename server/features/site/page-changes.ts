import type { Transaction } from 'kysely';
import { PAGES_MAX } from '../../../contract/operator/pages.ts';
import type { Schema } from '../../platform/database/database.ts';
import { Problem, notFound } from '../../platform/http/http.ts';
import { findLastActor, toFirst } from '../staff/staff.ts';
import { changeSite } from './changes.ts';
import type { SiteDeps } from './changes.ts';
import { countPages, deletePage, findPageRow, insertPage, updatePage } from './queries.ts';
import { isPageSlug } from './service.ts';

const SAVE = 'save page';
const REMOVE = 'remove page';

/** A page as a whole. */
export interface PageText {
  readonly title: string;
  /** Markdown. */
  readonly body: string;
  readonly order: number;
  readonly is_listed: boolean;
}

/**
 * Creates a page and returns its version. Throws `Problem` 400 for a slug that is invalid or taken and for one page too
 * many, 403.
 */
export async function createPage(
  deps: SiteDeps,
  staffId: string,
  slug: string,
  page: PageText,
): Promise<number> {
  if (!isPageSlug(slug)) {
    throw new Problem(400, {
      slug: 'URLには半角の英小文字、数字、途中のハイフンを、100文字まで使えます。',
    });
  }
  const version = toVersion(deps);
  await changeSite(deps, staffId, { action: SAVE, subject: slug, note: page.title }, async (transaction) => {
    if ((await countPages(transaction)) >= PAGES_MAX) {
      throw new Problem(400, `ページは${PAGES_MAX}件までです。使わないページを削除してください。`);
    }
    if (!(await insertPage(transaction, { slug, ...toRow(page), updated_at: version }))) {
      throw new Problem(400, { slug: 'このURLのページは、すでにあります。' });
    }
  });
  return version;
}

/**
 * Replaces a page that is still at `version`, and returns its new version. Throws `Problem` 403, 404, and 409 that names
 * who changed or deleted it.
 */
export async function replacePage(
  deps: SiteDeps,
  staffId: string,
  slug: string,
  version: number,
  page: PageText,
): Promise<number> {
  const updated_at = toVersion(deps, version);
  await changeSite(deps, staffId, { action: SAVE, subject: slug, note: page.title }, async (transaction) => {
    const isReplaced = await updatePage(transaction, slug, version, { ...toRow(page), updated_at });
    if (!isReplaced) throw await toConflict(transaction, slug);
  });
  return updated_at;
}

/** Deletes a page that is still at this version. Throws `Problem` 403, 404, 409. */
export async function removePage(
  deps: SiteDeps,
  staffId: string,
  slug: string,
  version: number,
): Promise<void> {
  await changeSite(deps, staffId, { action: REMOVE, subject: slug }, async (transaction) => {
    if (!(await deletePage(transaction, slug, version))) throw await toConflict(transaction, slug);
  });
}

/** Two changes within a millisecond have different versions. */
function toVersion({ clock }: SiteDeps, before = 0): number {
  return Math.max(clock.now(), before + 1);
}

function toRow({ title, body, order, is_listed }: PageText) {
  return { title, body, position: order, is_listed: is_listed ? (1 as const) : (0 as const) };
}

/** Why a page is not at the expected version. */
async function toConflict(transaction: Transaction<Schema>, slug: string): Promise<Problem> {
  const last = await findLastActor(transaction, slug, [SAVE, REMOVE]);
  if ((await findPageRow(transaction, slug)) !== undefined) {
    return toFirst(last?.username, '変更しています');
  }
  return last?.action === REMOVE ? toFirst(last.username, '削除しています') : notFound();
}
