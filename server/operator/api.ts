import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Hono } from 'hono';
import type * as v from 'valibot';
import { toCallPath } from '../../contract/calls/endpoint.ts';
import type { Endpoint, QueryValue } from '../../contract/calls/endpoint.ts';
import type { Member } from '../features/accounts/members.ts';
import { consoleFeature } from '../features/console/module.ts';
import { FEATURES } from '../features.ts';
import { createFileUrls } from '../media/file-urls.ts';
import { createSignatures } from '../media/signatures.ts';
import type { Signatures } from '../media/signatures.ts';
import { createBackgroundJobs } from '../platform/concurrency/background-jobs.ts';
import { createAccessTokens } from '../platform/crypto/access-tokens.ts';
import { createPasswords } from '../platform/crypto/passwords.ts';
import { openSecrets } from '../platform/crypto/secrets.ts';
import { notFound } from '../platform/http/problem.ts';
import { serveRoutes } from '../platform/http/route.ts';
import type { ApiEnv, Caller, Platform } from '../platform/http/context.ts';
import { noRateLimits } from '../platform/limits/rate-limits.ts';
import { openTemporaryFiles } from '../platform/storage/temporary-files.ts';
import type { CommandContext } from './context.ts';

export type Fields = Readonly<Record<string, unknown>>;

export interface OperatorApi {
  /**
   * Calls an endpoint of the console. `word` is the parameter of its path; `fields` are its query, body or files. Throws
   * what the route throws, such as `Problem`.
   */
  call<E extends Endpoint>(endpoint: E, word?: string, fields?: Fields): Promise<v.InferOutput<E['reply']>>;
  /** Waits for the work that calls have started. */
  close(): Promise<void>;
}

/**
 * The console's routes in this process, with `staff` as their caller; undefined for reads. Recent log-in and second
 * factor are not required: who can run a program on the server's machine with its data has already proved more. This
 * app never listens, so the exception cannot be reached from the network.
 */
export function openApi(context: CommandContext, staff: Member | undefined): OperatorApi {
  const { settings } = context;
  const open = () => createSignatures(openSecrets(settings, 'file-signatures'));
  // Opened, and made for a new site, only when an address is signed.
  const signatures: Signatures = {
    sign: (...given) => open().sign(...given),
    check: (...given) => open().check(...given),
  };
  const jobs = createBackgroundJobs();
  const platform: Platform = {
    ...context,
    temporaryFiles: {
      make: async (...file) => (await openTemporaryFiles(join(settings.dataDir, 'temporary'))).make(...file),
    },
    // The database is open for reading only: what a read would start is left to the server.
    backgroundJobs: staff === undefined ? { ...jobs, start: () => undefined } : jobs,
    fileUrls: createFileUrls(signatures),
    webOrigin: null,
    rateLimits: noRateLimits,
    passwords: createPasswords(),
    // No command logs in or issues a token: these keys of this process are never used.
    accessTokens: createAccessTokens(randomBytes(32)),
    sessionSecret: randomBytes(32),
  };
  const every = { features: FEATURES, listModules: () => [] };
  const { routes = [] } = consoleFeature.createModule({ signatures, settings }, every);
  const app = new Hono<ApiEnv>({ strict: false });
  // The command prints the error.
  app.onError((error) => {
    throw error;
  });
  app.notFound(() => {
    throw notFound();
  });
  serveRoutes(app, platform, routes, {
    rateLimits: noRateLimits,
    identify: () => Promise.resolve(toCaller(staff)),
    requireStaffLogIn: () => undefined,
  });
  return {
    async call(endpoint, word = '', fields = {}) {
      const params = Object.fromEntries(endpoint.params.map((name) => [name, word]));
      const query = endpoint.query === undefined ? {} : (fields as Record<string, QueryValue>);
      const response = await app.request(toCallPath(endpoint, params, query), {
        method: endpoint.method,
        headers: {
          authorization: 'Bearer local',
          ...(endpoint.body && { 'content-type': 'application/json' }),
        },
        ...(endpoint.body && { body: JSON.stringify(fields) }),
        ...(endpoint.form && { body: toForm(fields) }),
      });
      return response.json();
    },
    close: () => jobs.close(),
  };
}

/** Reads need no account. Decisions check theirs again in their transaction. */
function toCaller(staff: Member | undefined): Caller {
  return {
    id: staff?.id ?? '',
    sessionId: '',
    username: staff?.username ?? '',
    isBlocked: false,
    isVerified: false,
    isStaff: true,
    authenticatedAt: 0,
    secondFactorAt: null,
  };
}

function toForm(fields: Fields): FormData {
  const form = new FormData();
  for (const [name, content] of Object.entries(fields))
    form.set(name, new Blob([content as Buffer<ArrayBuffer>]), name);
  return form;
}
