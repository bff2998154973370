import type { Feature } from '../feature.ts';
import type { ApiTexts, DescribedCall } from './call-text.ts';
import { toKey, toOperation } from './operations.ts';
import type { Operation } from './operations.ts';
import { COMMON_RESPONSES, PROBLEM_SCHEMA } from './responses.ts';
import { openConverter } from './schemas.ts';
import type { JsonSchema } from './field.ts';
import { loadTexts, mergeComponents } from './texts.ts';

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
interface DescribedModule {
  /** That of its feature. */
  readonly name: string;
  readonly routes?: readonly DescribedCall[];
}

/**
 * Describes the calls of the modules with the texts of their features. Calls of the staff are left out unless
 * `withStaff` is set: the document is public, and for everyone else they do not exist. Throws if a schema or a call has
 * no description, and if a description has no call.
 */
export async function describeApi(
  features: readonly Pick<Feature, 'name' | 'apiTexts'>[],
  modules: readonly DescribedModule[],
  { siteName, withStaff = false }: { readonly siteName: string; readonly withStaff?: boolean },
): Promise<ApiDocument> {
  const texts = await loadTexts(features);
  const converter = await openConverter(mergeComponents(texts));
  const paths: Record<string, Record<string, Operation>> = {};
  const toPosition = ({ name }: DescribedModule) => texts.get(name)?.area.position ?? 0;
  for (const { name, routes = [] } of modules.toSorted((one, other) => toPosition(one) - toPosition(other))) {
    const own = texts.get(name);
    const calls = [...routes, ...(own?.callsWithoutRule ?? [])];
    requireCalls(name, own, calls);
    for (const each of calls) {
      if (isOfStaff(each) && !withStaff) continue;
      const tag = own?.area.tag ?? (isOfStaff(each) ? name : undefined);
      if (tag === undefined) throw new Error(`the feature ${name} has a public call and no apiTexts`);
      const key = toKey(each);
      const [method = ''] = key.split(' ');
      try {
        (paths[each.path] ??= {})[method.toLowerCase()] = toOperation(each, tag, own?.calls[key], converter);
      } catch (cause) {
        throw new Error(`${key} cannot be described: ${String(cause)}`, { cause });
      }
    }
  }
  return {
    openapi: '3.1.1',
    info: { title: `${siteName} API`, version: API_VERSION, description: DESCRIPTION },
    servers: [{ url: '/' }],
    tags: [...texts.values()].map(({ area }) => ({ name: area.tag, description: area.title })),
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

/** Throws if a feature describes anything but its own public calls. */
function requireCalls(name: string, texts: ApiTexts | undefined, calls: readonly DescribedCall[]): void {
  const open = new Set(calls.filter((call) => !isOfStaff(call)).map(toKey));
  const other = Object.keys(texts?.calls ?? {}).find((key) => !open.has(key));
  if (other !== undefined) throw new Error(`the feature ${name} describes ${other}, no public call of it`);
}

function isOfStaff({ caller }: DescribedCall): boolean {
  return caller.startsWith('staff');
}
