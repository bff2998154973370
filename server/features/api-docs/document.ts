import { NEXT_NOTICE_PATH, NextNoticeSchema } from '../../../contract/ads.ts';
import type { Access } from '../../platform/http/access.ts';
import type { Module } from '../../platform/http/module.ts';
import { AREAS } from './calls/calls.ts';
import { toKey, toOperation } from './operations.ts';
import type { Operation } from './operations.ts';
import { COMMON_RESPONSES, PROBLEM_SCHEMA } from './responses.ts';
import { openConverter } from './schemas.ts';
import type { JsonSchema } from './field.ts';

/** The description of the API by OpenAPI 3.1. */
export interface ApiDocument {
  readonly openapi: '3.1.1';
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  /** Of this host: the addresses of calls are relative to its origin. */
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly responses: Readonly<Record<string, object>>;
    readonly securitySchemes: Readonly<Record<string, object>>;
  };
}

/** Changes only with a deliberate break, see docs/api.md. */
const API_VERSION = '1';

const DESCRIPTION = `音素材サイトのAPIです。アドレスの末尾の / は省略できます。
会員としての呼び出しには、ログインで得た access を Authorization: Bearer で送ります。
ブラウザーから同じサイトの変更を呼び出すときは、Cookie XSRF-TOKEN の値を X-XSRF-TOKEN で送り返します。
エラーの本文は、項目の名前ごとの文です。知らない項目や値は無視してください。項目は増えることがあります。
回数の上限を超えると、429 と Retry-After（秒）を返します。ここにない上限もあります。
x-extension のある呼び出しと条件は拡張で、site-config の is_extended が true のホストだけが受け付けます。
日時はUTC、月と日は日本時間、金額は円です。
画像や音声のアドレスは返答に含まれます。組み立てずにそのまま使ってください。`;

/** What a module answers, with or without the handlers. */
export interface DescribedModule extends Pick<Module, 'name'> {
  readonly routes?: readonly Access[];
}

/** Served beside the API, without a rule. */
const NOTICE_CALLS: DescribedModule = {
  name: 'notices',
  routes: [
    {
      method: 'GET',
      path: NEXT_NOTICE_PATH,
      caller: 'anyone',
      owner: 'nothing',
      reply: NextNoticeSchema,
      limits: [] as unknown as Access['limits'],
    },
  ],
};

/**
 * Describes the calls of the modules. Calls of the staff are left out unless `withStaff` is set: the document is public,
 * and for everyone else they do not exist. Throws if a schema or a call has no description.
 */
export async function describeApi(
  modules: readonly DescribedModule[],
  { siteName, withStaff = false }: { readonly siteName: string; readonly withStaff?: boolean },
): Promise<ApiDocument> {
  const converter = await openConverter();
  const paths: Record<string, Record<string, Operation>> = {};
  const names = Object.keys(AREAS);
  const ordered = [...modules, NOTICE_CALLS].toSorted(
    (one, other) => names.indexOf(one.name) - names.indexOf(other.name),
  );
  for (const { name, routes = [] } of ordered) {
    for (const each of routes) {
      const isStaff = each.caller.startsWith('staff');
      if (isStaff && !withStaff) continue;
      const area = AREAS[name]?.tag ?? (isStaff ? name : undefined);
      if (area === undefined) throw new Error(`calls.ts has no area for the module ${name}`);
      const [method = ''] = toKey(each).split(' ');
      try {
        (paths[each.path] ??= {})[method.toLowerCase()] = toOperation(each, area, converter);
      } catch (cause) {
        throw new Error(`${toKey(each)} cannot be described: ${String(cause)}`, { cause });
      }
    }
  }
  return {
    openapi: '3.1.1',
    info: { title: `${siteName} API`, version: API_VERSION, description: DESCRIPTION },
    servers: [{ url: '/' }],
    tags: Object.values(AREAS).map(({ tag, title }) => ({ name: tag, description: title })),
    paths,
    components: {
      schemas: { Problem: PROBLEM_SCHEMA, ...converter.named },
      responses: COMMON_RESPONSES,
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'ログインで得た access（15分間有効）' },
      },
    },
  };
}
