import * as v from 'valibot';
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
import { DEFAULT_LICENCE, TERMS_SLUG } from '../../../../contract/downloads/licence.ts';
import { LICENCE_USES, type LicenceUse } from '../../../../contract/sounds/sound-facts.ts';
import { ApiError } from '../../../../contract/calls/errors.ts';
import { toNumber } from '../../../../contract/values/digits.ts';
import { callApi } from '../../../api/browser.ts';
import { contentPath } from '../../../lib/paths.ts';
import { ask, showToast } from '../../../stores/overlays/overlays.ts';
import { attempt } from '../../../stores/shared/attempt.ts';
import { createForm } from '../../../stores/shared/form.ts';
import { memberAtom, memberSignal } from '../../../stores/shared/member-atom.ts';
import { staffQuery } from '../../../stores/shared/staff-query.ts';
import { createVersioned } from '../../../stores/shared/versioned.ts';

/** The box of a use that the terms give for every sound. */
export function toUseField(use: LicenceUse): `gives_${LicenceUse}` {
  return `gives_${use}`;
}

/** A value for the box of each use. */
export function toUseFields<Value>(toValue: (use: LicenceUse) => Value) {
  const entries = LICENCE_USES.map((use) => [toUseField(use), toValue(use)]);
  return Object.fromEntries(entries) as Record<ReturnType<typeof toUseField>, Value>;
}

/** What is typed; `order` as typed. */
const PageFields = v.object({
  slug: v.string(),
  title: v.string(),
  order: v.string(),
  is_listed: v.boolean(),
  body: v.string(),
  licence_line: v.string(),
  ...toUseFields(() => v.boolean()),
});
type PageDraft = v.InferOutput<typeof PageFields>;

export interface OpenPage {
  readonly state: 'open';
  readonly form: ReturnType<typeof createPageForm>;
  /** Whether the page exists. */
  readonly isSaved: boolean;
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

const EMPTY: PageDraft = {
  slug: '',
  title: '',
  order: '0',
  is_listed: true,
  body: '',
  ...toLicenceFields('', []),
};

function toLicenceFields(licence_line: string, uses: readonly string[]) {
  return { licence_line, ...toUseFields((use) => uses.includes(use)) };
}

/** Pages with addresses of their own (spec §2). */
export const OWN_ADDRESSES: ReadonlySet<string> = new Set([TERMS_SLUG, 'privacy-policy']);

/** The address of a page. */
export function toPath(slug: string): string {
  return OWN_ADDRESSES.has(slug) ? `/${slug}` : contentPath(slug);
}

/** The operator's pages, and those with a text of the product. */
export const $pages = staffQuery<PagesList>('pages', async (signal) => {
  const { results } = await callApi(listOperatorPages, { signal });
  const written = new Set(results.map(({ slug }) => slug));
  const defaults = Object.entries(await loadDefaults())
    .filter(([slug]) => !written.has(slug))
    .map(([slug, { title }]) => ({ slug, title }));
  return { pages: results, defaults };
});

export const $pageEditor = memberAtom<PageEditor>({ state: 'closed' });
export const $preview = memberAtom<Preview>({ state: 'empty' });

async function loadDefaults() {
  return (await import('../../../texts/default-pages.ts')).DEFAULT_PAGES;
}

/** Whether typed text would be lost. */
export function isPageUnsaved(): boolean {
  const editor = $pageEditor.get();
  return editor.state === 'open' && editor.form.$isDirty.get();
}

/** Opens a page for editing. Never throws. */
export async function openPage(slug: string): Promise<void> {
  const signal = memberSignal();
  $pageEditor.set({ state: 'opening', slug });
  const isOpen = await attempt(async () => {
    const page = await callApi(getOperatorPage, { params: { slug }, signal });
    signal.throwIfAborted();
    open(page.updated_at, toDraft(page));
  });
  if (isOpen || signal.aborted) return;
  $pageEditor.set({ state: 'closed' });
  $pages.revalidate();
}

/** Starts a new page; with the slug of a text of the product, from that text. */
export async function startPage(slug?: string): Promise<void> {
  const defaultText = slug === undefined ? undefined : (await loadDefaults())[slug];
  const { line, uses } = DEFAULT_LICENCE;
  const licence = slug === TERMS_SLUG ? toLicenceFields(line, uses) : {};
  const draft = slug === undefined || !defaultText ? EMPTY : { ...EMPTY, slug, ...defaultText, ...licence };
  open(null, draft);
}

function open(version: number | null, draft: PageDraft): void {
  $pageEditor.set({ state: 'open', form: createPageForm(version, draft), isSaved: version !== null });
}

function toDraft({ slug, title, order, is_listed, body, ...page }: EditedPage): PageDraft {
  const licence = toLicenceFields(page.licence_line, page.licence_uses);
  return { slug, title, order: String(order), is_listed, body, ...licence };
}

function createPageForm(version: number | null, initial: PageDraft) {
  // Empty until a new page is saved.
  let { slug } = initial;
  const versioned = createVersioned(version, async () => {
    const page = await findPage(slug);
    return page && { version: page.updated_at, values: toDraft(page) };
  });
  return createForm({
    schema: PageFields,
    initial,
    afterSave: 'keep',
    explain: ({ problems }) => problems,
    versioned,
    async send(draft) {
      const signal = memberSignal();
      versioned.continueFrom(await versioned.send((seen) => savePage(seen, draft)));
      if (signal.aborted) return;
      slug = draft.slug;
      const editor = $pageEditor.get();
      if (editor.state === 'open') $pageEditor.set({ ...editor, isSaved: true });
      showToast('success', '保存しました。5秒以内に公開ページに反映されます。');
      $pages.revalidate();
    },
  });
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

/** Returns the new version. */
async function savePage(version: number | null, draft: PageDraft): Promise<number> {
  const { slug, title, body, order, is_listed, licence_line } = draft;
  const licence_uses = LICENCE_USES.filter((use) => draft[toUseField(use)]);
  const page = { title, body, order: toNumber(order), is_listed, licence_line, licence_uses };
  const { updated_at } =
    version === null
      ? await callApi(createOperatorPage, { body: { slug, ...page } })
      : await callApi(saveOperatorPage, { params: { slug }, body: { ...page, updated_at: version } });
  return updated_at;
}

/** null: it was deleted. */
async function findPage(slug: string): Promise<EditedPage | null> {
  try {
    return await callApi(getOperatorPage, { params: { slug }, signal: memberSignal() });
  } catch (error) {
    if (error instanceof ApiError && error.kind === 'not-found') return null;
    throw error;
  }
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
export async function showPreview(
  body: string,
  licence_line: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  if (body.trim() === '') return $preview.set({ state: 'empty' });
  try {
    const { html } = await callApi(previewPage, { body: { body, licence_line }, signal });
    if (!signal.aborted) $preview.set({ state: 'ready', html, body });
  } catch (error) {
    if (!signal.aborted) $preview.set({ state: 'failed', error });
  }
}
