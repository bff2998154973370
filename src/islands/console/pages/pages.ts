import {
  type EditedPage,
  type ListedPage,
  createOperatorPage,
  getOperatorPage,
  listOperatorPages,
  previewPage,
  removeOperatorPage,
  saveOperatorPage,
} from '../../../../contract/operator/pages.ts';
import { toNumber } from '../../../../contract/digits.ts';
import { ApiError } from '../../../../contract/errors.ts';
import { callApi } from '../../../api/browser.ts';
import type { FieldErrors } from '../../../lib/form-state.ts';
import { ask, showToast } from '../../../stores/overlays/overlays.ts';
import { attempt } from '../../../stores/shared/attempt.ts';
import { memberAtom, memberSignal } from '../../../stores/shared/member-atom.ts';
import { firstOfEach, presentError } from '../../../stores/shared/request-errors.ts';
import { staffQuery } from '../../../stores/shared/staff-query.ts';

/** What is typed; `order` as typed. */
export interface PageDraft {
  readonly slug: string;
  readonly title: string;
  readonly order: string;
  readonly isListed: boolean;
  readonly body: string;
}

export interface OpenPage {
  readonly state: 'open';
  /** The version that the draft is based on; null for a page that does not exist yet. */
  readonly version: number | null;
  readonly saved: PageDraft;
  readonly draft: PageDraft;
  readonly isSaving: boolean;
  readonly errors: FieldErrors;
  readonly problems: readonly string[];
  /** Counts refusals, so that the same error twice still moves focus twice. */
  readonly attempt: number;
  /** What someone else has saved meanwhile; `theirs` is null if they deleted the page. */
  readonly conflict: { readonly theirs: EditedPage | null } | null;
}
export type PageEditor =
  { readonly state: 'closed' } | { readonly state: 'opening'; readonly slug: string } | OpenPage;

export interface PagesList {
  readonly pages: readonly ListedPage[];
  /** Pages that show the text of the product. */
  readonly defaults: readonly { readonly slug: string; readonly title: string }[];
}

export type Preview =
  | { readonly state: 'empty' }
  | { readonly state: 'ready'; readonly html: string; readonly body: string }
  | { readonly state: 'failed'; readonly error: unknown };

const EMPTY: PageDraft = { slug: '', title: '', order: '0', isListed: true, body: '' };

/** The operator's pages, and those with a text of the product. */
export const $pages = staffQuery<PagesList>('pages', async () => {
  const { results } = await callApi(listOperatorPages);
  const written = new Set(results.map(({ slug }) => slug));
  const defaults = Object.entries(await loadDefaults())
    .filter(([slug]) => !written.has(slug))
    .map(([slug, { title }]) => ({ slug, title }));
  return { pages: results, defaults };
});

export const $pageEditor = memberAtom<PageEditor>({ state: 'closed' });
export const $preview = memberAtom<Preview>({ state: 'empty' });

async function loadDefaults() {
  return (await import('../../../lib/default-pages.ts')).DEFAULT_PAGES;
}

/** Whether typed text would be lost. */
export function isPageUnsaved(): boolean {
  const editor = $pageEditor.get();
  return editor.state === 'open' && isChanged(editor);
}

function isChanged({ draft, saved }: OpenPage): boolean {
  return Object.entries(draft).some(([name, value]) => saved[name as keyof PageDraft] !== value);
}

/** Opens a page for editing. Never throws. */
export async function openPage(slug: string): Promise<void> {
  $pageEditor.set({ state: 'opening', slug });
  const isOpen = await attempt(async (signal) =>
    open(await callApi(getOperatorPage, { params: { slug }, signal })),
  );
  if (isOpen) return;
  $pageEditor.set({ state: 'closed' });
  $pages.revalidate();
}

/** Starts a new page; with the slug of a text of the product, from that text. */
export async function startPage(slug?: string): Promise<void> {
  const known = slug === undefined ? undefined : (await loadDefaults())[slug];
  const draft = slug === undefined || !known ? EMPTY : { ...EMPTY, slug, ...known };
  $pageEditor.set(toOpen(null, draft));
}

function open(page: EditedPage): void {
  $pageEditor.set(toOpen(page.updated_at, toDraft(page)));
}

function toDraft({ slug, title, order, is_listed, body }: EditedPage): PageDraft {
  return { slug, title, order: String(order), isListed: is_listed, body };
}

