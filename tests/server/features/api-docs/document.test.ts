import { readFile, writeFile } from 'node:fs/promises';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { default as addFormats } from 'ajv-formats';
import { format, resolveConfig } from 'prettier';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { lastText } from '#contract/calls/query-values.ts';
import { FEATURES } from '#server/features.ts';
import type { ApiTexts } from '#server/features/api-docs/call-text.ts';
import { describeApi } from '#server/features/api-docs/document.ts';
import { type Parameter, toKey } from '#server/features/api-docs/operations.ts';
import { openConverter } from '#server/features/api-docs/schemas.ts';
import { loadTexts, mergeComponents } from '#server/features/api-docs/texts.ts';
import { type JsonSchema, reply } from '#server/features/api-docs/field.ts';
import { type DeclaredCall, READS } from '#server/platform/http/access.ts';
import { findBreaks } from './api-breaks.ts';
import { createTestModules } from '#support/http/api.ts';

const ROOT = new URL('../../../../', import.meta.url);
const RECORDED = new URL('docs/openapi.json', ROOT);
const BREAKS = new URL('docs/api-breaks.json', ROOT);
/** Of JSON without spaces. */
const BYTES_MAX = 300_000;

const modules = createTestModules();
const texts = await loadTexts(FEATURES);
const callTexts = Object.fromEntries([...texts.values()].flatMap((each) => Object.entries(each.calls)));
const document = await describeApi(FEATURES, modules, { siteName: 'Otoichi' });
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
);

/** Judges values by the document, and their formats by the standards. */
function openAjv(): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, logger: false });
  addFormats(ajv);
  return ajv.addSchema(document, 'api');
}

/** Every part of the document that has fields, with its place. */
function listObjects(value: unknown, place = ''): (readonly [place: string, schema: JsonSchema])[] {
  if (typeof value !== 'object' || value === null) return [];
  const found = 'properties' in value ? [[place, value as JsonSchema] as const] : [];
  return [
    ...found,
    ...Object.entries(value).flatMap(([key, inner]) => listObjects(inner, `${place}/${key}`)),
  ];
}

const CALL = { method: 'GET', path: '/api/page/', reply: v.object({ a: v.string() }) } as const;
const SITE: ApiTexts = {
  area: { tag: 'site', title: 'サイト', position: 1 },
  calls: { 'GET /api/page/': { id: 'listPages', summary: 'ページの一覧' } },
};

/** Describes calls of one feature. */
function describeSite(calls: readonly DeclaredCall[], texts: ApiTexts | null = SITE) {
  const apiTexts = texts === null ? {} : { apiTexts: () => Promise.resolve({ API_TEXTS: texts }) };
  const routes = calls.map((call) => ({ caller: 'anyone', limits: [READS], ...call }) as const);
  return describeApi([{ name: 'site', ...apiTexts }], [{ name: 'site', routes }], { siteName: 'x' });
}

