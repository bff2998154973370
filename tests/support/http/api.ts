import { generateKeyPairSync, randomUUID } from 'node:crypto';
import type { Hono } from 'hono';
import { tmpdir } from 'node:os';
import { pino } from 'pino';
import { createApi } from '#server/app.ts';
import type { Database } from '#server/platform/database/open.ts';
import type { ApiEnv, Platform } from '#server/platform/http/context.ts';
import { createCertificateSigner } from '#server/features/certificates/signer.ts';
import { DOWNLOAD_LIMITS_DEFAULT } from '#server/features/downloads/limits.ts';
import type { DownloadLimits } from '#server/features/downloads/limits.ts';
import type { DownloadsOptions } from '#server/features/downloads/options.ts';
import { requireStaffLogIn } from '#server/features/accounts/recent-login.ts';
import { identify } from '#server/features/accounts/sessions.ts';
import { createModules } from '#server/features/feature.ts';
import type { Feature } from '#server/features/feature.ts';
import { FEATURES } from '#server/features.ts';
import { parseSettings } from '#server/settings.ts';
import { listScheduledJobs } from '#server/platform/http/module.ts';
import type { Module } from '#server/platform/http/module.ts';
import type { ScheduledJob } from '#server/platform/concurrency/scheduled-jobs.ts';
import { unlimitedAdmission } from '#server/platform/limits/admission.ts';
import type { Admission } from '#server/platform/limits/admission.ts';
import { createBackgroundJobs } from '#server/platform/concurrency/background-jobs.ts';
import { createAccessTokens } from '#server/platform/crypto/access-tokens.ts';
import type { BackgroundJobs } from '#server/platform/concurrency/background-jobs.ts';
import type { AccessTokens } from '#server/platform/crypto/access-tokens.ts';
import { createTestClock } from '#server/platform/concurrency/clock.ts';
import { toOpeningKeys, toSealingKey } from '#server/platform/crypto/sealed-keys.ts';
import type { Storage } from '#server/platform/storage/port.ts';
import type { TemporaryFiles } from '#server/platform/storage/temporary-files.ts';
import { createPasswords } from '#server/platform/crypto/passwords.ts';
import type { Passwords } from '#server/platform/crypto/passwords.ts';
import { noRateLimits } from '#server/platform/limits/rate-limits.ts';
import type { RateLimits } from '#server/platform/limits/rate-limits.ts';
import type { FileUrls } from '#server/platform/storage/file-urls.ts';
import { createSignatures } from '#server/media/signatures.ts';
import { checkExchange } from './exchanges.ts';
import { resolve } from '#support/delegate.ts';
import { createMemoryFiles, createMemoryStorage } from '#support/files/memory-files.ts';
import { everyTable } from '#server/platform/database/schema.ts';

const START_MS = Date.UTC(2026, 3, 1);
const SESSION_MS = 30 * 86_400_000;
export const TEST_SESSION_SECRET = new Uint8Array(32).fill(9);
const testKeys = generateKeyPairSync('x25519');
export const TEST_SEALING_KEY = toSealingKey(
  testKeys.publicKey.export({ type: 'spki', format: 'pem' }).toString(),
);
export const TEST_OPENING_KEYS = toOpeningKeys([testKeys.privateKey]);
const TEST_SIGNATURES = createSignatures(new Uint8Array(32).fill(3), () => START_MS);
export const TEST_SITE_URL = 'https://site.example';

/** Addresses that contain their inputs. */
export const testFileUrls: FileUrls = {
  picture: (key, kind) => (key === null ? null : `/pictures/${kind}/${key}/1.webp`),
  share: (kind, name, version) => `/share/${kind}/${encodeURIComponent(name)}/${version}.jpg`,
  audio: (sound) => `/audio/${sound.id}${sound.is_published ? '' : '?signed'}`,
  download: ({ id, is_published }) => `/download/${id}?signed${is_published ? '' : '-private'}`,
};

/** A short waveform and a long one. */
const testNotices: Omit<DownloadsOptions['notices'], 'hasVisibleNotice'> = {
  findSeconds: (_, id) => Promise.resolve({ short: 5, long: 30 }[id]),
};

