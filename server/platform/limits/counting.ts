import { createHash } from 'node:crypto';
import { CompiledQuery } from 'kysely';
import { LRUCache } from 'lru-cache';
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import type { Database } from '../database/open.ts';
import { createConcurrencyLimiter } from './concurrency-limiter.ts';
import { TooManyRequests } from './rate-limits.ts';
import type { RateLimit, RateLimits } from './rate-limits.ts';

/** Keys per limit in this process: about 10 MB when all are in use. */
const KEYS_MAX = 20_000;
/** See platform/database/tables/processes.ts; the columns are the library's. */
const TABLE = 'rate_limits';

/**
 * Counts in this process, or in PostgreSQL, shared by several processes. While PostgreSQL is unreachable, each process
 * counts for itself: limits become wider, but no caller is locked out.
 */
export function createRateLimits({ db, dialect }: Pick<Database, 'db' | 'dialect'>): RateLimits {
  return dialect === 'postgres'
    ? createLimits((limit) => countInPostgres(limit, db))
    : createMemoryRateLimits();
}

/** Counts in this process. */
export function createMemoryRateLimits(): RateLimits {
  return createLimits(countInMemory);
}

function createLimits(make: (limit: RateLimit) => RateLimiterAbstract): RateLimits {
  const limiters = new Map<string, RateLimiterAbstract>();
  const find = (limit: RateLimit) => {
    const existing = limiters.get(limit.name);
    if (existing !== undefined) return existing;
    const made = make(limit);
    limiters.set(limit.name, made);
    return made;
  };
  return {
    async take(limit, key) {
      try {
        await find(limit).consume(toStoredKey(key));
      } catch (error) {
        if (!(error instanceof RateLimiterRes)) throw error;
        throw new TooManyRequests(Math.max(1, Math.ceil(error.msBeforeNext / 1000)));
      }
    },
    async refund(limit, key) {
      await find(limit).reward(toStoredKey(key));
    },
    async reset(limit, key) {
      await find(limit).delete(toStoredKey(key));
    },
    acquire: createConcurrencyLimiter(),
  };
}

function countInMemory({ name, points, perSec }: RateLimit): RateLimiterMemory {
  return new BoundedLimiter({ keyPrefix: name, points, duration: perSec });
}

/**
 * Counts in this process for a bounded number of keys; the least recently counted one is evicted. An account under
 * attack is counted constantly, so it cannot be evicted by others: each of them costs a call that has its own limits.
 */
class BoundedLimiter extends RateLimiterMemory {
  readonly #keys = new LRUCache<string, true>({
    max: KEYS_MAX,
    dispose: (_, key, reason) => {
      if (reason === 'evict') void super.delete(key);
    },
  });

  override consume(key: string, points?: number) {
    this.#keys.set(key, true);
    return super.consume(key, points);
  }

  override reward(key: string, points?: number) {
    this.#keys.set(key, true);
    return super.reward(key, points);
  }
}

function countInPostgres(limit: RateLimit, db: Database['db']): RateLimiterPostgres {
  return new RateLimiterPostgres({
    keyPrefix: limit.name,
    points: limit.points,
    duration: limit.perSec,
    storeClient: toStoreClient(db),
    storeType: 'pool',
    tableName: TABLE,
    tableCreated: true,
    insuranceLimiter: countInMemory(limit),
  });
}

/** The part of a `pg` pool that the library uses, on the shared connections. */
function toStoreClient(db: Database['db']) {
  return {
    async query({ text, values }: { text: string; values: unknown[] }) {
      const { rows } = await db.executeQuery(CompiledQuery.raw(text, values));
      return { rows, rowCount: rows.length };
    },
  };
}

/** A key of fixed length, from which addresses cannot be read. */
function toStoredKey(key: string): string {
  return createHash('sha256').update(key).digest('base64url');
}
