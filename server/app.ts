import { Hono } from 'hono';
import { cors } from 'hono/cors';
import { IDEMPOTENCY_HEADER } from '../contract/endpoint.ts';
import { listAccess } from './access.ts';
import { identify, serveAccounts } from './features/accounts/accounts.ts';
import { serveArtists } from './features/artists/artists.ts';
import { serveContact, serveMessages } from './features/messages/messages.ts';
import { UPLOAD_HEADERS, serveOwnSounds, serveUploads, tusVersion } from './features/my-sounds/my-sounds.ts';
import { serveDownloads } from './features/downloads/downloads.ts';
import { serveFavorites, serveGenres, serveSounds } from './features/catalogue/catalogue.ts';
import { serveFinance } from './features/ledger/ledger.ts';
import { servePersonalInfo, serveQualityCheck } from './features/reviews/reviews.ts';
import { servePictures, serveProfile } from './features/profile/profile.ts';
import { serveSite } from './features/site/site.ts';
import {
  admitReads,
  answerFailure,
  answerUnknown,
  boundedQuery,
  enforceAccess,
  requestId,
  requireDeclarations,
  sameOriginOnly,
  xsrfToken,
} from './platform/http/http.ts';
import type { Api, ApiDeps, ApiEnv } from './platform/http/http.ts';

export type { ApiDeps, ApiEnv } from './platform/http/http.ts';

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
