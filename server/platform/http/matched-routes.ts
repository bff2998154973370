import type { IncomingMessage } from 'node:http';
import type { MiddlewareHandler } from 'hono';
import { matchedRoutes } from 'hono/route';
import type { DeclaredCall } from './access.ts';
import type { ApiEnv } from './context.ts';
import { toRoutePath } from './route.ts';

const matched = new WeakMap<IncomingMessage, string>();

/** Notes which route each request matches, also if it is refused before the route runs. */
export function noteRoutes(routes: readonly DeclaredCall[]): MiddlewareHandler<ApiEnv> {
  const names = new Map(
    routes.map(({ method, path }) => [toKey(method, toRoutePath(path)), toKey(method, path)]),
  );
  return async (context, next) => {
    const incoming = context.env?.incoming;
    if (incoming !== undefined) {
      const route = matchedRoutes(context).find(({ method, path }) => names.has(toKey(method, path)));
      if (route !== undefined) matched.set(incoming, names.get(toKey(route.method, route.path)) ?? '');
    }
    await next();
  };
}

/** The declared method and path of the route, such as `GET /api/sounds/{id}/`; undefined if the API has none for it. */
export function findMatchedRoute(request: IncomingMessage): string | undefined {
  return matched.get(request);
}

function toKey(method: string, path: string): string {
  return `${method} ${path}`;
}
