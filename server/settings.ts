import { relative, resolve } from 'node:path';
import * as v from 'valibot';
import { BACKUP_SETTINGS, toBackupCopies, toBackups } from './backup-settings.ts';
import type { ZenginSettings } from './features/ledger/zengin/settings.ts';
import { DOWNLOAD_LIMITS_DEFAULT, withRecordLimits } from './features/downloads/limits.ts';
import { toMediaRedirect } from './platform/storage/s3/browser-addresses.ts';
import { toStorageLocation } from './platform/storage/open.ts';
import { RETAIN_MAILS_DAYS_DEFAULT } from './features/mail/outbox.ts';
import { PENDING_DAYS_DEFAULT } from './features/ledger/figures.ts';
import {
  ZENGIN_SETTINGS,
  bounceAddress,
  choice,
  emailAddress,
  hostName,
  mailbox,
  publicKey,
  secretKey,
  url,
  wholeNumber,
} from './setting-values.ts';
import {
  PAGE_SETTINGS,
  flag,
  hasAdUnit,
  origin,
  parseEnvironment,
  requireAdUnit,
  text,
  toPageSettings,
} from './web/public-settings.ts';

export { SettingsError } from './web/public-settings.ts';

/** The checked configuration of the process; no other code reads the environment. */
export type Settings = Readonly<ReturnType<typeof toSettings>>;

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

const MANY = 1_000_000;
const LIMITS = DOWNLOAD_LIMITS_DEFAULT;

/** Every setting with its default and permitted values, in the order of `.env.example`. */
export const SETTINGS = {
  HOST: text('127.0.0.1'),
  PORT: wholeNumber(4321, 0, 65_535),
  SITE_URL: PAGE_SETTINGS.SITE_URL,
  SITE_NAME: PAGE_SETTINGS.SITE_NAME,
  DATA_DIR: v.pipe(
    text('./data'),
    v.transform((path) => resolve(path)),
  ),
  DATABASE_URL: url('postgres:', 'postgresql:'),
  DATABASE_REPLICA_URL: url('postgres:', 'postgresql:'),
  STORAGE_URL: url('s3:'),
  S3_ACCESS_KEY_ID: text(''),
  S3_SECRET_ACCESS_KEY: text(''),
  MEDIA_REDIRECT: choice('off', ['off', 'signed', 'public']),
  SECRET_KEY: secretKey(),
  SECRET_KEY_PREVIOUS: secretKey(),
  PERSONAL_INFO_PUBLIC_KEY: publicKey('personal-info make-key'),
  PERSONAL_INFO_KEY_FILE: text(''),
  ...BACKUP_SETTINGS,
  SMTP_URL: url('smtp:', 'smtps:'),
  MAIL_FROM: mailbox('no-reply@example.test'),
  MAIL_EHLO: hostName(),
  MAIL_BOUNCES: bounceAddress(),
  OPERATOR_EMAIL: emailAddress(),
  API_ORIGIN: PAGE_SETTINGS.API_ORIGIN,
  FILES_ORIGIN: PAGE_SETTINGS.FILES_ORIGIN,
  WEB_ORIGIN: origin(),
  DONATION_HOST: PAGE_SETTINGS.DONATION_HOST,
  MAINTENANCE: PAGE_SETTINGS.MAINTENANCE,
  REWARD_YEN_PER_DOWNLOAD: wholeNumber(1, 0, 100_000),
  REWARD_PENDING_DAYS: wholeNumber(PENDING_DAYS_DEFAULT, 0, 365),
  DOWNLOADS_PER_DAY: wholeNumber(LIMITS.perDay, 1, MANY),
  DOWNLOADS_BEGUN_PER_MINUTE: wholeNumber(LIMITS.begunPerMinute, 1, MANY),
  CREDIT_REPEAT_DAYS: wholeNumber(LIMITS.repeatDays, 1, 365),
  CREDIT_PER_VISITOR_DAY: wholeNumber(LIMITS.creditsPerVisitor, 0, MANY),
  CREDIT_PER_ADDRESS_DAY: wholeNumber(LIMITS.creditsPerNetwork, 0, MANY),
  CREDIT_PER_ADDRESS_ARTIST_DAY: wholeNumber(LIMITS.creditsPerNetworkAndArtist, 0, MANY),
  CREDIT_PER_PROVIDER_DAY: wholeNumber(LIMITS.creditsPerProvider, 0, MANY),
  CREDIT_HELD_ABOVE: wholeNumber(LIMITS.heldAbove, 0, MANY),
  CREDIT_HELD_ABOVE_USUAL: wholeNumber(LIMITS.heldAboveUsual, 0, MANY),
  CREDIT_PER_ARTIST_DAY: wholeNumber(LIMITS.creditsPerArtist, 0, MANY),
  CREDIT_PER_SITE_DAY: wholeNumber(LIMITS.creditsPerSite, 0, MANY),
  ...ZENGIN_SETTINGS,
  AD_PROVIDERS: PAGE_SETTINGS.AD_PROVIDERS,
  GPT_AD_UNIT: PAGE_SETTINGS.GPT_AD_UNIT,
  SECURITY_CONTACT: PAGE_SETTINGS.SECURITY_CONTACT,
  SECURITY_POLICY: PAGE_SETTINGS.SECURITY_POLICY,
  RETAIN_MESSAGES_DAYS: wholeNumber(365, 1, 3_650),
  RETAIN_MAILS_DAYS: wholeNumber(RETAIN_MAILS_DAYS_DEFAULT, 1, 365),
  RETAIN_IDENTITY_DAYS: wholeNumber(365, 30, 3_650),
  TRUSTED_PROXY_HOPS: wholeNumber(0, 0, 10),
  RATE_LIMITS: flag('on', 'on', 'off'),
  LOG_LEVEL: choice('info', LOG_LEVELS),
  PAGE_CACHE_MIB: wholeNumber(32, 0, 4_096),
  MAX_CONNECTIONS: wholeNumber(4_096, 1, 1_000_000),
  WORKERS: wholeNumber(1, 1, 64),
  METRICS_PORT: wholeNumber(0, 0, 65_535),
  METRICS_HOST: text('127.0.0.1'),
};