describe('the document of the API', () => {
  test('is valid OpenAPI 3.1 of a bounded size', async () => {
    const result = await new Validator().validate(JSON.parse(JSON.stringify(document)));
    expect(result).toMatchObject({ valid: true });
    expect(JSON.stringify(document).length).toBeLessThan(BYTES_MAX);
  });

  test('describes every public call and nothing of the staff', () => {
    const declared = modules.flatMap(({ routes = [] }) => routes);
    const open = declared.filter(({ caller }) => !caller.startsWith('staff')).map(toKey);
    const described = operations.map(({ method, path }) => `${method.toUpperCase()} ${path}`);
    expect(described.toSorted()).toEqual([...open, 'GET /notice/next'].toSorted());
    expect(declared.length).toBeGreaterThan(open.length);
    expect(JSON.stringify(document)).not.toMatch(/operator|console/i);
  });

  test('has no text without a use', () => {
    const described = operations.map(({ method, path }) => `${method.toUpperCase()} ${path}`);
    expect(Object.keys(callTexts).toSorted()).toEqual(described.toSorted());
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const access of modules.flatMap(({ routes = [] }) => routes)) {
      const { refusals = {} } = callTexts[toKey(access)] ?? {};
      if (access.refuses === undefined || access.caller.startsWith('staff')) continue;
      expect(Object.keys(refusals), toKey(access)).toEqual(access.refuses.map(String));
    }
    for (const { operation, method, path } of operations) {
      const { fields = {} } = callTexts[`${method.toUpperCase()} ${path}`] ?? {};
      const form = (operation.requestBody?.content['multipart/form-data'] ?? {}) as { schema?: JsonSchema };
      const names = new Set([
        ...(operation.parameters ?? []).map(({ name }) => name),
        ...Object.keys((form.schema?.['properties'] ?? {}) as object),
      ]);
      expect(Object.keys(fields).filter((name) => !names.has(name))).toEqual([]);
    }
  });

  test('has an order: each area, and each group of components, has a position of its own', () => {
    const all = [...texts.values()];
    const areas = all.map(({ area }) => area.position);
    const groups = all.flatMap(({ components = {} }) => Object.keys(components));
    for (const positions of [areas, groups]) expect(new Set<unknown>(positions).size).toBe(positions.length);
  });

  test('explains each field with an example of its form', () => {
    const ajv = openAjv();
    for (const [place, { properties }] of listObjects(document)) {
      for (const [name, field] of Object.entries(properties as Record<string, JsonSchema>)) {
        const where = `${place}/${name}`;
        expect(field['description'], where).toMatch(/./);
        if (/#\/components|contentMediaType/.test(JSON.stringify(field))) continue;
        const [example] = (field['examples'] ?? []) as unknown[];
        expect(example, where).toBeDefined();
        expect(ajv.validate(field, example), `${where}: ${ajv.errorsText()}`).toBe(true);
      }
    }
  });

  test('explains each parameter and header with an example of its form', () => {
    const ajv = openAjv();
    for (const { operation } of operations) {
      const responses = [
        ...Object.values(operation.responses),
        ...Object.values(document.components.responses),
      ];
      const headers = responses.flatMap((each) =>
        'headers' in each ? Object.entries(each.headers ?? {}) : [],
      );
      const parameters = (operation.parameters ?? []).map((each) => [each.name, each] as const);
      for (const [name, part] of [...parameters, ...headers]) {
        const { description, example, schema } = part as Parameter;
        const where = `${operation.operationId} ${name}`;
        expect(description, where).toMatch(/./);
        expect(ajv.validate(schema, example), `${where}: ${ajv.errorsText()}`).toBe(true);
      }
    }
  });

  test('names each object of requests and replies, and has no name without a use', () => {
    const unnamed = listObjects(document)
      .map(([place]) => place)
      .filter((place) => !/^\/components\/schemas\/\w+$|multipart/.test(place));
    expect(unnamed).toEqual([]);
    const text = JSON.stringify(document);
    const names = Object.keys(document.components.schemas);
    expect(names.filter((name) => !text.includes(`"#/components/schemas/${name}"`))).toEqual([]);
  });

  test('has patterns that Python reads as JavaScript does', () => {
    const patterns = [...JSON.stringify(document).matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g)].map(
      ([, text = '']) => JSON.parse(text) as string,
    );
    expect(patterns.length).toBeGreaterThan(10);
    expect(patterns.filter((pattern) => /\\[dwspb]/i.test(pattern))).toEqual([]);
    const control = patterns.find((pattern) => pattern.includes('u0000')) ?? expect.unreachable();
    for (const [value, fits] of [
      ['abc', true],
      ['雨の音', true],
      ['a\u0000', false],
      ['\u009f', false],
      ['', false],
      ['x'.repeat(201), false],
    ] as const) {
      expect([value, new RegExp(control, 'u').test(value)]).toEqual([value, fits]);
    }
  });

  test('describes the parts of a form as lists that may be repeated', () => {
    const form = operations.find(({ operation }) => operation.operationId === 'updateSound');
    const parts = listObjects(form?.operation.requestBody).flatMap(([, { properties }]) =>
      Object.entries(properties as Record<string, JsonSchema>),
    );
    expect(parts.filter(([, { type }]) => type === 'array').map(([name]) => name)).toEqual([
      'sub_genres',
      'moods',
      'licence_uses',
    ]);
  });

  test('publishes only limits that the API counts itself', () => {
    const limits = operations.flatMap(({ operation }) => operation['x-limits'].map(({ by }) => by));
    expect(new Set(limits)).toEqual(new Set(['アドレス', '会員', 'ログインしていない人のアドレス']));
  });

  test('refuses a call without a text, and a status, a parameter or a part of a form without one', async () => {
    const describeCall = (more: object) => describeSite([{ ...CALL, ...more }]);
    await expect(describeCall({})).resolves.toBeDefined();
    await expect(describeSite([CALL], null)).rejects.toThrow('site has a public call');
    const both = describeSite([CALL, { ...CALL, path: '/api/new/' }]);
    await expect(both).rejects.toThrow('its feature has no text for GET /api/new/');
    await expect(describeCall({ path: '/api/new/' })).rejects.toThrow(
      'the feature site describes GET /api/page/, no public call of it',
    );
    await expect(describeCall({ caller: 'staff' })).rejects.toThrow('no public call of it');
    await expect(describeCall({ refuses: [404] })).rejects.toThrow('/api/page/ has no text for 404');
    await expect(describeCall({ reply: undefined })).rejects.toThrow('neither a reply');
    const form = { files: ['picture'], fileBytesMax: 1, texts: ['title'] };
    await expect(describeCall({ form })).rejects.toThrow('picture has no description');
    const query = v.object({ page: v.optional(v.string()) });
    await expect(describeCall({ query })).rejects.toThrow('page has no description');
  });

  test('refuses two components of one name', () => {
    const texts = { ...SITE, components: { Page: reply('x', v.object({}), {}) } };
    const features = new Map([
      ['site', texts],
      ['pages', texts],
    ]);
    expect(() => mergeComponents(features)).toThrow('two components have the name Page');
  });
});

