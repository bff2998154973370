import type { Hono } from 'hono';
import type { Logger } from 'pino';
import type { Database } from '../database/database.ts';
import type { RateLimits } from '../limits/limits.ts';
import type { Afterwork, Clock } from '../concurrency/concurrency.ts';
import type { AccessTokens, Passwords } from '../crypto/crypto.ts';
import type { FileUrls, Storage, TemporaryFiles } from '../storage/storage.ts';

/** What every feature may use. It knows no feature: what one feature alone needs is a parameter of its module. */
export interface Platform {
  readonly database: Database;
  readonly storage: Storage;
  /** Where the files of a form are while its call is answered. */
  readonly temporaryFiles: TemporaryFiles;
  /** What goes on after a call is answered. */
  readonly afterwork: Afterwork;
  readonly fileUrls: FileUrls;
  readonly accessTokens: AccessTokens;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Origin of a web client that is served elsewhere; null or '' when there is none. */
  readonly webOrigin: string | null;
  readonly rateLimits: RateLimits;
  readonly passwords: Passwords;
  /** Makes refresh tokens; at least 32 bytes. */
  readonly sessionSecret: Uint8Array;
  /** The address people use, without a slash at its end: links in mails begin with it. */
  readonly siteUrl: string;
  readonly siteName: string;
  /**
   * Told after every change that public pages show, so that cached pages are dropped: those with one of
   * the tags (contract/page-tags.ts), or all of them where none are given.
   */
  catalogueChanged(tags?: readonly string[]): void;
}

/** Whoever makes a call with a valid access token. */
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
}

export interface ApiEnv {
  Variables: {
    requestId: string;
    /** null for a visitor; set by `enforceAccess`. */
    caller: Caller | null;
  };
}

/** Where the outer server tells the API who asks; a visitor's own header of this name never counts. */
export const CLIENT_ADDRESS_HEADER = 'x-client-address';

/** The app with what every route may use. */
export interface Api {
  readonly app: Hono<ApiEnv>;
  readonly platform: Platform;
}
