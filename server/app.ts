import { Hono } from 'hono';
import { cors } from 'hono/cors';
import { IDEMPOTENCY_HEADER } from '../contract/endpoint.ts';
import { listAccess } from './access.ts';
import { identify } from './features/accounts/sessions.ts';
import { serveAccounts } from './features/accounts/routes.ts';
import { serveArtists } from './features/artists/routes.ts';
import { serveContact } from './features/messages/contact/routes.ts';
import { serveOwnSounds } from './features/my-sounds/routes.ts';
import { serveDownloads } from './features/downloads/routes.ts';
import { serveFavorites } from './features/catalogue/favorites/routes.ts';
import { serveFinance } from './features/ledger/routes.ts';
import { serveGenres } from './features/catalogue/genres/routes.ts';
import { serveMessages } from './features/messages/routes.ts';
import { servePersonalInfo } from './features/reviews/personal-info/routes.ts';
import { servePictures } from './features/profile/picture-routes.ts';
import { serveProfile } from './features/profile/routes.ts';
import { serveQualityCheck } from './features/reviews/quality-check/routes.ts';
import { serveSite } from './features/site/routes.ts';
import { serveSounds } from './features/catalogue/routes.ts';
import { UPLOAD_HEADERS, serveUploads, tusVersion } from './features/my-sounds/uploads/routes.ts';
import { enforceAccess, requireDeclarations } from './platform/http/access.ts';
import type { Api, ApiDeps, ApiEnv } from './platform/http/context.ts';
import { answerFailure, answerUnknown } from './platform/http/failures.ts';
import { boundedQuery, requestId, sameOriginOnly } from './platform/http/guards.ts';
import { admitReads } from './platform/http/read-admission.ts';
import { xsrfToken } from './platform/http/xsrf.ts';

export type { ApiDeps, ApiEnv } from './platform/http/context.ts';

/**
 * The JSON API under `/api/`; it does not listen. Paths are answered with or without a slash at their end. Throws
 * when a route is not declared in access.ts.
 */
export function createApi(deps: ApiDeps): Hono<ApiEnv> {
  const app = new Hono<ApiEnv>({ strict: false });
  const webOrigin = deps.webOrigin || null;
  app.onError(answerFailure(deps.logger));
  app.notFound(answerUnknown);
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
          ...UPLOAD_HEADERS.sent,
        ],
        exposeHeaders: ['retry-after', 'x-request-id', ...UPLOAD_HEADERS.answered],
        maxAge: 600,
      }),
    );
  }
  app.use(boundedQuery);
  app.use(sameOriginOnly(webOrigin, deps.siteUrl));
  app.use(xsrfToken(deps.siteUrl));
  app.use(admitReads(deps.readAdmission));
  app.use(tusVersion);
  const declarations = listAccess(deps.downloadLimits);
  app.use(enforceAccess({ ...deps, identify: (token) => identify(deps, token) }, declarations));

  const api: Api = { app, deps };
  serveSite(api);
  serveAccounts(api);
  serveProfile(api);
  servePictures(api);
  servePersonalInfo(api);
  serveQualityCheck(api);
  serveContact(api);
  serveArtists(api);
  serveMessages(api);
  serveGenres(api); // before sounds: /api/sounds/types is no sound's address
  serveSounds(api);
  serveOwnSounds(api);
  serveDownloads(api);
  serveUploads(api);
  serveFavorites(api);
  serveFinance(api);
  requireDeclarations(app, declarations);
  return app;
}
