import { HOUR_SEC } from '../../contract/values/time-units.ts';
import { acquireByAddress, takeByAddress } from '../platform/http/address-limits.ts';
import { TooManyRequests, noRateLimits } from '../platform/limits/rate-limits.ts';
import { createMemoryRateLimits } from '../platform/limits/counting.ts';
import type { Storage, StoredObject } from '../platform/storage/port.ts';
import { toClientAddress } from './client-address.ts';
import type { MediaHandler } from './media.ts';
import { sendJson } from './replies.ts';
import type { Exchange } from './replies.ts';

/**
 * A quarter of the connections for readers (READERS_MAX of the client), like the share of all connections; half for a
 * network, three quarters for a provider. Also counts requests whose client has left, until the bucket has answered.
 */
const READERS = { name: 'readers of the bucket', concurrency: 128 };
/** Each costs a request to the bucket, and the services charge for those. People come across hardly any. */
const MISSES = { name: 'missing pictures', points: 600, perSec: HOUR_SEC };

export interface BucketReaders {
  /** Answers 429 to an address that has used its share. */
  limit(serve: MediaHandler): MediaHandler;
  /** Looks up a key that a visitor may have invented. Throws `TooManyRequests`. */
  findPicture(exchange: Exchange, key: string): Promise<StoredObject | undefined>;
}

/** Shares a bucket among the addresses whose files this process reads for them. */
export function createBucketReaders(
  storage: Pick<Storage, 'find'>,
  { hasRateLimits, trustedProxyHops }: { readonly hasRateLimits: boolean; readonly trustedProxyHops: number },
): BucketReaders {
  const rateLimits = hasRateLimits ? createMemoryRateLimits() : noRateLimits;
  // A closed connection has no address.
  const toKey = ({ req }: Exchange) => toClientAddress(req, trustedProxyHops) || 'unknown';
  return {
    limit: (serve) => async (exchange, target) => {
      let release: (() => void) | undefined;
      try {
        release = acquireByAddress(rateLimits, READERS, toKey(exchange));
        await serve(exchange, target);
      } catch (error) {
        if (!(error instanceof TooManyRequests)) throw error;
        const detail = '同時のアクセスが多すぎます。しばらくしてからもう一度お試しください。';
        sendJson(exchange, 429, { detail }, [['retry-after', String(error.retryAfterSec)]]);
      } finally {
        release?.();
      }
    },
    async findPicture(exchange, key) {
      const refund = await takeByAddress(rateLimits, MISSES, toKey(exchange));
      const found = await storage.find(key);
      if (found !== undefined) await refund();
      return found;
    },
  };
}
