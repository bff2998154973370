import { findRoute } from '../routes.ts';
import type { Route } from '../routes.ts';

const KINDS = {
  page: 'page',
  api: 'api',
  media: 'media',
  notice: 'notice',
  built: 'static',
  healthz: 'health',
  readyz: 'health',
} as const satisfies Record<Route, string>;

/** What a request is counted as, by its raw target: a value from a fixed set, whatever is requested. */
export function toRequestKind(url: string, isStaticFile: (path: string) => boolean): (typeof KINDS)[Route] {
  const [path = ''] = url.split('?', 1);
  return isStaticFile(path) ? 'static' : KINDS[findRoute(path)];
}
