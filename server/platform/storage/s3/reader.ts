import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { ByteRange } from '../port.ts';
import { S3Refusal, S3Unreachable } from './failures.ts';
import type { S3Client } from './client.ts';

/** Attempts to go on with an object whose connection breaks, since the last byte that arrived. */
const RESUMPTIONS_MAX = 4;

/**
 * Opens an object for reading. If the connection breaks or stalls, it goes on from the last byte: objects never change
 * under their key. Destroying the stream ends the request. Throws before the first byte what the client throws.
 */
export async function openObject(
  client: S3Client,
  key: string,
  range?: ByteRange,
  given?: AbortSignal,
): Promise<Readable> {
  const ending = new AbortController();
  given?.addEventListener('abort', () => ending.abort(given.reason), { once: true, signal: ending.signal });
  const response = await client.open(toRequest(key, range), ending.signal);
  const start = range?.start ?? 0;
  const length = Number(response.headers['content-length'] ?? NaN);
  const isPartial = response.statusCode === 206;
  if (!Number.isSafeInteger(length) || (range !== undefined && !isPartial)) {
    ending.abort();
    throw new S3Refusal(response.statusCode ?? 0, 'UnusableAnswer', `GET ${key}`);
  }
  return new ObjectReader(client, key, { next: start, end: start + length }, response, ending);
}

interface RemainingRange {
  /** The position of the next byte in the object. */
  next: number;
  /** Exclusive. */
  readonly end: number;
}

class ObjectReader extends Readable {
  readonly #client: S3Client;
  readonly #key: string;
  readonly #remaining: RemainingRange;
  readonly #ending: AbortController;
  #stall: NodeJS.Timeout | undefined;
  #response: IncomingMessage | undefined;
  #failures = 0;

  constructor(
    client: S3Client,
    key: string,
    remaining: RemainingRange,
    response: IncomingMessage,
    ending: AbortController,
  ) {
    super({ highWaterMark: 64 * 1024 });
    this.#client = client;
    this.#key = key;
    this.#remaining = remaining;
    this.#ending = ending;
    this.#attach(response);
  }

  override _read(): void {
    this.#next();
  }

  #next(): void {
    if (this.#response === undefined) return;
    this.#watch();
    this.#response.resume();
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    clearTimeout(this.#stall);
    this.#ending.abort();
    this.#response?.destroy();
    callback(error);
  }

  #attach(response: IncomingMessage): void {
    this.#response = response;
    response.on('data', (chunk: Buffer) => {
      if (this.#response !== response) return;
      this.#failures = 0;
      this.#remaining.next += chunk.byteLength;
      if (this.push(chunk)) this.#watch();
      else {
        clearTimeout(this.#stall);
        response.pause();
      }
    });
    response.on('end', () => {
      if (this.#response !== response || this.#remaining.next < this.#remaining.end) return;
      clearTimeout(this.#stall);
      this.push(null);
    });
    response.on('error', (error) => void this.#resume(response, error));
    response.on('close', () => {
      if (this.#remaining.next < this.#remaining.end)
        void this.#resume(response, new Error('the answer was cut off'));
    });
    response.pause();
  }

  /** Only while somebody waits for bytes: a slow reader is no stalled answer. */
  #watch(): void {
    clearTimeout(this.#stall);
    this.#stall = setTimeout(() => this.#onStall(), this.#client.limits.stallMs);
  }

  #onStall(): void {
    const response = this.#response;
    response?.destroy();
    if (response !== undefined) void this.#resume(response, new Error('the answer stalled'));
  }

  /** Requests the rest. Called for both events of a broken response, which acts once. */
  async #resume(broken: IncomingMessage, cause: Error): Promise<void> {
    if (this.#response !== broken || this.destroyed) return;
    this.#response = undefined;
    clearTimeout(this.#stall);
    this.#failures += 1;
    const { next, end } = this.#remaining;
    if (next >= end) {
      this.push(null);
      return;
    }
    if (this.#failures > RESUMPTIONS_MAX) {
      this.destroy(new S3Unreachable(`GET ${this.#key}`, cause));
      return;
    }
    try {
      const response = await this.#client.open(
        toRequest(this.#key, { start: next, end: end - 1 }),
        this.#ending.signal,
      );
      if (response.statusCode !== 206) throw new S3Refusal(200, 'UnusableAnswer', `GET ${this.#key}`);
      this.#attach(response);
      this.#next();
    } catch (error) {
      if (!this.destroyed) this.destroy(error instanceof Error ? error : new Error(String(error)));
    }
  }
}

function toRequest(key: string, range?: ByteRange) {
  return {
    method: 'GET',
    key,
    headers: range === undefined ? {} : { range: `bytes=${range.start}-${range.end}` },
  } as const;
}
