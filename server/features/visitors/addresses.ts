import { randomBytes } from 'node:crypto';
import { toDay } from '../../../contract/values/months.ts';
import { keyedHash } from '../../platform/crypto/keyed-hash.ts';
import type { Database } from '../../platform/database/open.ts';
import { toAddressGroup, toNetworkGroup, toProviderGroup } from '../../platform/http/address-limits.ts';
import type { Db } from './tables.ts';
import { own } from './tables.ts';

const KEY_BYTES = 32;

/** An address as stored in the tables: hashes under a key that changes each day. */
export interface AddressHashes {
  /**
   * Of an IPv4 address or an IPv6 /64, which may be a household or an office. Used to stop floods: a whole network may
   * be a telephone company, whose customers must not be refused because of one another.
   */
  readonly host: string;
  /**
   * Of an IPv4 /24 or an IPv6 /48 (`toNetworkGroup`). Used to judge credits, where the stricter rule never costs a
   * visitor the file.
   */
  readonly network: string;
  /** Of an IPv4 /16 or an IPv6 /32 (`toProviderGroup`), within which a customer can rotate networks. */
  readonly provider: string;
  /** The network hash under yesterday's key, for rules that extend across midnight; null if there is no such key. */
  readonly networkYesterday: string | null;
}

interface DayKeys {
  readonly today: Buffer;
  readonly yesterday: Buffer | null;
}

/** One day's keys for each database. The next day's keys replace them, which removes expired keys from memory. */
const cachedKeys = new WeakMap<Database['db'], { readonly day: number; readonly keys: Promise<DayKeys> }>();

/** Hashes an address for the day of `nowMs`. '' is also an address: that of pages that call in process. */
export async function hashAddress(
  database: Database,
  address: string,
  nowMs: number,
): Promise<AddressHashes> {
  const { today, yesterday } = await findKeys(database, toDay(nowMs));
  const network = toNetworkGroup(address);
  return {
    host: keyedHash(today, 'host', toAddressGroup(address)),
    network: keyedHash(today, 'network', network),
    provider: keyedHash(today, 'provider', toProviderGroup(address)),
    networkYesterday: yesterday && keyedHash(yesterday, 'network', network),
  };
}

/**
 * Deletes keys from before yesterday, after which hashes made with them cannot be linked to an address. Other processes
 * call `forgetOldAddressKeys`.
 */
export async function deleteOldAddressKeys(database: Database, nowMs: number): Promise<void> {
  forgetOldAddressKeys(database, nowMs);
  await own(database.db)
    .deleteFrom('address_keys')
    .where('day', '<', toDay(nowMs) - 1)
    .execute();
}

/** If there was no download since midnight, the keys in memory are still those of earlier days. */
export function forgetOldAddressKeys({ db }: Database, nowMs: number): void {
  if (cachedKeys.get(db)?.day !== toDay(nowMs)) cachedKeys.delete(db);
}

/** Concurrent callers share one read; a failed one is not cached. */
function findKeys({ db }: Database, day: number): Promise<DayKeys> {
  const cached = cachedKeys.get(db);
  if (cached?.day === day) return cached.keys;
  const keys = readKeys(db, day);
  cachedKeys.set(db, { day, keys });
  keys.catch(() => {
    if (cachedKeys.get(db)?.keys === keys) cachedKeys.delete(db);
  });
  return keys;
}

async function readKeys(db: Db, day: number): Promise<DayKeys> {
  return { today: await readOrMakeKey(db, day), yesterday: (await readKey(db, day - 1)) ?? null };
}

/** All processes use the key that was stored first. */
async function readOrMakeKey(db: Db, day: number): Promise<Buffer> {
  const stored = await readKey(db, day);
  if (stored !== undefined) return stored;
  const secret = randomBytes(KEY_BYTES).toString('base64url');
  await db
    .insertInto('address_keys')
    .values({ day, secret })
    .onConflict((conflict) => conflict.column('day').doNothing())
    .execute();
  const made = await readKey(db, day);
  if (made === undefined) throw new Error(`there is no address key for day ${day}`);
  return made;
}

async function readKey(db: Db, day: number): Promise<Buffer | undefined> {
  const row = await db.selectFrom('address_keys').select('secret').where('day', '=', day).executeTakeFirst();
  return row && Buffer.from(row.secret, 'base64url');
}
