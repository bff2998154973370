import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { html } from 'hono/html';
import type { ApiDocument } from './document.ts';

/** A file that the page loads. Its name contains a hash of its content, so that browsers may keep it. */
export interface PageFile {
  readonly name: string;
  readonly type: string;
  readonly content: Buffer;
}

/** Nothing but the files of the page and the document. Style sheets contain drawings as `data:`. */
export const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** In the order in which the page loads them. */
const SOURCES = [
  'swagger-ui-dist/swagger-ui.css',
  './viewer/page.css',
  'swagger-ui-dist/swagger-ui-bundle.js',
  './viewer/start.js',
] as const;
const TYPES = { css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8' } as const;

export async function readPageFiles(): Promise<PageFile[]> {
  return Promise.all(
    SOURCES.map(async (source) => {
      const content = await readFile(new URL(import.meta.resolve(source)));
      const hash = createHash('sha256').update(content).digest('base64url').slice(0, 12);
      const [, stem = '', ending = ''] = /([^/]+)\.(\w+)$/.exec(source) ?? [];
      return { name: `${stem}.${hash}.${ending}`, type: TYPES[ending as keyof typeof TYPES], content };
    }),
  );
}

/** The page in which Swagger UI shows the document. Without scripts it names the document. */
export function renderPage({ title, description }: ApiDocument['info'], files: readonly PageFile[]): string {
  const addresses = files.map(({ name }) => `/api/docs/${name}`);
  const page = html`<!doctype html>
    <html lang="ja">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        ${addresses.map((address) => (address.endsWith('.css') ? html`<link rel="stylesheet" href="${address}" />` : html`<script src="${address}" defer></script>`))}
      </head>
      <body>
        <header>
          <h1>${title}</h1>
          ${description.split('\n').map((line) => html`<p>${line}</p>`)}
          <p>
            同じ内容の<a href="/api/openapi.json">OpenAPI 3.1の文書（/api/openapi.json）</a
            >から、型やクライアントを生成できます。
          </p>
          <h2>呼び出し</h2>
          <noscript><p>一覧の表示にはJavaScriptが必要です。</p></noscript>
        </header>
        <div id="calls"></div>
      </body>
    </html>`;
  return String(page).replace(/\n\s+(?=<)/g, '\n');
}
