import type { Context } from 'hono';
import type { Kysely } from 'kysely';
import type { Schema } from '../../platform/database/schema.ts';
import type { ApiDeps, ApiEnv } from '../../platform/http/context.ts';
import { findDeviceId, readDevice } from '../accounts/devices.ts';
import { hashAddress } from '../visitors/addresses.ts';
import type { AddressHashes } from '../visitors/addresses.ts';
import { toNetworkSubject, toVisitorSubject } from './counts.ts';
import { findVisitor } from '../visitors/visitors.ts';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

/**
 * Which downloads are an artist's own. Known are: a member who is logged in; a browser that carries the
 * cookie of an artist's log-in, or was seen with the artist's account; and a network from which the artist
 * logged in, stayed logged in or downloaded within a day. An artist at a telephone company so loses the
 * credits of their neighbours for so long, which is the price of not paying for a second browser.
 */
export interface Downloader {
  /** The member who is logged in; null for a visitor. */
  readonly memberId: string | null;
  readonly visitor: string;
  readonly address: AddressHashes;
  /** The cookie of an earlier log-in. */
  readonly device: string;
}

/** Who makes a call, when visitor and address are known already. */
export function toDownloader(
  { siteUrl }: Pick<ApiDeps, 'siteUrl'>,
  context: Context<ApiEnv>,
  call: Omit<Downloader, 'device'>,
): Downloader {
  return { ...call, device: readDevice(context, siteUrl) };
}

/**
 * Remembers that a member came by this browser and network; for calls that log in, or keep logged in. Never
 * rejects: nobody is kept out because a trace could not be written.
 */
export async function noteMemberCall(
  deps: Pick<ApiDeps, 'database' | 'clock' | 'siteUrl' | 'logger'>,
  context: Context<ApiEnv>,
  memberId: string,
  address: string,
): Promise<void> {
  const visitor = findVisitor(context, deps.siteUrl);
  try {
    const nowMs = deps.clock.now();
    const hashes = await hashAddress(deps.database, address, nowMs);
    const downloader = toDownloader(deps, context, { memberId, visitor, address: hashes });
    await noteMember(deps.database.db, downloader, nowMs);
  } catch (error) {
    deps.logger.warn({ err: error }, 'where a member logged in could not be noted');
  }
}

/** The same for a download; one by nobody leaves no trace. */
export async function noteMember(
  db: Kysely<Schema>,
  { memberId, visitor, address }: Downloader,
  nowMs: number,
): Promise<void> {
  if (memberId === null) return;
  const subjects = [toNetworkSubject(address), ...(visitor === '' ? [] : [toVisitorSubject(visitor)])];
  const today = await db
    .selectFrom('member_traces')
    .select('subject')
    .where('user_id', '=', memberId)
    .where('subject', 'in', subjects)
    .where('seen_at', '>=', nowMs - HOUR_MS)
    .execute();
  const known = new Set(today.map(({ subject }) => subject));
  const rows = subjects
    .filter((subject) => !known.has(subject))
    .map((subject) => ({ subject, user_id: memberId, seen_at: nowMs }));
  if (rows.length === 0) return;
  await db
    .insertInto('member_traces')
    .values(rows)
    .onConflict((conflict) => conflict.columns(['subject', 'user_id']).doUpdateSet({ seen_at: nowMs }))
    .execute();
}

/**
 * Whether a download comes from a browser or network of the artist's. Traces of browsers count since `sinceMs`, those of
 * networks for a day, under the keys of two days, so that they also count after midnight.
 */
export async function hasArtistTrace(
  db: Kysely<Schema>,
  sessionSecret: Uint8Array,
  { visitor, address, device }: Downloader,
  artistId: string,
  nowMs: number,
  sinceMs: number,
): Promise<boolean> {
  if (findDeviceId(sessionSecret, artistId, device) !== undefined) return true;
  const { network, networkBefore } = address;
  const networks = [network, networkBefore ?? network].map((hash) => toNetworkSubject({ network: hash }));
  const trace = await db
    .selectFrom('member_traces')
    .select('subject')
    .where('user_id', '=', artistId)
    .where((where) =>
      where.or([
        where.and([where('subject', '=', toVisitorSubject(visitor)), where('seen_at', '>', sinceMs)]),
        where.and([where('subject', 'in', networks), where('seen_at', '>', nowMs - DAY_MS)]),
      ]),
    )
    .limit(1)
    .executeTakeFirst();
  return trace !== undefined;
}

/** Forgets networks, whose hashes mean nothing two days after, and browsers not seen since `sinceMs`. */
export async function forgetTraces(db: Kysely<Schema>, nowMs: number, sinceMs: number): Promise<void> {
  await db
    .deleteFrom('member_traces')
    .where((where) =>
      where.or([
        where('seen_at', '<', sinceMs),
        where.and([where('seen_at', '<', nowMs - 2 * DAY_MS), where('subject', 'like', 'network:%')]),
      ]),
    )
    .execute();
}
