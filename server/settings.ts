import { AD_PROVIDER_NAMES } from '../contract/ads.ts';
import type { AdProviderName } from '../contract/ads.ts';
import { DONATION_HOST_DEFAULT, SITE_NAME_DEFAULT } from '../contract/defaults.ts';
import { isEmail, normaliseEmail } from '../contract/emails.ts';
import { relative, resolve } from 'node:path';
import * as v from 'valibot';
import { DOWNLOAD_LIMITS_DEFAULT } from './features/downloads/downloads.ts';
import type { DownloadLimits } from './features/downloads/downloads.ts';
import { PENDING_DAYS_DEFAULT } from './features/ledger/ledger.ts';

/** The checked configuration of the process; no other code reads the environment. */
export type Settings = Readonly<ReturnType<typeof toSettings>>;

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

const MIB = 1024 * 1024;
/** `/network/unit/…`; the network code may be followed by a comma and a child's code. */
const AD_UNIT = /^\/\d{1,20}(?:,\d{1,20})?(?:\/[\w.*!:()-]{1,100}){1,5}$/;
/** A host name or `host.name`; only letters, digits, dots and dashes. */
const HOST_NAME = /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/i;

const MANY = 1_000_000;
const LIMITS = DOWNLOAD_LIMITS_DEFAULT;

export class SettingsError extends Error {
  override readonly name = 'SettingsError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(
      `The settings have ${problems.length === 1 ? 'a problem' : `${problems.length} problems`}:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`,
    );
    this.problems = problems;
  }
}

/** An empty or blank value counts as not set. */
function text(fallback: string) {
  return v.pipe(
    v.optional(v.string(), ''),
    v.trim(),
    v.transform((value) => value || fallback),
  );
}

/** The rest of a message that starts with the name of the setting. */
function mustBe(expected: string) {
  return ({ input }: { readonly input: unknown }) => `is ${JSON.stringify(input)}, but must be ${expected}.`;
}

function wholeNumber(fallback: number, min: number, max: number) {
  return v.pipe(
    text(String(fallback)),
    v.check(
      (value) => /^\d{1,9}$/.test(value) && Number(value) >= min && Number(value) <= max,
      mustBe(`a whole number from ${min} to ${max}`),
    ),
    v.transform(Number),
  );
}

function flag(fallback: string, on: string, off: string) {
  return v.pipe(
    text(fallback),
    v.toLowerCase(),
    v.picklist([on, off], mustBe(`${on} or ${off}`)),
    v.transform((value) => value === on),
  );
}

/** Scheme, host and port only; null when not set. */
function origin() {
  return v.pipe(
    text(''),
    v.check((value) => value === '' || isOrigin(value), mustBe('an origin such as https://sounds.example')),
    v.transform((value) => (value === '' ? null : new URL(value).origin)),
  );
}

/** '' when not set. The value may hold a password, so the message does not repeat it. */
function url(...protocols: readonly string[]) {
  const starts = protocols.map((protocol) => `${protocol}//`).join(' or ');
  return v.pipe(
    text(''),
    v.check(
      (value) => value === '' || protocols.includes(URL.parse(value)?.protocol ?? ''),
      `must be an address that begins with ${starts}, or stay empty.`,
    ),
  );
}

function isOrigin(value: string): boolean {
  const parsed = URL.parse(value);
  return (
    parsed !== null &&
    (parsed.protocol === 'http:' || parsed.protocol === 'https:') &&
    parsed.pathname === '/' &&
    parsed.search + parsed.hash + parsed.username + parsed.password === ''
  );
}

/** `address`, `Name <address>` or `"Name" <address>`. */
function toMailbox(value: string) {
  const named = /^(?:"([^"<>\\\p{Cc}]*)"|([^"<>\\\p{Cc}]*))\s*<([^<>]*)>$/u.exec(value);
  return {
    name: (named?.[1] ?? named?.[2] ?? '').trim(),
    address: normaliseEmail(named?.[3] ?? value),
  };
}

