import { TERMS_SLUG } from '../../../contract/downloads/licence.ts';
import { PAGES_MAX } from '../../../contract/operator/pages.ts';
import { LICENCE_PLACEHOLDER } from '../../../contract/site/page-texts.ts';
import { LICENCE_USES } from '../../../contract/sounds/sound-facts.ts';
import type { LicenceUse } from '../../../contract/sounds/sound-facts.ts';
import { Problem, notFound } from '../../platform/http/problem.ts';
import { findLastActor, toEarlierActorProblem } from '../staff/actions.ts';
import { changeSite } from './changes.ts';
import type { SiteDeps } from './changes.ts';
import { countPages, deletePage, findPageRow, insertPage, updatePage } from './queries.ts';
import { isPageSlug } from './service.ts';
import type { Handle } from '../../platform/database/handle.ts';

const SAVE = 'save page';
const REMOVE = 'remove page';

/** A page as a whole. */
export interface PageText {
  readonly title: string;
  /** Markdown. */
  readonly body: string;
  readonly order: number;
  readonly is_listed: boolean;
  /** Of the terms for members: what they give in one line, or ''. */
  readonly licence_line: string;
  readonly licence_uses: readonly LicenceUse[];
}

/**
 * Creates a page and returns its version. Throws `Problem` 400 for a slug that is invalid or taken, for one page too
 * many and for terms that do not contain their licence, 403.
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
  const row = { slug, ...toRow(slug, page, version) };
  await changeSite(deps, staffId, { action: SAVE, subject: slug, note: page.title }, async (transaction) => {
    if ((await countPages(transaction)) >= PAGES_MAX) {
      throw new Problem(400, `ページは${PAGES_MAX}件までです。使わないページを削除してください。`);
    }
    if (!(await insertPage(transaction, row))) {
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
  const row = toRow(slug, page, updated_at);
  await changeSite(deps, staffId, { action: SAVE, subject: slug, note: page.title }, async (transaction) => {
    const isReplaced = await updatePage(transaction, slug, version, row);
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

function toRow(slug: string, page: PageText, updated_at: number) {
  const { title, body, order: position, is_listed } = page;
  const licence = slug === TERMS_SLUG ? toLicence(page) : undefined;
  return {
    title,
    body,
    position,
    is_listed: is_listed ? (1 as const) : (0 as const),
    updated_at,
    licence_line: licence?.line ?? null,
    licence_uses: licence?.uses ?? '',
    licence_version: licence === undefined ? null : updated_at,
  };
}

/** What the terms give; undefined if they are not said to give anything. The terms contain the line. Throws `Problem` 400. */
function toLicence({ body, licence_line: line, licence_uses }: PageText) {
  if (line !== '' && !body.includes(LICENCE_PLACEHOLDER)) {
    throw new Problem(400, {
      body: `本文のどこかに ${LICENCE_PLACEHOLDER} と書いてください。そこに、利用条件の一行が入ります。`,
    });
  }
  if (line === '' && (licence_uses.length > 0 || body.includes(LICENCE_PLACEHOLDER))) {
    throw new Problem(400, { licence_line: '利用条件の一行を入力してください。' });
  }
  const uses = LICENCE_USES.filter((use) => licence_uses.includes(use)).join(' ');
  return line === '' ? undefined : { line, uses };
}

/** Why a page is not at the expected version. */
async function toConflict(transaction: Handle, slug: string): Promise<Problem> {
  const last = await findLastActor(transaction, slug, [SAVE, REMOVE]);
  if ((await findPageRow(transaction, slug)) !== undefined) {
    return toEarlierActorProblem(last?.username, '変更しています');
  }
  return last?.action === REMOVE ? toEarlierActorProblem(last.username, '削除しています') : notFound();
}
