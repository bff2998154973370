import type { Hono } from 'hono';
import type { Logger } from 'pino';
import type { AdProviderName } from '../../../contract/ads.ts';
import type { Database } from '../database/database.ts';
import type { DownloadLimits } from '../../features/downloads/downloads.ts';
import type { UploadFiles } from '../../features/my-sounds/my-sounds.ts';
import type { Admission, RateLimits } from '../limits/limits.ts';
import type { Afterwork, Clock } from '../concurrency/concurrency.ts';
import type { AccessTokens, Passwords, SealingKey } from '../crypto/crypto.ts';
import type { FileUrls, Storage, TemporaryFiles } from '../storage/storage.ts';
import type { NoticeTimes } from '../../features/notices/notices.ts';

/** What the API is made of; `server/main.ts` chooses each part. */
export interface ApiDeps {
  readonly database: Database;
  readonly storage: Storage;
  /** Where the files of a form are while its call is answered. */
  readonly temporaryFiles: TemporaryFiles;
  /** Where files lie that are sent in pieces, until a sound is made of them. */
  readonly uploadFiles: UploadFiles;
  /** Seals the images of IDs, and cannot open them. */
  readonly personalInfoKey: SealingKey;
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
  /** Where messages to the operator go. */
  readonly operatorEmail: string;
  /** Where donation links lead (spec §5). */
  readonly donationHost: string;
  /** Whose advertisements grant a download. */
  readonly adProviders: readonly AdProviderName[];
  readonly notices: NoticeTimes;
  readonly downloadLimits: DownloadLimits;
  /**
   * Whether a browser or network that an artist has used makes a download the artist's own. On every real site; without
   * it only the logged-in artist's downloads are, so that one person can try both sides.
   */
  readonly tracesArtists: boolean;
  /** What a download is credited with from now on; 0 only counts it. */
  readonly rewardYenPerDownload: number;
  /** How long what was earned waits before it can be paid out. */
  readonly rewardPendingDays: number;
  /** When reads from outside are answered, see `admitReads`. */
  readonly readAdmission: Admission;
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

/** The app with what its routes need. */
export interface Api {
  readonly app: Hono<ApiEnv>;
  readonly deps: ApiDeps;
}