type Values = v.InferOutput<v.ObjectSchema<typeof SETTINGS, undefined>>;

/** Reports the sentence with which a function describes what is wrong with the settings. */
function requireNoSentence(find: (values: Values) => unknown) {
  return v.rawCheck<Values>(({ dataset, addIssue }) => {
    const message = dataset.typed ? find(dataset.value) : undefined;
    if (typeof message === 'string') addIssue({ message });
  });
}

const EnvironmentSchema = v.pipe(
  v.object(SETTINGS),
  v.forward(requireNoSentence(toStorage), ['STORAGE_URL']),
  v.forward(requireNoSentence(toRedirect), ['MEDIA_REDIRECT']),
  v.forward(v.partialCheck([['AD_PROVIDERS'], ['GPT_AD_UNIT']], hasAdUnit, requireAdUnit), ['GPT_AD_UNIT']),
  v.forward(
    v.partialCheck(
      [['DATABASE_URL'], ['DATABASE_REPLICA_URL']],
      ({ DATABASE_URL, DATABASE_REPLICA_URL }) => DATABASE_URL !== '' || DATABASE_REPLICA_URL === '',
      'needs DATABASE_URL: SQLite has no replicas.',
    ),
    ['DATABASE_REPLICA_URL'],
  ),
  v.forward(
    v.partialCheck(
      [['PORT'], ['METRICS_PORT'], ['WORKERS']],
      ({ PORT, METRICS_PORT: first, WORKERS }) =>
        first === 0 || (first + WORKERS <= 65_536 && (PORT < first || PORT >= first + WORKERS)),
      'must be the first of WORKERS ports up to 65535, none of which is PORT.',
    ),
    ['METRICS_PORT'],
  ),
  v.forward(
    v.partialCheck(
      [['DATA_DIR'], ['PERSONAL_INFO_KEY_FILE']],
      (values) =>
        relative(values.DATA_DIR, toKeyFile(values.DATA_DIR, values.PERSONAL_INFO_KEY_FILE)).startsWith('..'),
      'must lie outside of DATA_DIR; move the file and change the setting.',
    ),
    ['PERSONAL_INFO_KEY_FILE'],
  ),
  v.forward(
    v.partialCheck(
      [['SECRET_KEY'], ['SECRET_KEY_PREVIOUS']],
      (values) => values.SECRET_KEY !== null || values.SECRET_KEY_PREVIOUS === null,
      'needs SECRET_KEY.',
    ),
    ['SECRET_KEY_PREVIOUS'],
  ),
  v.forward(
    v.partialCheck(
      [['DATA_DIR'], ['BACKUP_DIR']],
      ({ DATA_DIR, BACKUP_DIR }) =>
        BACKUP_DIR === '' || relative(DATA_DIR, resolve(BACKUP_DIR)).startsWith('..'),
      'must lie outside of DATA_DIR, best on another disk.',
    ),
    ['BACKUP_DIR'],
  ),
  v.forward(requireNoSentence(toBackupCopies), ['BACKUP_URL']),
);

