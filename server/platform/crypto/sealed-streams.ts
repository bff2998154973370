import { makeDataKey, openDataKey, openPart, readKeyId, sealDataKey, sealPart } from './sealed.ts';
import { SEALED_DATA_KEY_BYTES, SEALED_PART_EXTRA_BYTES, UnopenableSealError } from './sealed.ts';
import type { OpeningKeys, SealingKey } from './sealed-keys.ts';

/** What is in memory at a time, on either side. */
const PART_BYTES = 64 * 1024;

/**
 * Seals content of any length so that only the private half of `key` opens it, in the same context only. Layout: a data
 * key of its own as `sealDataKey` seals it, then parts of 64 KiB, each sealed with the data key and numbered, so that none
 * can be changed, moved or left out; the last one is marked, so that the end cannot be cut off (the STREAM construction,
 * https://eprint.iacr.org/2015/189).
 */
export async function* sealStream(
  key: SealingKey,
  content: AsyncIterable<Uint8Array>,
  context: string,
): AsyncGenerator<Uint8Array> {
  const dataKey = makeDataKey();
  yield sealDataKey(key, dataKey, context);
  let number = 0;
  for await (const { bytes, isLast } of toParts(content, PART_BYTES)) {
    yield sealPart(dataKey, { number, isLast }, bytes);
    number += 1;
  }
  dataKey.fill(0);
}

/** Opens what `sealStream` sealed. What it yields is authentic, but complete only when it ends. Throws `UnopenableSealError`. */
export async function* unsealStream(
  keys: OpeningKeys,
  sealed: AsyncIterable<Uint8Array>,
  context: string,
): AsyncGenerator<Uint8Array> {
  const chunks = sealed[Symbol.asyncIterator]();
  try {
    const head = await readHead(chunks);
    const sealedKey = head.subarray(0, SEALED_DATA_KEY_BYTES);
    if (keys.find(readKeyId(sealedKey)) === undefined)
      throw new UnopenableSealError(`it is sealed to another key (${readKeyId(sealedKey).toString('hex')})`);
    const dataKey = openDataKey(keys, sealedKey, context);
    const rest = startWith(head.subarray(SEALED_DATA_KEY_BYTES), chunks);
    let number = 0;
    for await (const { bytes, isLast } of toParts(rest, PART_BYTES + SEALED_PART_EXTRA_BYTES)) {
      yield openPart(dataKey, { number, isLast }, bytes);
      number += 1;
    }
  } finally {
    await chunks.return?.();
  }
}

/** At least the bytes of the sealed data key. */
async function readHead(chunks: AsyncIterator<Uint8Array>): Promise<Buffer> {
  let head = Buffer.alloc(0);
  while (head.byteLength < SEALED_DATA_KEY_BYTES) {
    const { done, value } = await chunks.next();
    if (done) throw new UnopenableSealError('these bytes are not sealed');
    head = Buffer.concat([head, value]);
  }
  return head;
}

async function* startWith(first: Buffer, chunks: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first;
  yield* { [Symbol.asyncIterator]: () => chunks };
}

/** The content in parts of `size` bytes, the last one shorter or as long; one empty part if there is none. */
async function* toParts(content: AsyncIterable<Uint8Array>, size: number) {
  let part = Buffer.allocUnsafeSlow(size);
  let filled = 0;
  for await (const chunk of content) {
    for (let at = 0; at < chunk.byteLength;) {
      if (filled === size) {
        yield { bytes: part, isLast: false };
        part = Buffer.allocUnsafeSlow(size);
        filled = 0;
      }
      const piece = chunk.subarray(at, at + size - filled);
      part.set(piece, filled);
      filled += piece.byteLength;
      at += piece.byteLength;
    }
  }
  yield { bytes: part.subarray(0, filled), isLast: true };
}