function toOpen(version: number | null, draft: PageDraft): OpenPage {
  const fresh = { isSaving: false, errors: {}, problems: [], attempt: 0, conflict: null };
  return { state: 'open', version, saved: draft, draft, ...fresh };
}

/** Follows typing. A field being corrected is no longer marked as wrong. */
export function changePage(change: Partial<PageDraft>): void {
  const editor = $pageEditor.get();
  if (editor.state !== 'open') return;
  const names = new Set(Object.keys(change).map((name) => (name === 'isListed' ? 'is_listed' : name)));
  const errors = Object.fromEntries(Object.entries(editor.errors).filter(([name]) => !names.has(name)));
  $pageEditor.set({ ...editor, draft: { ...editor.draft, ...change }, errors, problems: [] });
}

/** Closes the editor; asks first if typed text would be lost. */
export async function closePage(): Promise<void> {
  const isLeft =
    !isPageUnsaved() ||
    (await ask({
      title: '編集をやめますか？',
      text: '保存していない文章は失われます。',
      action: 'やめる',
    }));
  if (isLeft) $pageEditor.set({ state: 'closed' });
}

/** Saves the draft. What was typed stays when it is refused. Never throws. */
export async function savePage(): Promise<void> {
  const editor = $pageEditor.get();
  if (editor.state !== 'open' || editor.isSaving) return;
  $pageEditor.set({ ...editor, isSaving: true, errors: {}, problems: [] });
  const { slug, title, order, isListed, body } = editor.draft;
  const page = { title, order: toNumber(order), is_listed: isListed, body };
  try {
    const { updated_at } =
      editor.version === null
        ? await callApi(createOperatorPage, { body: { slug, ...page } })
        : await callApi(saveOperatorPage, {
            params: { slug },
            body: { ...page, updated_at: editor.version },
          });
    showToast('success', '保存しました。5秒以内に公開ページに反映されます。');
    change((now) => ({ ...toOpen(updated_at, editor.draft), draft: now.draft }));
    $pages.revalidate();
  } catch (error) {
    const isConflict = error instanceof ApiError && error.status === 409;
    const conflict = isConflict ? { theirs: await findTheirs(slug) } : editor.conflict;
    const { fields, problems } = presentError(error, {
      toasts: 'none',
      isField: (key) => ['slug', 'title', 'order', 'is_listed', 'body'].includes(key),
    });
    change((now) => ({
      ...now,
      isSaving: false,
      errors: firstOfEach(fields),
      problems,
      attempt: now.attempt + 1,
      conflict,
    }));
  }
}

function change(toNext: (editor: OpenPage) => OpenPage): void {
  const editor = $pageEditor.get();
  if (editor.state === 'open') $pageEditor.set(toNext(editor));
}

async function findTheirs(slug: string): Promise<EditedPage | null> {
  return callApi(getOperatorPage, { params: { slug }, signal: memberSignal() }).catch(() => null);
}

/** After a conflict: replaces what someone else has saved by the draft. */
export async function keepMine(): Promise<void> {
  change((editor) => ({ ...editor, version: editor.conflict?.theirs?.updated_at ?? null, conflict: null }));
  await savePage();
}

/** After a conflict: drops the draft for what someone else has saved. */
export function takeTheirs(): void {
  change((editor) => {
    const theirs = editor.conflict?.theirs;
    return theirs ? toOpen(theirs.updated_at, toDraft(theirs)) : editor;
  });
}

/** Deletes a page after a question. Never throws. */
export async function removePage({ slug, title, updated_at }: ListedPage): Promise<void> {
  const text = 'このページは公開されなくなります。既定の文章があるページは、その文章に戻ります。';
  if (!(await ask({ title: `「${title}」を削除しますか？`, text, action: '削除する' }))) return;
  await attempt(() => callApi(removeOperatorPage, { params: { slug }, body: { updated_at } }), {
    done: 'ページを削除しました',
  });
  $pages.revalidate();
}

/** Shows Markdown as the public page does. A later call replaces an earlier one. Never throws. */
export async function showPreview(body: string, signal: AbortSignal): Promise<void> {
  if (body.trim() === '') return $preview.set({ state: 'empty' });
  try {
    const { html } = await callApi(previewPage, { body: { body }, signal });
    if (!signal.aborted) $preview.set({ state: 'ready', html, body });
  } catch (error) {
    if (!signal.aborted) $preview.set({ state: 'failed', error });
  }
}
