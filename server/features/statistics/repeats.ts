import { randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { toDay } from '../../../contract/values/months.ts';
import { keyedHash } from '../../platform/crypto/keyed-hash.ts';
import { toAddressGroup, toNetworkGroup, toProviderGroup } from '../../platform/http/address-limits.ts';

const KEY_BYTES = 32;
/** Enough to distinguish the hashes of a day. */
const HASH_LENGTH = 12;
/** About 15 MB when all are in use; the least recently used one is evicted. */
const HASHES_MAX = 100_000;
/** How often one network, and one provider, can count for one thing in a day: a school, or a telephone company. */
const PER_NETWORK = 20;
const PER_PROVIDER = 640;
/** How many different things they can name in a day: those are rows. */
const THINGS_PER_NETWORK = 2_000;
const THINGS_PER_PROVIDER = 16_000;
/**
 * How many different words they can name in a day, for one sound and without results: well below the share that a list
 * of words keeps for new ones.
 */
const WORDS = {
  ofSound: { network: 5, provider: 10 },
  missed: { network: 200, provider: 400 },
} as const;

export interface RepeatFilter {
  /** Whether something counts: once a day for each address, and a bounded number of times for its groups. */
  isNew(address: string, thing: string, nowMs: number): boolean;
  /** Whether a word counts, for a sound or (null) without results: not if its groups have named too many others. */
  isWordCounted(address: string, soundId: string | null, word: string, nowMs: number): boolean;
}

/**
 * Remembers who has counted for what today, in this process only, by hashes whose key is replaced each day and is stored
 * nowhere. Each process remembers separately: a repeat counts at most once in each.
 */
export function createRepeatFilter(): RepeatFilter {
  const counts = new LRUCache<string, number>({ max: HASHES_MAX });
  let day = 0;
  let key = randomBytes(KEY_BYTES);

  function startDay(nowMs: number): void {
    if (toDay(nowMs) === day) return;
    day = toDay(nowMs);
    key = randomBytes(KEY_BYTES);
    counts.clear();
  }

  const toHash = (kind: string, ...parts: string[]) => keyedHash(key, kind, ...parts).slice(0, HASH_LENGTH);

  /** Counts one for all, unless one of them is at its limit. */
  function take(limits: readonly { readonly hash: string; readonly max: number }[]): boolean {
    if (limits.some(({ hash, max }) => (counts.get(hash) ?? 0) >= max)) return false;
    for (const { hash } of limits) counts.set(hash, (counts.get(hash) ?? 0) + 1);
    return true;
  }

  return {
    isNew(address, thing, nowMs) {
      startDay(nowMs);
      const network = toNetworkGroup(address);
      const provider = toProviderGroup(address);
      return take([
        { hash: toHash('address', toAddressGroup(address), thing), max: 1 },
        { hash: toHash('network', network, thing), max: PER_NETWORK },
        { hash: toHash('provider', provider, thing), max: PER_PROVIDER },
        { hash: toHash('things of a network', network), max: THINGS_PER_NETWORK },
        { hash: toHash('things of a provider', provider), max: THINGS_PER_PROVIDER },
      ]);
    },
    isWordCounted(address, soundId, word, nowMs) {
      startDay(nowMs);
      const list = String(soundId);
      const { network, provider } = soundId === null ? WORDS.missed : WORDS.ofSound;
      const limits = [
        { group: toNetworkGroup(address), max: network },
        { group: toProviderGroup(address), max: provider },
      ].flatMap(({ group, max }) => {
        const named = toHash('word', group, list, word);
        // A word that the group has already used does not count again.
        return counts.has(named)
          ? []
          : [
              { hash: named, max: 1 },
              { hash: toHash('words', group, list), max },
            ];
      });
      return take(limits);
    },
  };
}