/** Every setting with its default and permitted values, in the order of `.env.example`. */
export const SETTINGS = {
  HOST: text('127.0.0.1'),
  PORT: wholeNumber(4321, 0, 65_535),
  SITE_URL: origin(),
  SITE_NAME: v.pipe(text(SITE_NAME_DEFAULT), v.regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, mustBe('one line'))),
  DATA_DIR: v.pipe(
    text('./data'),
    v.transform((path) => resolve(path)),
  ),
  DATABASE_URL: url('postgres:', 'postgresql:'),
  STORAGE_URL: url('s3:'),
  PERSONAL_INFO_KEY_FILE: text(''),
  SMTP_URL: url('smtp:', 'smtps:'),
  MAIL_FROM: v.pipe(
    text('no-reply@example.test'),
    v.check((value) => isEmail(toMailbox(value).address), mustBe('an e-mail address, or Name <address>')),
    v.transform(toMailbox),
  ),
  OPERATOR_EMAIL: v.pipe(
    text(''),
    v.transform(normaliseEmail),
    v.check((value) => value === '' || isEmail(value), mustBe('an e-mail address')),
  ),
  API_ORIGIN: origin(),
  FILES_ORIGIN: origin(),
  WEB_ORIGIN: origin(),
  DONATION_HOST: v.pipe(
    text(DONATION_HOST_DEFAULT),
    v.toLowerCase(),
    v.regex(HOST_NAME, mustBe('a host name such as ofuse.me')),
  ),
  MAINTENANCE: flag('false', 'true', 'false'),
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
  AD_PROVIDERS: v.pipe(
    text('house'),
    v.toLowerCase(),
    v.transform((value) => value.split(',').map((name) => name.trim())),
    v.array(
      v.picklist(AD_PROVIDER_NAMES, mustBe(`one of ${AD_PROVIDER_NAMES.join(', ')}, or several with commas`)),
    ),
  ),
  GPT_AD_UNIT: text(''),
  TRUSTED_PROXY_HOPS: wholeNumber(0, 0, 10),
  RATE_LIMITS: flag('on', 'on', 'off'),
  LOG_LEVEL: v.pipe(
    text('info'),
    v.toLowerCase(),
    v.picklist(LOG_LEVELS, mustBe(`one of ${LOG_LEVELS.join(', ')}`)),
  ),
  PAGE_CACHE_MIB: wholeNumber(32, 0, 4_096),
  MAX_CONNECTIONS: wholeNumber(4_096, 1, 1_000_000),
};

const EnvironmentSchema = v.pipe(
  v.object(SETTINGS),
  v.forward(
    v.partialCheck(
      [['AD_PROVIDERS'], ['GPT_AD_UNIT']],
      ({ AD_PROVIDERS, GPT_AD_UNIT }) => !AD_PROVIDERS.includes('gpt') || AD_UNIT.test(GPT_AD_UNIT),
      ({ input }) => mustBe('an ad unit such as /1234567/rewarded')({ input: input.GPT_AD_UNIT }),
    ),
    ['GPT_AD_UNIT'],
  ),
  v.forward(
    v.partialCheck(
      [['DATA_DIR'], ['PERSONAL_INFO_KEY_FILE']],
      (values) => relative(values.DATA_DIR, toKeyFile(values)).startsWith('..'),
      'must lie outside of DATA_DIR; move the file and change the setting.',
    ),
    ['PERSONAL_INFO_KEY_FILE'],
  ),
);

/**
 * Settings of an environment such as `process.env`; an empty or blank value counts as not set.
 * Throws one `SettingsError` that lists every problem.
 */
export function parseSettings(env: Readonly<Record<string, string | undefined>>): Settings {
  const { success, issues, output } = v.safeParse(EnvironmentSchema, env);
  if (!success) {
    throw new SettingsError(issues.map(({ path, message }) => `${String(path?.[0].key)} ${message}`));
  }
  return toSettings(output);
}

