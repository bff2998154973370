import { Hono } from 'hono';
import { cors } from 'hono/cors';
import { IDEMPOTENCY_HEADER } from '../contract/calls/endpoint.ts';
import { RESUMABLE_UPLOADS_PATH } from '../contract/sounds/resumable-uploads.ts';
import { admitReads } from './platform/http/read-admission.ts';
import { answerFailure, answerUnknown } from './platform/http/failures.ts';
import { noteRoutes } from './platform/http/matched-routes.ts';
import { boundedQuery, requestId, sameOriginOnly } from './platform/http/guards.ts';
import { serveRoutes } from './platform/http/route.ts';
import { xsrfToken } from './platform/http/xsrf.ts';
import type { AccessDeps, Identify } from './platform/http/access.ts';
import type { ApiEnv, Platform } from './platform/http/context.ts';
import type { Module } from './platform/http/module.ts';
import type { Admission } from './platform/limits/admission.ts';

export interface ApiOptions {
  readonly identify: Identify;
  readonly requireStaffLogIn: AccessDeps['requireStaffLogIn'];
  /** Admission of reads from outside, see `admitReads`. */
  readonly readAdmission: Admission;
}

/**
 * The JSON API under `/api/`, with the routes of the modules; it does not listen. The trailing slash of paths is
 * optional. Throws if a route is served twice.
 */
export function createApi(
  platform: Platform,
  modules: readonly Module[],
  { identify, requireStaffLogIn, readAdmission }: ApiOptions,
): Hono<ApiEnv> {
  const app = new Hono<ApiEnv>({ strict: false });
  const webOrigin = platform.webOrigin || null;
  app.onError(answerFailure(platform.logger));
  app.notFound(answerUnknown);
  const routes = modules.flatMap((module) => module.routes ?? []);
  app.use(noteRoutes(routes));
  app.use(requestId);
  if (webOrigin !== null) {
    app.use(
      cors({
        origin: webOrigin,
        credentials: true,
        allowHeaders: [
          'authorization',
          'content-type',
          'x-xsrf-token',
          IDEMPOTENCY_HEADER,
          ...modules.flatMap(({ corsHeaders }) => corsHeaders?.sent ?? []),
        ],
        exposeHeaders: [
          'retry-after',
          'x-request-id',
          ...modules.flatMap(({ corsHeaders }) => corsHeaders?.answered ?? []),
        ],
        maxAge: 600,
      }),
    );
  }
  app.use(boundedQuery);
  app.use(sameOriginOnly(webOrigin, platform.siteUrl));
  app.use(xsrfToken(platform.siteUrl));
  // An upload asks for its offset after each lost connection.
  app.use(admitReads(readAdmission, RESUMABLE_UPLOADS_PATH));
  for (const { middleware } of modules) if (middleware) app.use(middleware);
  const { rateLimits } = platform;
  serveRoutes(app, platform, routes, { rateLimits, identify, requireStaffLogIn });
  return app;
}
