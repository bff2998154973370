/** A boolean query to the search index, independent of the database. */
export type SearchExpression =
  | string
  | { readonly all: readonly SearchExpression[] }
  | { readonly any: readonly SearchExpression[] }
  | { readonly one: SearchExpression; readonly not: SearchExpression };

/** In the syntax of FTS5. Tokens hold letters, digits and symbols outside ASCII only, so quoting is safe. */
export function toFtsQuery(expression: SearchExpression): string {
  if (typeof expression === 'string') return `"${checked(expression)}"`;
  if ('all' in expression) return `(${expression.all.map(toFtsQuery).join(' AND ')})`;
  if ('any' in expression) return `(${expression.any.map(toFtsQuery).join(' OR ')})`;
  return `(${toFtsQuery(expression.one)} NOT ${toFtsQuery(expression.not)})`;
}

/** In the syntax of PostgreSQL's tsquery. */
export function toTsquery(expression: SearchExpression): string {
  if (typeof expression === 'string') return `'${checked(expression)}'`;
  if ('all' in expression) return `(${expression.all.map(toTsquery).join(' & ')})`;
  if ('any' in expression) return `(${expression.any.map(toTsquery).join(' | ')})`;
  return `(${toTsquery(expression.one)} & !${toTsquery(expression.not)})`;
}

/**
 * Splits the query into several PostgreSQL tsqueries, all of which must match: GIN intersects them and skips ahead in
 * each; within one tsquery it would check every hit of the rarest token.
 */
export function toTsqueries(expression: SearchExpression): string[] {
  return toParts(expression).map(toTsquery);
}

function toParts(expression: SearchExpression): SearchExpression[] {
  if (typeof expression === 'string') return [expression];
  if ('all' in expression) return expression.all.flatMap(toParts);
  if ('any' in expression) {
    const [last = [], ...others] = expression.any.map(toParts).toReversed();
    // “a or (b and c)” is “(a or b) and (a or c)”; with more than one such choice the query would grow exponentially.
    if (others.some((parts) => parts.length > 1)) return [expression];
    return last.map((part) => ({ any: [...others.flat(), part] }));
  }
  // A tsquery with exclusions only would make GIN scan everything, so it is combined with the terms that it restricts.
  const wanted = toParts(expression.one);
  const [last] = wanted.splice(-1);
  return last === undefined ? [] : [...wanted, { one: last, not: expression.not }];
}

/** Maps every token of an expression. */
export function mapTokens(expression: SearchExpression, change: (token: string) => string): SearchExpression {
  if (typeof expression === 'string') return change(expression);
  if ('all' in expression) return { all: expression.all.map((part) => mapTokens(part, change)) };
  if ('any' in expression) return { any: expression.any.map((part) => mapTokens(part, change)) };
  return { one: mapTokens(expression.one, change), not: mapTokens(expression.not, change) };
}

/** How many tokens a query looks up. */
export function countTokens(expression: SearchExpression): number {
  if (typeof expression === 'string') return 1;
  const parts =
    'all' in expression
      ? expression.all
      : 'any' in expression
        ? expression.any
        : [expression.one, expression.not];
  return parts.reduce((tokens, part) => tokens + countTokens(part), 0);
}

/** Last safeguard: a token that could end its quotes never reaches a database. */
function checked(token: string): string {
  if (/[\u0000-/:-@[-`{-\u007f]/.test(token)) throw new Error(`not a search token: ${JSON.stringify(token)}`);
  return token;
}
