import { AD_PROVIDER_NAMES } from '../contract/ads.ts';
import type { AdProviderName } from '../contract/ads.ts';
import { DONATION_HOST_DEFAULT, SITE_NAME_DEFAULT } from '../contract/defaults.ts';
import { isEmail, normaliseEmail } from '../contract/emails.ts';
import { relative, resolve } from 'node:path';
import { DOWNLOAD_LIMITS_DEFAULT } from './features/downloads/downloads.ts';
import type { DownloadLimits } from './features/downloads/downloads.ts';
import { PENDING_DAYS_DEFAULT } from './features/ledger/ledger.ts';

/** Everything the process can be told from outside, checked; nothing else reads the environment. */
export interface Settings {
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
  /** The address people use, without a slash at its end; null until the port is known. */
  readonly siteUrl: string | null;
  readonly siteName: string;
  /** Absolute. */
  readonly dataDir: string;
  readonly database: { kind: 'sqlite'; file: string } | { kind: 'postgres'; url: string };
  readonly storage: { kind: 'folder'; path: string } | { kind: 's3'; url: string };
  /** Absolute, outside of `dataDir`; the private keys that open the images of IDs. */
  readonly personalInfoKeyFile: string;
  readonly mail: { kind: 'folder'; path: string } | { kind: 'smtp'; url: string };
  /** Whom mails come from; the name may be ''. */
  readonly mailFrom: { readonly name: string; readonly address: string };
  /** Where messages to the operator go. */
  readonly operatorEmail: string;
  /** Origin of the API host that pages and browsers call; null: this process serves the API. */
  readonly apiOrigin: string | null;
  /** Origin that an API on another host serves its files from, when that is not the API's own. */
  readonly filesOrigin: string | null;
  /** Origin of a web client that is served elsewhere and calls this API; null: there is none. */
  readonly webOrigin: string | null;
  readonly donationHost: string;
  readonly isMaintenance: boolean;
  readonly rewardYenPerDownload: number;
  /** How long what was earned waits before it can be paid out. */
  readonly rewardPendingDays: number;
  readonly downloadLimits: DownloadLimits;
  readonly adProviders: readonly AdProviderName[];
  /** Path of a rewarded ad unit in Google Ad Manager; null without the provider `gpt`. */
  readonly gptAdUnit: string | null;
  /** How many proxies stand before this process; each adds one entry to X-Forwarded-For. */
  readonly trustedProxyHops: number;
  readonly hasRateLimits: boolean;
  readonly logLevel: LogLevel;
  /** 0: every page is rendered afresh. */
  readonly pageCacheBytes: number;
  readonly maxConnections: number;
}

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

const MIB = 1024 * 1024;
/** `/network/unit/…`, the network's code perhaps with a child's after a comma. */
const AD_UNIT = /^\/\d{1,20}(?:,\d{1,20})?(?:\/[\w.*!:()-]{1,100}){1,5}$/;
/** A host name or `host.name`; letters, digits, dots and dashes only. */
const HOST_NAME = /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/i;

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

/**
 * Settings of an environment such as `process.env`; an empty value counts as not set.
 * Throws one `SettingsError` that lists every problem.
 */
