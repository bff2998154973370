import type * as v from 'valibot';

type Issue = v.BaseIssue<unknown>;

/** What a value has to be, by the type of the schema or action that refused it. */
const TEXTS: Readonly<Record<string, (issue: Issue) => string>> = {
  string: () => '文字列で指定してください。',
  number: () => '数値で指定してください。',
  boolean: () => 'true か false で指定してください。',
  array: () => 'リストで指定してください。',
  object: () => 'オブジェクトで指定してください。',
  integer: () => '整数で指定してください。',
  safe_integer: () => '整数で指定してください。',
  min_value: ({ requirement }) => `${String(requirement)}以上にしてください。`,
  max_value: ({ requirement }) => `${String(requirement)}以下にしてください。`,
  min_length: ({ input, requirement }) => `${String(requirement)}${toUnit(input)}以上にしてください。`,
  max_length: ({ input, requirement }) => `${String(requirement)}${toUnit(input)}以内にしてください。`,
  non_empty: () => '入力してください。',
  literal: toChoices,
  picklist: toChoices,
  variant: toChoices,
};

/**
 * Why a schema without a text of its own refuses a value. Names what is expected and never repeats the value, which can
 * be as long as the call.
 */
export function describeIssue(issue: Issue): string {
  // A key that is missing is reported by the object.
  if (issue.input === undefined) return 'この項目は必須です。';
  return TEXTS[issue.type]?.(issue) ?? 'この値は正しくありません。';
}

/** `expected` is `"a"` or `("a" | "b")`. */
function toChoices({ expected }: Issue): string {
  const choices = [...(expected ?? '').matchAll(/"([^"]*)"/g)].map(([, choice]) => choice);
  return choices.length === 0
    ? 'この値は正しくありません。'
    : `次のどれかを指定してください：${choices.join('、')}`;
}

const toUnit = (input: unknown) => (Array.isArray(input) ? '件' : '文字');
