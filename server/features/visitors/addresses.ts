import { createHmac, randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import { toDay } from '../../../contract/months.ts';
import type { Database, Schema } from '../../platform/database/database.ts';
import { toAddressGroup, toNetworkGroup, toProviderGroup } from '../../platform/http/http.ts';

const KEY_BYTES = 32;

/** An address as the tables know it: hashes under the day's key, another one each day. */
export interface AddressHashes {
  /**
   * Of an IPv4 address or an IPv6 /64. Behind one may be a household or an office; it is what floods are
   * stopped by, since behind a network may be a telephone company, and nobody is kept out for strangers.
   */
  readonly host: string;
  /**
   * Of an IPv4 /24 or an IPv6 /48 (`toNetworkGroup`): what credits are judged by, where the stricter rule costs
   * nobody a file.
   */
  readonly network: string;
  /** Of an IPv4 /16 or an IPv6 /32 (`toProviderGroup`), whose networks can be rotated by whoever rents them. */
  readonly provider: string;
  /** The same under yesterday's key, for what has to be known across midnight; null where there is none. */
  readonly networkBefore: string | null;
}

interface DayKeys {
  readonly today: Buffer;
  readonly yesterday: Buffer | null;
}

/** One day's for each database: with the next day's the keys of days that are over leave the memory. */
const keptKeys = new WeakMap<Database, { readonly day: number; readonly keys: Promise<DayKeys> }>();

/** Hashes an address for the day of `nowMs`; '' is an address too, of pages that ask in process. */
export async function hashAddress(
  database: Database,
  address: string,
  nowMs: number,
): Promise<AddressHashes> {
  const { today, yesterday } = await findKeys(database, toDay(nowMs));
  const network = toNetworkGroup(address);
  return {
    host: hash(today, 'host', toAddressGroup(address)),
    network: hash(today, 'network', network),
    provider: hash(today, 'provider', toProviderGroup(address)),
    networkBefore: yesterday && hash(yesterday, 'network', network),
  };
}

/** Forgets keys from before yesterday: whatever is hashed under them is nobody's from then on. */
export async function forgetAddressKeys(database: Database, nowMs: number): Promise<void> {
  const day = toDay(nowMs);
  // Where nobody has downloaded since midnight the kept ones are still those of the days before.
  if (keptKeys.get(database)?.day !== day) keptKeys.delete(database);
  await database.db
    .deleteFrom('address_keys')
    .where('day', '<', day - 1)
    .execute();
}

/** Callers that come at once share one reading, and a failed one is not kept. */
function findKeys(database: Database, day: number): Promise<DayKeys> {
  const kept = keptKeys.get(database);
  if (kept?.day === day) return kept.keys;
  const keys = readKeys(database.db, day);
  keptKeys.set(database, { day, keys });
  keys.catch(() => {
    if (keptKeys.get(database)?.keys === keys) keptKeys.delete(database);
  });
  return keys;
}

async function readKeys(db: Kysely<Schema>, day: number): Promise<DayKeys> {
  return { today: await readOrMakeKey(db, day), yesterday: (await readKey(db, day - 1)) ?? null };
}

/** All processes have the same: the first one's. */
async function readOrMakeKey(db: Kysely<Schema>, day: number): Promise<Buffer> {
  const known = await readKey(db, day);
  if (known !== undefined) return known;
  const secret = randomBytes(KEY_BYTES).toString('base64url');
  await db
    .insertInto('address_keys')
    .values({ day, secret })
    .onConflict((conflict) => conflict.column('day').doNothing())
    .execute();
  const made = await readKey(db, day);
  if (made === undefined) throw new Error(`there is no key for addresses of day ${day}`);
  return made;
}

async function readKey(db: Kysely<Schema>, day: number): Promise<Buffer | undefined> {
  const row = await db.selectFrom('address_keys').select('secret').where('day', '=', day).executeTakeFirst();
  return row && Buffer.from(row.secret, 'base64url');
}

function hash(key: Buffer, what: 'host' | 'network' | 'provider', group: string): string {
  return createHmac('sha256', key)
    .update(JSON.stringify([what, group]))
    .digest('base64url');
}
