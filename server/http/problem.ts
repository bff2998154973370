import type { ContentfulStatusCode } from 'hono/utils/http-status';

/** A call that is refused: the status and what its body says, field by field (decisions.md). */
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

export function notFound(): Problem {
  return new Problem(404, '見つかりませんでした。');
}