/** The modules of the server and of further features, with the options that tests choose. */
export function createTestModules({
  downloadLimits = {},
  adProviders = ['house', 'gpt'],
  hasNotices = true,
  rewardYenPerDownload = 1,
  detectsOwnDownloads = true,
  certificateSecret = new Uint8Array(32).fill(5),
  moreFeatures = [],
  env = {},
}: TestModuleOptions = {}): readonly Module[] {
  const operatorEmail = 'operator@example.test';
  const rewardPendingDays = 30;
  const options: Readonly<Record<string, object>> = {
    console: {
      signatures: TEST_SIGNATURES,
      settings: { ...parseSettings(env), dataDir: tmpdir(), operatorEmail, rewardPendingDays, adProviders },
    },
    backups: {
      site: {
        siteName: 'Otoichi',
        version: '0.0.0',
        dataDir: '/nowhere',
        database: { kind: 'sqlite', file: '' },
        storage: { kind: 'folder', path: '/nowhere/files' },
      },
      schedule: null,
      operatorEmail,
    },
    drill: { site: { dataDir: '/nowhere' }, schedule: null, everyDays: 0, operatorEmail },
    downloads: {
      downloadLimits: { ...DOWNLOAD_LIMITS_DEFAULT, ...downloadLimits },
      adProviders,
      notices: { ...testNotices, hasVisibleNotice: () => Promise.resolve(hasNotices) },
      rewardYenPerDownload,
      detectsOwnDownloads,
      signer: createCertificateSigner(certificateSecret),
      memberTerms: { title: '会員規約', body: '{site}のサウンドの条件です。\n\n{licence}' },
    },
    ledger: { operatorEmail, rewardPendingDays },
    messages: { operatorEmail, retainMessagesDays: 365 },
    'own data': { rewardPendingDays },
    profile: { donationHost: 'ofuse.me', operatorEmail, rewardPendingDays },
    reports: { operatorEmail, retainMessagesDays: 365 },
    reviews: {
      operatorEmail,
      sessionSecrets: [TEST_SESSION_SECRET],
      retainIdentityDays: 365,
      personalInfoKey: TEST_SEALING_KEY,
      personalInfoKeyFile: '/nowhere',
    },
  };
  return createModules([...FEATURES, ...moreFeatures], ({ name }) => options[name]);
}

interface TestModuleOptions {
  readonly downloadLimits?: Partial<DownloadLimits> | undefined;
  readonly adProviders?: DownloadsOptions['adProviders'] | undefined;
  /** Whether a notice is to be shown now. */
  readonly hasNotices?: boolean | undefined;
  readonly rewardYenPerDownload?: number | undefined;
  readonly detectsOwnDownloads?: boolean | undefined;
  readonly certificateSecret?: Uint8Array | undefined;
  /** In addition to those of the server. */
  readonly moreFeatures?: readonly Feature[];
  /** Settings that the console reads. */
  readonly env?: Readonly<Record<string, string>> | undefined;
}

