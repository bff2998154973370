import type { ContentfulStatusCode } from 'hono/utils/http-status';
import * as v from 'valibot';
import { describeIssue } from './issue-texts.ts';
import { NOT_FOUND_TEXT } from './reply-texts.ts';

/** A refused call: the status and the messages of its body, field by field (decision 006). */
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

/**
 * Reads a value of a call with its schema. Throws `Problem` 400 with the first reason of each field; later ones follow
 * from it.
 */
export function parseInput<const Schema extends v.GenericSchema>(
  schema: Schema,
  value: unknown,
): v.InferOutput<Schema> {
  const { success, issues, output } = v.safeParse(schema, value, { message: describeIssue });
  if (success) return output;
  const reasons = issues.map((issue) => [String(issue.path?.[0]?.key ?? 'detail'), issue.message] as const);
  throw new Problem(400, Object.fromEntries(reasons.toReversed()));
}

export function notFound(): Problem {
  return new Problem(404, NOT_FOUND_TEXT);
}
