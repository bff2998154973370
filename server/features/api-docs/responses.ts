import { RECENT_LOGIN_REQUIRED } from '../../../contract/calls/errors.ts';
import type { CallText, DescribedCall, ResponseObject } from './call-text.ts';

export type Reference = { readonly $ref: string };
export type Responses = Record<string, ResponseObject | Reference>;

const PROBLEM = { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } };
const RETRY_AFTER = {
  'Retry-After': {
    description: '再試行までの秒数',
    example: 30,
    required: true,
    schema: { type: 'integer', minimum: 0 },
  },
};

/** Every refusal has this form: the texts by the field that they are about (decision 006). */
export const PROBLEM_SCHEMA = {
  type: 'object',
  description: 'エラーの文を、項目の名前ごとに示す',
  properties: {
    detail: {
      type: 'string',
      description: '呼び出し全体についての文',
      examples: ['ログインしてください。'],
    },
    code: {
      type: 'string',
      description: 'プログラムのための印',
      examples: [RECENT_LOGIN_REQUIRED],
    },
  },
  additionalProperties: { type: 'string' },
  minProperties: 1,
  examples: [{ title: 'タイトルは100文字以内で入力してください。' }],
};

/** Refusals that are the same for many calls. */
export const COMMON_RESPONSES = {
  BadRequest: { description: '送った内容に誤りがある', content: PROBLEM },
  Unauthorized: { description: 'ログインしていないか、トークンの期限が切れている', content: PROBLEM },
  Forbidden: {
    description: '許可されていない（他のサイトからの操作、XSRFの確認、アカウントの制限など）',
    content: PROBLEM,
  },
  TooLarge: { description: '本文が大きすぎる', content: PROBLEM },
  UriTooLong: { description: 'アドレスが長すぎる', content: PROBLEM },
  UnsupportedType: { description: 'Content-Type が異なる', content: PROBLEM },
  TooManyRequests: { description: '回数の上限を超えた', headers: RETRY_AFTER, content: PROBLEM },
  Unavailable: { description: '混み合っている', headers: RETRY_AFTER, content: PROBLEM },
  ServerError: { description: 'サーバーのエラー', content: PROBLEM },
} as const satisfies Record<string, ResponseObject>;

const COMMON_BY_STATUS: Readonly<Record<string, keyof typeof COMMON_RESPONSES>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  413: 'TooLarge',
  414: 'UriTooLong',
  415: 'UnsupportedType',
  429: 'TooManyRequests',
  503: 'Unavailable',
  '5XX': 'ServerError',
};

/** A JSON reply with status 200. */
export function toSuccess(schema: object, description = '成功'): ResponseObject {
  return { description, content: { 'application/json': { schema } } };
}

/** Everything that a call can be refused with. Throws if the texts are not those of the statuses of the contract. */
export function toRefusals(
  { method, path, caller, body, form, refuses }: DescribedCall,
  texts: CallText['refusals'] = {},
): Responses {
  const missing = refuses?.find((status) => !(status in texts));
  if (missing !== undefined) throw new Error(`${method} ${path} has no text for ${missing}`);
  const isChange = method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS';
  const hasBody = body !== undefined || form !== undefined;
  const refusesSome = isChange || /blocked|verified|staff/.test(caller);
  const statuses = ['400', '401', ...(refusesSome ? ['403'] : []), ...(hasBody ? ['413', '415'] : [])];
  const common = [...statuses, '414', '429', '503', '5XX'].map(
    (status) => [status, { $ref: `#/components/responses/${COMMON_BY_STATUS[status]}` }] as const,
  );
  const own = Object.entries(texts).map(([status, description]) => {
    return [
      status,
      { description, ...(status === '503' && { headers: RETRY_AFTER }), content: PROBLEM },
    ] as const;
  });
  return Object.fromEntries<Responses[string]>([...common, ...own]);
}
