import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type * as v from 'valibot';

/** A refused call: the status and the messages of its body, field by field (docs/decisions/006). */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly status: ContentfulStatusCode;
  readonly fields: Readonly<Record<string, string>>;

  constructor(status: ContentfulStatusCode, fields: Readonly<Record<string, string>> | string) {
    const named = typeof fields === 'string' ? { detail: fields } : fields;
    super(Object.values(named)[0] ?? `status ${status}`);
    this.status = status;
    this.fields = named;
  }
}

/** The mismatches with a schema in the form of a reply: the first reason of each field; later ones follow from it. */
export function toProblem(issues: readonly v.BaseIssue<unknown>[]): Problem {
  const reasons = issues.map((issue) => [String(issue.path?.[0]?.key ?? 'detail'), issue.message] as const);
  return new Problem(400, Object.fromEntries(reasons.toReversed()));
}

export function notFound(): Problem {
  return new Problem(404, '見つかりませんでした。');
}
