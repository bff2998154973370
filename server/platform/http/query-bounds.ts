/** Twice the parameters that any call has. */
export const QUERY_PARAMS_MAX = 200;

/** A query without the parameters after the first `max`. */
export function truncateQuery(query: string, max = QUERY_PARAMS_MAX): string {
  let end = -1;
  for (let count = 0; count < max; count += 1) {
    end = query.indexOf('&', end + 1);
    if (end === -1) return query;
  }
  return query.slice(0, end);
}
