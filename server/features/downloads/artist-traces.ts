import type { Context } from 'hono';
import { DAY_MS } from '../../../contract/values/time-units.ts';
import { exists } from '../../platform/database/statements/outcomes.ts';
import type { ApiEnv, Platform } from '../../platform/http/context.ts';
import { findDeviceId, readDevice } from '../accounts/devices.ts';
import { toNetworkSubject, toVisitorSubject } from '../visitors/member-traces.ts';
import type { AddressHashes } from '../visitors/addresses.ts';
import type { Db } from './tables.ts';

/**
 * Recognises downloads by the artist: a member who is logged in; a browser with the cookie of an artist's log-in, or
 * seen with the artist's account; and a network from which the artist logged in, stayed logged in or downloaded within
 * a day. An artist on a mobile network therefore loses the credits of users who share it for that time; the alternative
 * is to pay for a second browser.
 */
export interface Downloader {
  /** The logged-in member; null for a visitor. */
  readonly memberId: string | null;
  readonly visitor: string;
  readonly address: AddressHashes;
  /** The cookie of an earlier log-in. */
  readonly device: string;
}

/** Builds the downloader of a call from a visitor and an address. */
export function toDownloader(
  { siteUrl }: Pick<Platform, 'siteUrl'>,
  context: Context<ApiEnv>,
  call: Omit<Downloader, 'device'>,
): Downloader {
  return { ...call, device: readDevice(context, siteUrl) };
}

/**
 * Whether a download comes from a browser or network of the artist's. Browser traces count since `sinceMs`, network
 * traces for a day, under the keys of two days, so that they also count after midnight.
 */
export async function hasArtistTrace(
  db: Db,
  sessionSecret: Uint8Array,
  { visitor, address, device }: Downloader,
  artistId: string,
  nowMs: number,
  sinceMs: number,
): Promise<boolean> {
  if (findDeviceId(sessionSecret, artistId, device) !== undefined) return true;
  const { network, networkYesterday } = address;
  const networks = [network, networkYesterday ?? network].map((hash) => toNetworkSubject({ network: hash }));
  return exists(
    db
      .selectFrom('member_traces')
      .select('subject')
      .where('user_id', '=', artistId)
      .where((where) =>
        where.or([
          where.and([where('subject', '=', toVisitorSubject(visitor)), where('seen_at', '>', sinceMs)]),
          where.and([where('subject', 'in', networks), where('seen_at', '>', nowMs - DAY_MS)]),
        ]),
      )
      .limit(1),
  );
}