function toSettings(values: v.InferOutput<typeof EnvironmentSchema>) {
  const { HOST, PORT, DATA_DIR, MAIL_FROM, DATABASE_URL, STORAGE_URL, SMTP_URL } = values;
  return {
    host: HOST,
    /** 0 picks a free port. */
    port: PORT,
    /** The public address, without a trailing slash; null until the port is known. */
    siteUrl: values.SITE_URL ?? (PORT === 0 ? null : toLocalUrl(HOST, PORT)),
    siteName: values.SITE_NAME,
    /** An absolute path. */
    dataDir: DATA_DIR,
    database: DATABASE_URL
      ? { kind: 'postgres' as const, url: DATABASE_URL }
      : { kind: 'sqlite' as const, file: resolve(DATA_DIR, 'site.sqlite') },
    storage: STORAGE_URL
      ? { kind: 's3' as const, url: STORAGE_URL }
      : { kind: 'folder' as const, path: resolve(DATA_DIR, 'files') },
    /** An absolute path outside of `dataDir`; the private keys that open the images of IDs. */
    personalInfoKeyFile: toKeyFile(values),
    mail: SMTP_URL
      ? { kind: 'smtp' as const, url: SMTP_URL }
      : { kind: 'folder' as const, path: resolve(DATA_DIR, 'outbox') },
    /** The sender of mails; the name may be ''. */
    mailFrom: MAIL_FROM,
    /** Recipient of messages to the operator. */
    operatorEmail: values.OPERATOR_EMAIL || MAIL_FROM.address,
    /** Origin of an API host that pages and browsers call; null: this process serves the API. */
    apiOrigin: values.API_ORIGIN,
    /** Origin of the files of an external API, if it differs from the API's own. */
    filesOrigin: values.FILES_ORIGIN,
    /** Origin of a web client on another host that calls this API; null: there is none. */
    webOrigin: values.WEB_ORIGIN,
    donationHost: values.DONATION_HOST,
    isMaintenance: values.MAINTENANCE,
    rewardYenPerDownload: values.REWARD_YEN_PER_DOWNLOAD,
    /** How long earnings are held before they can be paid out. */
    rewardPendingDays: values.REWARD_PENDING_DAYS,
    downloadLimits: {
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
    } satisfies DownloadLimits,
    adProviders: values.AD_PROVIDERS as readonly AdProviderName[],
    /** Path of a rewarded ad unit in Google Ad Manager; null without the provider `gpt`. */
    gptAdUnit: values.AD_PROVIDERS.includes('gpt') ? values.GPT_AD_UNIT : null,
    /** How many proxies are in front of this process; each appends one entry to X-Forwarded-For. */
    trustedProxyHops: values.TRUSTED_PROXY_HOPS,
    hasRateLimits: values.RATE_LIMITS,
    logLevel: values.LOG_LEVEL,
    /** 0: every page is rendered on each request. */
    pageCacheBytes: values.PAGE_CACHE_MIB * MIB,
    maxConnections: values.MAX_CONNECTIONS,
  };
}

/** The address at which a person on this machine can open a server that listens on `host` and `port`. */
export function toLocalUrl(host: string, port: number): string {
  const isAnywhere = host === '0.0.0.0' || host === '::';
  const name = isAnywhere ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${port}`;
}

/** The default is a sibling of the data folder, so that a copy of that folder cannot open images. */
function toKeyFile(values: { readonly DATA_DIR: string; readonly PERSONAL_INFO_KEY_FILE: string }): string {
  const { DATA_DIR, PERSONAL_INFO_KEY_FILE } = values;
  return PERSONAL_INFO_KEY_FILE === '' ? `${DATA_DIR}-keys/personal-info` : resolve(PERSONAL_INFO_KEY_FILE);
}
