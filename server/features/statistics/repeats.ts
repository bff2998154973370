import { randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { toDay } from '../../../contract/months.ts';
import { keyedHash } from '../../platform/crypto/crypto.ts';
import { toAddressGroup, toNetworkGroup } from '../../platform/http/http.ts';

const KEY_BYTES = 32;
/** Enough to tell the hashes of a day apart. */
const HASH_LENGTH = 12;
/** About 15 MB when all are in use; the least recently used one is evicted. */
const HASHES_MAX = 100_000;
/** How often one network can count for one thing in a day: a school, or a telephone company. */
const PER_NETWORK = 20;
/** How many different things one network can name in a day: those are rows. */
const THINGS_PER_NETWORK = 2_000;

/** Whether something counts: once a day for each address, and a bounded number of times for its network. */
export type IsNew = (address: string, thing: string, nowMs: number) => boolean;

/**
 * Remembers who has counted for what today, in this process only, by hashes whose key is replaced each day and is stored
 * nowhere. Of several processes, each has a memory of its own: a repeat counts at most once in each.
 */
export function createRepeatFilter(): IsNew {
  const counts = new LRUCache<string, number>({ max: HASHES_MAX });
  let day = 0;
  let key = randomBytes(KEY_BYTES);
  return (address, thing, nowMs) => {
    if (toDay(nowMs) !== day) {
      day = toDay(nowMs);
      key = randomBytes(KEY_BYTES);
      counts.clear();
    }
    const network = toNetworkGroup(address);
    const limits = [
      { hash: keyedHash(key, 'address', toAddressGroup(address), thing), max: 1 },
      { hash: keyedHash(key, 'network', network, thing), max: PER_NETWORK },
      { hash: keyedHash(key, 'things', network), max: THINGS_PER_NETWORK },
    ].map(({ hash, max }) => ({ hash: hash.slice(0, HASH_LENGTH), max }));
    if (limits.some(({ hash, max }) => (counts.get(hash) ?? 0) >= max)) return false;
    for (const { hash } of limits) counts.set(hash, (counts.get(hash) ?? 0) + 1);
    return true;
  };
}
