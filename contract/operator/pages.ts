import * as v from 'valibot';
import { defineEndpoint } from '../calls/endpoint.ts';
import { LICENCE_USES } from '../sounds/sound-facts.ts';
import { cleanMarkdown, cleanText, lineField, requiredLine } from '../values/texts.ts';

/** Extra pages in the console: `/content/{slug}`, and the texts that replace a default text. */

/** In code points. */
export const PAGE_TITLE_LENGTH_MAX = 100;
/** Of the Markdown in UTF-8. */
export const PAGE_BODY_BYTES_MAX = 256 * 1024;
export const PAGE_ORDER_MAX = 999_999;
/** More pages cannot be created. */
export const PAGES_MAX = 200;
/** Each line end and quotation mark takes two bytes in JSON. */
const JSON_BYTES_MAX = 2 * PAGE_BODY_BYTES_MAX + 16 * 1024;

const encoder = /* @__PURE__ */ new TextEncoder();

/** The size of a page's Markdown, in bytes of UTF-8. */
export function measurePageBody(body: string): number {
  return encoder.encode(body).byteLength;
}

const BodySchema = v.pipe(
  v.string('本文を入力してください。'),
  v.transform(cleanMarkdown),
  v.check(
    (text) => measurePageBody(text) <= PAGE_BODY_BYTES_MAX,
    `本文は${PAGE_BODY_BYTES_MAX / 1024}KBまでです。`,
  ),
);

export const LICENCE_LINE_LENGTH_MAX = 200;
/** With these, Markdown would show another line in the terms. */
const MARKUP = /[\\`*_[\]<>&#~|{}]|^(?:[-+=]|\d+[.)])/;

/** The line as an operator writes it; '' for none. */
const LicenceLineSchema = v.pipe(
  lineField('利用条件の一行', LICENCE_LINE_LENGTH_MAX),
  v.check(
    (line) => !MARKUP.test(line),
    '\\ ` * _ [ ] < > & # ~ | { } の記号と、先頭の「-」「+」「=」「1.」は使えません。',
  ),
);

const page = {
  title: requiredLine('タイトル', PAGE_TITLE_LENGTH_MAX),
  /** Position in the footer, lowest first. */
  order: v.pipe(
    v.number('並び順は数字で入力してください。'),
    v.integer('並び順は整数で入力してください。'),
    v.minValue(0, '並び順は0以上で入力してください。'),
    v.maxValue(PAGE_ORDER_MAX, `並び順は${PAGE_ORDER_MAX}以下で入力してください。`),
  ),
  /** Whether the footer links to it. */
  is_listed: v.boolean(),
  /** Markdown. */
  body: v.pipe(
    BodySchema,
    v.check((text) => cleanText(text) !== '', '本文を入力してください。'),
  ),
  /** Of the terms for members: what they give for every sound in one line, and which uses these are. '': no line. */
  licence_line: v.optional(LicenceLineSchema, ''),
  licence_uses: v.optional(v.array(v.picklist(LICENCE_USES)), []),
};

const VersionSchema = v.pipe(v.number(), v.safeInteger());

const ListedPageSchema = v.object({
  slug: v.string(),
  title: v.string(),
  order: v.number(),
  is_listed: v.boolean(),
  updated_at: v.number(),
});
export type ListedPage = v.InferOutput<typeof ListedPageSchema>;

/** Pages with a text of the operator, in the order of the footer. */
export const listOperatorPages = defineEndpoint({
  method: 'GET',
  path: '/api/operator/pages/',
  reply: v.object({ results: v.array(ListedPageSchema) }),
});

const EditedPageSchema = v.object({
  ...ListedPageSchema.entries,
  body: v.string(),
  licence_line: v.string(),
  licence_uses: v.array(v.string()),
});
export type EditedPage = v.InferOutput<typeof EditedPageSchema>;

/** A page as it is edited. `updated_at` is its version. */
export const getOperatorPage = defineEndpoint({
  method: 'GET',
  path: '/api/operator/pages/{slug}/',
  reply: EditedPageSchema,
});

/** Creates a page. The slug must be new. */
export const createOperatorPage = defineEndpoint({
  method: 'POST',
  path: '/api/operator/pages/',
  body: v.object({ slug: v.string('URLを入力してください。'), ...page }),
  bodyBytesMax: JSON_BYTES_MAX,
  reply: v.object({ updated_at: v.number() }),
  refuses: [400, 413],
});

/** Replaces a page that is still at the version in which it was opened. */
export const saveOperatorPage = defineEndpoint({
  method: 'POST',
  path: '/api/operator/pages/{slug}/',
  body: v.object({ ...page, updated_at: VersionSchema }),
  bodyBytesMax: JSON_BYTES_MAX,
  reply: v.object({ updated_at: v.number() }),
  refuses: [400, 409, 413],
});

/** Deletes a page that is still at the given version; the default text, if any, is shown again. */
export const removeOperatorPage = defineEndpoint({
  method: 'POST',
  path: '/api/operator/pages/{slug}/remove/',
  body: v.object({ updated_at: VersionSchema }),
  reply: v.object({ state: v.literal('removed') }),
  refuses: [409],
});

/** Renders Markdown as the public page does. */
export const previewPage = defineEndpoint({
  method: 'POST',
  path: '/api/operator/page-preview/',
  /** `licence_line`: that of terms that are not saved yet. */
  body: v.object({ body: BodySchema, licence_line: v.optional(LicenceLineSchema) }),
  bodyBytesMax: JSON_BYTES_MAX,
  reply: v.object({ html: v.string() }),
  refuses: [400, 413],
});