describe('a schema of the contract', () => {
  test('is never described as anything', async () => {
    const { convert } = await openConverter({});
    const reply = (schema: v.GenericSchema) => () => convert(v.object({ field: schema }));
    expect(reply(v.unknown())).toThrow('has no description');
    expect(reply(v.array(v.any()))).toThrow('has no description');
    expect(reply(v.custom<string>(() => true))).toThrow('has no description');
    expect(
      reply(
        v.pipe(
          v.string(),
          v.check(() => true),
        ),
      ),
    ).toThrow('has no text');
    expect(reply(v.date())).toThrow('cannot be converted');
  });

  test('keeps its constraints up to the first transformation, and then the texts of its errors', async () => {
    const { convert } = await openConverter({});
    const body = v.object({
      a: v.pipe(v.string(), v.maxLength(5), v.trim(), v.nonEmpty('空'), v.maxLength(3, '長い')),
      b: v.optional(v.pipe(v.string(), v.regex(/^\p{L}*$/u, '文字'), v.regex(/^x*$/i, '形')), ''),
      c: v.pipe(v.optional(v.string(), ''), v.nonEmpty('必須')),
      d: v.optional(v.boolean(), false),
    });
    expect(convert(body)).toEqual({
      type: 'object',
      properties: {
        a: { type: 'string', maxLength: 5, 'x-rules': ['空', '長い'] },
        b: { type: 'string', 'x-rules': ['文字', '形'] },
        c: { type: 'string', minLength: 1 },
        d: { type: 'boolean', default: false },
      },
      required: ['a', 'c'],
    });
  });

  test('of a query describes the text that is sent, as a number where it is one', async () => {
    const { convert } = await openConverter({});
    const page = v.pipe(lastText, v.regex(/^\d+$/), v.transform(Number), v.maxValue(9));
    const query = v.object({ page: v.optional(page), user: v.optional(v.pipe(lastText, v.maxLength(4))) });
    expect(convert(query)).toEqual({
      type: 'object',
      properties: { page: { type: 'integer', maximum: 9 }, user: { type: 'string', maxLength: 4 } },
    });
  });
});

describe('a client that was written for the recorded document', () => {
  test('still works, unless a break is recorded', async () => {
    const recorded = JSON.parse(await readFile(RECORDED, 'utf8')) as object;
    const deliberate = JSON.parse(await readFile(BREAKS, 'utf8')) as readonly { readonly break: string }[];
    const breaks = findBreaks(recorded, document).filter(
      (text) => !deliberate.some((each) => each.break === text),
    );
    expect(
      breaks,
      'clients break: keep the old form beside the new one, or add these lines with a reason to docs/api-breaks.json',
    ).toEqual([]);

    const text = await format(JSON.stringify(document), {
      ...(await resolveConfig(RECORDED)),
      parser: 'json',
    });
    if (process.env['UPDATE_OPENAPI'] === '1') await writeFile(RECORDED, text);
    expect(
      await readFile(RECORDED, 'utf8'),
      'the API has changed: record it with UPDATE_OPENAPI=1 npx vitest run --project api tests/server/features/api-docs',
    ).toBe(text);
  });
});
