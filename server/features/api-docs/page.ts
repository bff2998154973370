import { createHash } from 'node:crypto';
import { html, raw } from 'hono/html';
import type { ApiDocument } from './document.ts';
import { toCurl } from './example.ts';
import type { Operation, PublishedLimit } from './operations.ts';
import { resolve } from './references.ts';
import type { Reference, ResponseObject } from './responses.ts';
import { renderDetails, renderFields, renderType, toSchemaId } from './schema-html.ts';
import type { Html } from './schema-html.ts';
import type { JsonSchema } from './field.ts';
import { STYLES } from './styles.ts';

const STYLE_HASH = createHash('sha256').update(STYLES).digest('base64');

/** Nothing but the page's own style sheet. */
export const DOCS_POLICY = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

interface Call {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

/** The document as a page without scripts: the calls by area, then the named schemas. */
export function renderDocs(document: ApiDocument): string {
  const { info, components } = document;
  const calls = listCalls(document);
  const byArea = Map.groupBy(calls, ({ operation }) => operation.tags[0] ?? '');
  const areas = document.tags.flatMap(({ name, description }) => {
    const inArea = byArea.get(name);
    return inArea ? [{ name, title: description, inArea }] : [];
  });
  const bodies = new Set(calls.flatMap(({ operation }) => listBodies(operation).map(([, { $ref }]) => $ref)));
  const replies = Object.entries(components.schemas).filter(
    ([name]) => !bodies.has(`#/components/schemas/${name}`),
  );
  const page = html`<!doctype html>
    <html lang="ja">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${info.title}</title>
        ${raw(`<style>${STYLES}</style>`)}
      </head>
      <body>
        <header>
          <h1>${info.title}</h1>
          ${info.description.split('\n').map((line) => html`<p>${line}</p>`)}
          <p>
            同じ内容の<a href="/api/openapi.json">OpenAPI 3.1の文書</a
            >から、型やクライアントを生成できます。例の <code>$API</code> はこのホストのアドレス、<code
              >$ACCESS</code
            >
            はログインで得た access です。
          </p>
        </header>
        <nav aria-label="目次">
          <h2>目次</h2>
          ${areas.map(renderContents)}
          <p><a href="#schemas">返答の型</a></p>
        </nav>
        <main>
          ${areas.map(
            ({ name, title, inArea }) =>
              html`<section>
                <h2 id="${toAreaId(name)}">${title}</h2>
                ${inArea.map((call) => renderCall(call, document))}
              </section>`,
          )}
          <section>
            <h2 id="schemas">返答の型</h2>
            ${replies.map(([name, schema]) => renderNamed(name, schema))}
          </section>
        </main>
      </body>
    </html>`;
  return String(page).replace(/\n\s+(?=<)/g, '\n');
}

function listCalls({ paths }: ApiDocument): Call[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
}

function toAreaId(area: string): string {
  return `area-${area}`;
}

/** The bodies of a call by their type. */
function listBodies({ requestBody }: Operation): [type: string, schema: JsonSchema][] {
  return Object.entries(requestBody?.content ?? {}).map(([type, media]) => [
    type,
    (media as { readonly schema: JsonSchema }).schema,
  ]);
}

interface Area {
  readonly name: string;
  readonly title: string;
  readonly inArea: readonly Call[];
}

function renderContents({ name, title, inArea }: Area): Html {
  const links = inArea.map(
    ({ operation }) => html`<li><a href="#${operation.operationId}">${operation.summary}</a></li>`,
  );
  return html`<h3><a href="#${toAreaId(name)}">${title}</a></h3>
    <ul>
      ${links}
    </ul>`;
}

function renderCall({ method, path, operation }: Call, document: ApiDocument): Html {
  const { operationId, summary, description, parameters = [], responses } = operation;
  const bodies = listBodies(operation).map(
    ([type, schema]) => [type, resolve(schema, document.components)] as const,
  );
  const extension = operation['x-extension'];
  return html`<article id="${operationId}">
    <h3>${summary}</h3>
    <p class="call"><b>${method}</b> <code>${path}</code></p>
    ${description === undefined ? '' : html`<p>${description}</p>`}
    <ul class="facts">
      <li>呼び出せる人：${operation['x-caller']}</li>
      ${operation['x-limits'].map((limit) => html`<li>上限：${toLimitText(limit)}</li>`)}
      ${extension === undefined ? '' : html`<li>拡張${typeof extension === 'string' ? `（${extension}）` : ''}</li>`}
    </ul>
    ${
      parameters.length === 0
        ? ''
        : html`<h4>条件</h4>
            <div class="fields">
              ${parameters.map(
                (each) =>
                  html`<p class="field">
                      <code>${each.name}</code>
                      <span
                        >${PLACES[each.in]}、${renderType(each.schema)}${each.required ? '' : '、任意'}${toExtensionText(each)}</span
                      >
                    </p>
                    ${renderDetails({ ...each.schema, examples: [each.example] }, each.description)}`,
              )}
            </div>`
    }
    ${bodies.map(
      ([type, schema]) =>
        html`<h4>本文（${type}）</h4>
          ${renderFields(schema)}`,
    )}
    <h4>返答</h4>
    <div class="fields">
      ${Object.entries(responses).map(([status, response]) => renderResponse(status, response, document))}
    </div>
    <h4>例</h4>
    <pre><code>${toCurl(method, path, operation, bodies)}</code></pre>
  </article>`;
}

function toExtensionText({ 'x-extension': extension }: Pick<Operation, 'x-extension'>): string {
  if (extension === undefined) return '';
  return extension === true ? '、拡張' : `、拡張（${extension}）`;
}

const PLACES: Readonly<Record<string, string>> = { path: 'パス', query: 'クエリ', header: 'ヘッダー' };

function toLimitText({ by, calls, seconds, acceptedOnly }: PublishedLimit): string {
  const counted = acceptedOnly ? '（受け付けられたものだけを数える）' : '';
  return `${by}ごとに${toPeriod(seconds)}${calls.toLocaleString('ja-JP')}回${counted}`;
}

function toPeriod(seconds: number): string {
  if (seconds % 86_400 === 0) return `${seconds / 86_400}日に`;
  if (seconds % 3_600 === 0) return `${seconds / 3_600}時間に`;
  return seconds % 60 === 0 ? `${seconds / 60}分に` : `${seconds}秒に`;
}

function renderResponse(status: string, response: ResponseObject | Reference, document: ApiDocument): Html {
  const { description, content = {} } = resolve(response, document.components);
  const schema = content['application/json']?.schema as JsonSchema | undefined;
  const isSuccess = status.startsWith('2');
  return html`<p class="field"><code>${status}</code> ${description}</p>
    ${
      isSuccess && schema
        ? html`<div class="detail">
            ${'properties' in schema ? renderFields(schema) : renderType(schema)}
          </div>`
        : ''
    }`;
}

function renderNamed(name: string, schema: JsonSchema): Html {
  return html`<article id="${toSchemaId(name)}">
    <h3>${name}</h3>
    ${typeof schema['description'] === 'string' ? html`<p>${schema['description']}</p>` : ''}
    ${'properties' in schema ? renderFields(schema) : renderType(schema)}
  </article>`;
}