export function parseSettings(env: Readonly<Record<string, string | undefined>>): Settings {
  const problems: string[] = [];
  const text = (name: string, fallback: string) => env[name]?.trim() || fallback;
  const read = reader(text, problems);

  const dataDir = resolve(text('DATA_DIR', './data'));
  const host = text('HOST', '127.0.0.1');
  const mailFrom = read.mailbox('MAIL_FROM', 'no-reply@example.test');
  const port = read.wholeNumber('PORT', 4321, 0, 65_535);
  const adProviders = read.list('AD_PROVIDERS', ['house'], AD_PROVIDER_NAMES);
  const settings: Settings = {
    host,
    port,
    siteUrl: read.origin('SITE_URL') ?? (port === 0 ? null : toLocalUrl(host, port)),
    siteName: read.line('SITE_NAME', SITE_NAME_DEFAULT),
    dataDir,
    database: read.url('DATABASE_URL', ['postgres:', 'postgresql:'], (url) => ({
      kind: 'postgres',
      url,
    })) ?? {
      kind: 'sqlite',
      file: resolve(dataDir, 'site.sqlite'),
    },
    storage: read.url('STORAGE_URL', ['s3:'], (url) => ({ kind: 's3', url })) ?? {
      kind: 'folder',
      path: resolve(dataDir, 'files'),
    },
    personalInfoKeyFile: readKeyFile(text('PERSONAL_INFO_KEY_FILE', ''), dataDir, problems),
    mail: read.url('SMTP_URL', ['smtp:', 'smtps:'], (url) => ({ kind: 'smtp', url })) ?? {
      kind: 'folder',
      path: resolve(dataDir, 'outbox'),
    },
    mailFrom,
    operatorEmail: read.email('OPERATOR_EMAIL', mailFrom.address),
    apiOrigin: read.origin('API_ORIGIN'),
    filesOrigin: read.origin('FILES_ORIGIN'),
    webOrigin: read.origin('WEB_ORIGIN'),
    donationHost: read.hostName('DONATION_HOST', DONATION_HOST_DEFAULT),
    isMaintenance: read.flag('MAINTENANCE', false, 'true', 'false'),
    rewardYenPerDownload: read.wholeNumber('REWARD_YEN_PER_DOWNLOAD', 1, 0, 100_000),
    rewardPendingDays: read.wholeNumber('REWARD_PENDING_DAYS', PENDING_DAYS_DEFAULT, 0, 365),
    downloadLimits: readDownloadLimits(read),
    adProviders,
    gptAdUnit: adProviders.includes('gpt') ? read.adUnit('GPT_AD_UNIT') : null,
    trustedProxyHops: read.wholeNumber('TRUSTED_PROXY_HOPS', 0, 0, 10),
    hasRateLimits: read.flag('RATE_LIMITS', true, 'on', 'off'),
    logLevel: read.oneOf('LOG_LEVEL', 'info', LOG_LEVELS),
    pageCacheBytes: read.wholeNumber('PAGE_CACHE_MIB', 32, 0, 4_096) * MIB,
    maxConnections: read.wholeNumber('MAX_CONNECTIONS', 4_096, 1, 1_000_000),
  };
  if (problems.length > 0) throw new SettingsError(problems);
  return settings;
}

