import type { Clock } from '../../../platform/concurrency/clock.ts';

/** The bytes of a request, taken in parts. A failure only ends them early, so that what arrived can be stored. */
export interface IncomingBytes {
  /** Waits for the next bytes. */
  hasMore(): Promise<boolean>;
  /** The next bytes, at most so many, that arrive within a time; `count` receives the size of each chunk. */
  take(bytesMax: number, msMax: number, count: (bytes: number) => void): AsyncGenerator<Uint8Array>;
  /** Throws what ended the bytes early. */
  throwFailure(): void;
}

/** `requireFree` throws when there is no room for so many bytes; they are then not taken. */
export function createIncomingBytes(
  content: AsyncIterable<Uint8Array>,
  { clock, requireFree }: { readonly clock: Clock; readonly requireFree: (bytes: number) => Promise<void> },
): IncomingBytes {
  const chunks = content[Symbol.asyncIterator]();
  let next: Uint8Array | undefined;
  let hasEnded = false;
  let failure: { readonly error: unknown } | undefined;

  async function hasMore(): Promise<boolean> {
    while (next === undefined && !hasEnded) {
      try {
        const { done, value } = await chunks.next();
        if (done === true) hasEnded = true;
        else if (value.byteLength > 0) {
          await requireFree(value.byteLength);
          next = value;
        }
      } catch (error) {
        hasEnded = true;
        failure = { error };
      }
    }
    return next !== undefined;
  }

  return {
    hasMore,
    async *take(bytesMax, msMax, count) {
      const endsAt = clock.now() + msMax;
      let bytesLeft = bytesMax;
      while (bytesLeft > 0 && (await hasMore()) && clock.now() < endsAt) {
        const chunk = next?.subarray(0, bytesLeft) ?? new Uint8Array();
        const rest = next?.subarray(chunk.byteLength);
        next = rest?.byteLength ? rest : undefined;
        bytesLeft -= chunk.byteLength;
        count(chunk.byteLength);
        yield chunk;
      }
    },
    throwFailure() {
      if (failure !== undefined) throw failure.error;
    },
  };
}