/**
 * Settings of an environment such as `process.env`; an empty or blank value counts as not set.
 * Throws one `SettingsError` that lists every problem.
 */
export function parseSettings(env: Readonly<Record<string, string | undefined>>): Settings {
  return toSettings(parseEnvironment(EnvironmentSchema, env));
}

function toSettings(values: v.InferOutput<typeof EnvironmentSchema>) {
  const { HOST, PORT, DATA_DIR, MAIL_FROM, DATABASE_URL, SMTP_URL } = values;
  const storage = toStorage(values);
  const mediaRedirect = toRedirect(values);
  const backupCopies = toBackupCopies(values);
  if (typeof storage === 'string' || typeof mediaRedirect === 'string' || typeof backupCopies === 'string')
    throw new Error('not checked before');
  return {
    host: HOST,
    /** 0 picks a free port. */
    port: PORT,
    /** The public address, without a trailing slash; null until the port is known. */
    siteUrl: values.SITE_URL ?? (PORT === 0 ? null : toLocalUrl(HOST, PORT)),
    ...toPageSettings(values),
    /** Where else browsers load files from: a bucket, or the host of an external API. */
    filesOrigin: mediaRedirect?.origin ?? (values.API_ORIGIN && values.FILES_ORIGIN),
    /** An absolute path. */
    dataDir: DATA_DIR,
    database: DATABASE_URL
      ? {
          kind: 'postgres' as const,
          url: DATABASE_URL,
          /** null: there is none. */
          replicaUrl: values.DATABASE_REPLICA_URL || null,
        }
      : { kind: 'sqlite' as const, file: resolve(DATA_DIR, 'site.sqlite') },
    storage,
    /** Null: this process streams all files. */
    mediaRedirect,
    /** For addresses of buckets without a key. */
    s3Credentials: toCredentials(values),
    /** All secrets are derived from it; null: they are files in `dataDir`. */
    secretKey: values.SECRET_KEY,
    /** The key before `secretKey`: what it signed is still accepted. */
    previousSecretKey: values.SECRET_KEY_PREVIOUS,
    /** The public key that seals the images of IDs; null: a file in `dataDir`. */
    personalInfoPublicKey: values.PERSONAL_INFO_PUBLIC_KEY,
    /** An absolute path outside of `dataDir`; the private keys that open the images of IDs. */
    personalInfoKeyFile: toKeyFile(values.DATA_DIR, values.PERSONAL_INFO_KEY_FILE),
    backups: toBackups(values),
    backupCopies,
    /** How often the newest backup is restored on trial; 0: never. */
    backupDrillDays: values.BACKUP_DRILL_DAYS,
    mail: SMTP_URL
      ? { kind: 'smtp' as const, url: SMTP_URL }
      : { kind: 'folder' as const, path: resolve(DATA_DIR, 'outbox') },
    /** The sender of mails; the name may be ''. */
    mailFrom: MAIL_FROM,
    /** '' for the host of the site. */
    mailEhlo: values.MAIL_EHLO,
    /** Where mails go that come back; '' for the sender. */
    mailBounces: values.MAIL_BOUNCES,
    /** Recipient of messages to the operator. */
    operatorEmail: values.OPERATOR_EMAIL || MAIL_FROM.address,
    /** Origin of a web client on another host that calls this API; null: there is none. */
    webOrigin: values.WEB_ORIGIN,
    rewardYenPerDownload: values.REWARD_YEN_PER_DOWNLOAD,
    /** How long earnings are held before they can be paid out. */
    rewardPendingDays: values.REWARD_PENDING_DAYS,
    /** The operator's bank account, for files of credit transfers; all texts are '' when not set. */
    zengin: v.parse(v.object(ZENGIN_SETTINGS), values) satisfies ZenginSettings,
    downloadLimits: withRecordLimits({
      perDay: values.DOWNLOADS_PER_DAY,
      begunPerMinute: values.DOWNLOADS_BEGUN_PER_MINUTE,
      repeatDays: values.CREDIT_REPEAT_DAYS,
      creditsPerVisitor: values.CREDIT_PER_VISITOR_DAY,
      creditsPerNetwork: values.CREDIT_PER_ADDRESS_DAY,
      creditsPerNetworkAndArtist: values.CREDIT_PER_ADDRESS_ARTIST_DAY,
      creditsPerProvider: values.CREDIT_PER_PROVIDER_DAY,
      heldAbove: values.CREDIT_HELD_ABOVE,
      heldAboveUsual: values.CREDIT_HELD_ABOVE_USUAL,
      creditsPerArtist: values.CREDIT_PER_ARTIST_DAY,
      creditsPerSite: values.CREDIT_PER_SITE_DAY,
    }),
    /** For how long messages to the operator are kept. */
    retainMessagesDays: values.RETAIN_MESSAGES_DAYS,
    /** For how long the addresses and subjects of finished mails are kept. */
    retainMailsDays: values.RETAIN_MAILS_DAYS,
    /** For how long decided IDs and quality checks are kept on record. */
    retainIdentityDays: values.RETAIN_IDENTITY_DAYS,
    /** How many proxies are in front of this process; each appends one entry to X-Forwarded-For. */
    trustedProxyHops: values.TRUSTED_PROXY_HOPS,
    hasRateLimits: values.RATE_LIMITS,
    logLevel: values.LOG_LEVEL,
    /** 0: every page is rendered on each request. */
    pageCacheBytes: values.PAGE_CACHE_MIB * 2 ** 20,
    maxConnections: values.MAX_CONNECTIONS,
    /** Processes that `npm start` starts on this machine; 1: it serves itself. */
    workers: values.WORKERS,
    /** Where metrics are served; null: nowhere. */
    metrics: values.METRICS_PORT === 0 ? null : { host: values.METRICS_HOST, port: values.METRICS_PORT },
  };
}

/** The address at which a person on this machine can open a server that listens on `host` and `port`. */
export function toLocalUrl(host: string, port: number): string {
  const isAnywhere = host === '0.0.0.0' || host === '::';
  const name = isAnywhere ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${port}`;
}

/** A sentence for an address that is wrong. */
function toStorage(values: Values) {
  return toStorageLocation(values.STORAGE_URL || resolve(values.DATA_DIR, 'files'), toCredentials(values));
}

function toRedirect(values: Values) {
  const storage = toStorage(values);
  // Either has been reported, or has no files.
  if (typeof storage === 'string' || values.API_ORIGIN !== null) return null;
  return toMediaRedirect(values.MEDIA_REDIRECT, storage, {
    siteUrl: values.SITE_URL,
    filesOrigin: values.FILES_ORIGIN,
  });
}

function toCredentials(values: Values) {
  return { accessKeyId: values.S3_ACCESS_KEY_ID, secretAccessKey: values.S3_SECRET_ACCESS_KEY };
}

/** The default is a sibling of the data folder, so that a copy of that folder cannot open images. */
function toKeyFile(dataDir: string, keyFile: string): string {
  return keyFile === '' ? `${dataDir}-keys/personal-info` : resolve(keyFile);
}