/** The address a person on this machine can open for what listens on `host` and `port`. */
export function toLocalUrl(host: string, port: number): string {
  const isAnywhere = host === '0.0.0.0' || host === '::';
  const name = isAnywhere ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${port}`;
}

/** The default is a sibling of the data folder: a copy of that folder must open no image. */
function readKeyFile(value: string, dataDir: string, problems: string[]): string {
  const path = value === '' ? `${dataDir}-keys/personal-info` : resolve(value);
  if (!relative(dataDir, path).startsWith('..')) {
    problems.push(
      'PERSONAL_INFO_KEY_FILE must lie outside of DATA_DIR; move the file and change the setting.',
    );
  }
  return path;
}

function readDownloadLimits(read: ReturnType<typeof reader>): DownloadLimits {
  const most = 1_000_000;
  const usual = DOWNLOAD_LIMITS_DEFAULT;
  return {
    perDay: read.wholeNumber('DOWNLOADS_PER_DAY', usual.perDay, 1, most),
    begunPerMinute: read.wholeNumber('DOWNLOADS_BEGUN_PER_MINUTE', usual.begunPerMinute, 1, most),
    repeatDays: read.wholeNumber('CREDIT_REPEAT_DAYS', usual.repeatDays, 1, 365),
    creditsPerVisitor: read.wholeNumber('CREDIT_PER_VISITOR_DAY', usual.creditsPerVisitor, 0, most),
    creditsPerNetwork: read.wholeNumber('CREDIT_PER_ADDRESS_DAY', usual.creditsPerNetwork, 0, most),
    creditsPerNetworkAndArtist: read.wholeNumber(
      'CREDIT_PER_ADDRESS_ARTIST_DAY',
      usual.creditsPerNetworkAndArtist,
      0,
      most,
    ),
    creditsPerProvider: read.wholeNumber('CREDIT_PER_PROVIDER_DAY', usual.creditsPerProvider, 0, most),
    heldAbove: read.wholeNumber('CREDIT_HELD_ABOVE', usual.heldAbove, 0, most),
    heldAboveUsual: read.wholeNumber('CREDIT_HELD_ABOVE_USUAL', usual.heldAboveUsual, 0, most),
    creditsPerArtist: read.wholeNumber('CREDIT_PER_ARTIST_DAY', usual.creditsPerArtist, 0, most),
    creditsPerSite: read.wholeNumber('CREDIT_PER_SITE_DAY', usual.creditsPerSite, 0, most),
  };
}

function reader(text: (name: string, fallback: string) => string, problems: string[]) {
  const problem = <Fallback>(name: string, value: string, wanted: string, fallback: Fallback): Fallback => {
    problems.push(`${name} is ${JSON.stringify(value)}, but must be ${wanted}.`);
    return fallback;
  };
  return {
    wholeNumber(name: string, fallback: number, min: number, max: number): number {
      const value = text(name, String(fallback));
      const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
      if (number >= min && number <= max) return number;
      return problem(name, value, `a whole number from ${min} to ${max}`, fallback);
    },
    flag(name: string, fallback: boolean, on: string, off: string): boolean {
      const value = text(name, fallback ? on : off).toLowerCase();
      if (value === on || value === off) return value === on;
      return problem(name, value, `${on} or ${off}`, fallback);
    },
    oneOf<Choice extends string>(name: string, fallback: Choice, choices: readonly Choice[]): Choice {
      const value = text(name, fallback).toLowerCase();
      return (
        choices.find((choice) => choice === value) ??
        problem(name, value, `one of ${choices.join(', ')}`, fallback)
      );
    },
    list<Choice extends string>(name: string, fallback: Choice[], choices: readonly Choice[]): Choice[] {
      const names = text(name, fallback.join(','))
        .split(',')
        .map((part) => part.trim().toLowerCase());
      const known = names.flatMap((part) => choices.find((choice) => choice === part) ?? []);
      if (known.length === names.length) return known;
      return problem(name, names.join(','), `a list, with commas, of ${choices.join(', ')}`, fallback);
    },
    adUnit(name: string): string | null {
      const value = text(name, '');
      return AD_UNIT.test(value) ? value : problem(name, value, 'an ad unit such as /1234567/rewarded', null);
    },
    hostName(name: string, fallback: string): string {
      const value = text(name, fallback).toLowerCase();
      return HOST_NAME.test(value) ? value : problem(name, value, 'a host name such as ofuse.me', fallback);
    },
    line(name: string, fallback: string): string {
      const value = text(name, fallback);
      return /[\p{Cc}\p{Zl}\p{Zp}]/u.test(value) ? problem(name, value, 'one line', fallback) : value;
    },
    email(name: string, fallback: string): string {
      const value = text(name, fallback);
      const email = normaliseEmail(value);
      return isEmail(email) ? email : problem(name, value, 'an e-mail address', fallback);
    },
    /** `address`, `Name <address>` or `"Name" <address>`. */
    mailbox(name: string, fallback: string): { name: string; address: string } {
      const value = text(name, fallback);
      const named = /^(?:"([^"<>\\\p{Cc}]*)"|([^"<>\\\p{Cc}]*))\s*<([^<>]*)>$/u.exec(value);
      const address = normaliseEmail(named?.[3] ?? value);
      if (isEmail(address)) return { name: (named?.[1] ?? named?.[2] ?? '').trim(), address };
      const wanted = 'an e-mail address, or Name <address>';
      return problem(name, value, wanted, { name: '', address: fallback });
    },
    /** Scheme, host and port alone; null when not set. */
    origin(name: string): string | null {
      const value = text(name, '');
      if (value === '') return null;
      const url = URL.parse(value);
      const isOrigin =
        url !== null &&
        (url.protocol === 'http:' || url.protocol === 'https:') &&
        url.pathname === '/' &&
        url.search + url.hash + url.username + url.password === '';
      return isOrigin ? url.origin : problem(name, value, 'an origin such as https://sounds.example', null);
    },
    url<Value>(name: string, protocols: readonly string[], toValue: (url: string) => Value): Value | null {
      const value = text(name, '');
      if (value === '') return null;
      if (protocols.includes(URL.parse(value)?.protocol ?? '')) return toValue(value);
      // The value may hold a password, so it is not repeated.
      problems.push(
        `${name} must be an address that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}, or stay empty.`,
      );
      return null;
    },
  };
}
