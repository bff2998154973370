import { NOT_FOUND_TEXT } from '../platform/http/reply-texts.ts';

export type Route = 'api' | 'media' | 'notice' | 'built' | 'healthz' | 'readyz' | 'page';

const ROUTE = /^\/(?:(api|media|notice)(?:\/|$)|(_)|(healthz|readyz)\/?$)/;

/** What a path that is no static file belongs to. `/_…` is reserved for built files. */
export function findRoute(path: string): Route {
  const [, host, underscore, state] = ROUTE.exec(path) ?? [];
  return ((host ?? state ?? (underscore && 'built')) as Route | undefined) ?? 'page';
}

/** Whether a page belongs to the console of the staff. */
export function isConsolePath(path: string): boolean {
  return /^\/operator(?:\/|$)/.test(path);
}

/** The JSON reply of a route that nothing in this process answers. */
export function toFixedReply(
  route: Exclude<Route, 'page'>,
): readonly [status: 200, body: object] | readonly [status: 404, body: Readonly<Record<string, string>>] {
  if (route === 'healthz') return [200, { status: 'ok' }];
  if (route === 'readyz') return [200, { status: 'ready', parts: {} }];
  if (route === 'api') return [404, { detail: 'このホストはAPIを提供していません。' }];
  return [404, { detail: NOT_FOUND_TEXT }];
}