export interface TestApi {
  readonly app: Hono<ApiEnv>;
  readonly database: Database;
  /** What services of the host get. */
  readonly deps: Platform & { readonly operatorEmail: string };
  /** The scheduled jobs that run at the start and once an hour. */
  readonly scheduledJobs: readonly ScheduledJob[];
  /** An access token of a new session of this member, as if the password had just been entered. */
  logIn(userId: string): Promise<string>;
  readonly accessTokens: AccessTokens;
  /** The number of reported catalogue changes. */
  countChanges(): number;
  /** The reported changes, one entry each. */
  readonly changedTags: (readonly string[] | 'all')[];
  readonly clock: ReturnType<typeof createTestClock>;
  /** One entry per log line, as parsed JSON. */
  readonly logged: Record<string, unknown>[];
  /** GETs a path, as a member when a user id is given. */
  get(path: string, userId?: string): Promise<Response>;
  /** POSTs JSON, as a member when a user id is given, like a program without cookies unless headers set them. */
  post(path: string, body: unknown, caller?: string | Readonly<Record<string, string>>): Promise<Response>;
  /** GETs a path that must answer 200 with JSON. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  json(path: string, userId?: string): Promise<any>;
}

export interface TestApiOptions extends TestModuleOptions {
  readonly webOrigin?: string | null;
  readonly rateLimits?: RateLimits;
  readonly passwords?: Passwords;
  readonly siteUrl?: string;
  readonly storage?: Storage;
  readonly temporaryFiles?: TemporaryFiles;
  readonly backgroundJobs?: BackgroundJobs;
  readonly readAdmission?: Admission;
  readonly onChange?: (tags?: readonly string[]) => void;
}

export function createTestApi(
  given: Database,
  {
    webOrigin = null,
    rateLimits = noRateLimits,
    passwords = createPasswords(),
    siteUrl = TEST_SITE_URL,
    storage = createMemoryStorage(),
    temporaryFiles = createMemoryFiles(),
    backgroundJobs = createBackgroundJobs(),
    readAdmission = unlimitedAdmission,
    onChange = () => undefined,
    ...moduleOptions
  }: TestApiOptions = {},
): TestApi {
  const database = resolve(given);
  const clock = createTestClock(START_MS);
  let changes = 0;
  const delayed: Promise<void>[] = [];
  const changedTags: (readonly string[] | 'all')[] = [];
  const accessTokens = createAccessTokens(new Uint8Array(32).fill(7), clock);
  const logged: Record<string, unknown>[] = [];
  const logger = pino({ level: 'info' }, { write: (line: string) => void logged.push(JSON.parse(line)) });
  const platform: Platform = {
    database,
    storage,
    temporaryFiles,
    // Work that starts after a reply is done when `post` returns.
    backgroundJobs: {
      ...backgroundJobs,
      start: (work, delayMs) =>
        delayMs === undefined
          ? backgroundJobs.start(work)
          : void delayed.push(work(new AbortController().signal)),
    },
    fileUrls: testFileUrls,
    accessTokens,
    clock,
    logger,
    webOrigin,
    rateLimits,
    passwords,
    sessionSecret: TEST_SESSION_SECRET,
    siteUrl,
    siteName: 'Otoichi',
    catalogueChanged(tags) {
      changes += 1;
      changedTags.push(tags ?? 'all');
      onChange(tags);
    },
  };
  const modules = createTestModules(moduleOptions);
  const app = createApi(platform, modules, {
    identify: (token) => identify(platform, token),
    requireStaffLogIn: (caller, isRecent) => requireStaffLogIn(caller, isRecent, clock.now()),
    readAdmission,
  });
  if (moduleOptions.moreFeatures === undefined) checkExchanges(app, modules);
  const sessions = new Map<string, { readonly opening: Promise<string>; readonly untilMs: number }>();
  async function openSession(userId: string): Promise<string> {
    const sessionId = `session-${randomUUID()}`;
    const now = clock.now();
    const row = { id: sessionId, user_id: userId, token_hash: sessionId, previous_hash: null };
    await everyTable(database.db)
      .insertInto('sessions')
      .values({ ...row, rotated_at: null, created_at: now, expires_at: now + SESSION_MS })
      .execute();
    return sessionId;
  }
  async function logIn(userId: string): Promise<string> {
    const known = sessions.get(userId);
    // The jobs delete those that have expired.
    const opening = known && known.untilMs > clock.now() ? known.opening : openSession(userId);
    sessions.set(userId, { opening, untilMs: clock.now() + SESSION_MS });
    const sessionId = await opening;
    await everyTable(database.db)
      .updateTable('sessions')
      .set({ authenticated_at: clock.now(), expires_at: clock.now() + SESSION_MS })
      .where('id', '=', sessionId)
      .execute();
    return accessTokens.sign({ userId, sessionId });
  }
  const toHeaders = async (caller: string | Readonly<Record<string, string>>) =>
    typeof caller === 'string' ? { authorization: `Bearer ${await logIn(caller)}` } : caller;
  const get = async (path: string, userId?: string) =>
    app.request(path, { headers: await toHeaders(userId ?? {}) });
  return {
    app,
    database,
    deps: { ...platform, operatorEmail: 'operator@example.test' },
    scheduledJobs: listScheduledJobs(platform, modules),
    logIn,
    countChanges: () => changes,
    changedTags,
    accessTokens,
    clock,
    logged,
    get,
    async post(path, body, caller = {}) {
      const response = await app.request(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(await toHeaders(caller)) },
        body: JSON.stringify(body),
      });
      await Promise.all(delayed.splice(0));
      return response;
    },
    async json(path, userId) {
      const response = await get(path, userId);
      if (response.status !== 200)
        throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
      return response.json();
    },
  };
}

/** From now on, a call whose exchange does not match the description of the API fails. */
function checkExchanges(app: Hono<ApiEnv>, modules: readonly Module[]): void {
  const request = app.request.bind(app);
  app.request = async (input, init, ...rest) => {
    const response = await request(input, init, ...rest);
    const { pathname } = new URL(input instanceof Request ? input.url : input, 'http://localhost');
    const method = init?.method ?? (input instanceof Request ? input.method : 'GET');
    const sent = typeof init?.body === 'string' ? init.body : undefined;
    await checkExchange(modules, { method, path: pathname, sent, response });
    return response;
  };
}
