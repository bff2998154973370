import type { IncomingMessage } from 'node:http';
import type { Logger } from 'pino';
import type { Database } from '../database/open.ts';
import type { RateLimits } from '../limits/rate-limits.ts';
import type { BackgroundJobs } from '../concurrency/background-jobs.ts';
import type { Clock } from '../concurrency/clock.ts';
import type { AccessTokens } from '../crypto/access-tokens.ts';
import type { Passwords } from '../crypto/passwords.ts';
import type { FileUrls } from '../storage/file-urls.ts';
import type { Storage } from '../storage/port.ts';
import type { TemporaryFiles } from '../storage/temporary-files.ts';

/**
 * The services that every feature may use. It does not depend on features: what one feature alone needs is a parameter
 * of its module.
 */
export interface Platform {
  readonly database: Database;
  readonly storage: Storage;
  /** Temporary storage for the files of a form while its call is answered. */
  readonly temporaryFiles: TemporaryFiles;
  /** Work that continues after a call is answered. */
  readonly backgroundJobs: BackgroundJobs;
  readonly fileUrls: FileUrls;
  readonly accessTokens: AccessTokens;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Origin of a web client on another host; null or '' if there is none. */
  readonly webOrigin: string | null;
  readonly rateLimits: RateLimits;
  readonly passwords: Passwords;
  /** The key from which tokens of sessions and mails are derived; at least 32 bytes. */
  readonly sessionSecret: Uint8Array;
  /** The public address, without a trailing slash; links in mails start with it. */
  readonly siteUrl: string;
  readonly siteName: string;
  /**
   * Called after every change that public pages show, so that cached pages are dropped: those with one of the tags
   * (contract/site/page-tags.ts), or all pages if no tags are given.
   */
  catalogueChanged(tags?: readonly string[]): void;
}

/** The caller of a request with a valid access token. */
export interface Caller {
  readonly id: string;
  /** The session the token belongs to. */
  readonly sessionId: string;
  readonly username: string;
  readonly isBlocked: boolean;
  /** Has passed the quality check. */
  readonly isVerified: boolean;
  readonly isStaff: boolean;
  /** When the password was last given in this session, in epoch ms. */
  readonly authenticatedAt: number;
  /**
   * When a code of the second factor was last given in this session, in epoch ms; 0: never; null: the account has no
   * second factor.
   */
  readonly secondFactorAt: number | null;
}

export interface ApiEnv {
  /** The request over the network; undefined for a call in process. */
  Bindings: { readonly incoming?: IncomingMessage };
  Variables: {
    requestId: string;
    /** null for a visitor; set by `enforceAccess`. */
    caller: Caller | null;
  };
}

/** The header in which the outer server passes the client's address; a visitor's own header of this name is ignored. */
export const CLIENT_ADDRESS_HEADER = 'x-client-address';
