import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { findSealingKey } from '../../../platform/crypto/sealed-keys.ts';
import { sealStream } from '../../../platform/crypto/sealed-streams.ts';
import { openStorage } from '../../../platform/storage/open.ts';
import { ERASURES } from '../erasures.ts';
import { SUMS_ENTRY } from '../manifest.ts';
import { listStoredEntries, readFrom } from '../pool.ts';
import { toContext, toListKey, toObjectKey } from './copies.ts';
import type { CopyTarget, ListHead } from './copies.ts';
import { openSent } from './sent.ts';

/** Small files take as long as an answer of the bucket; of each, one part of a large upload is in memory. */
const AT_ONCE = 6;

/**
 * Sends a backup of a folder to a bucket, sealed: the files that the bucket does not have yet, then their list. Only
 * writes there, and never deletes. What was sent before an interruption is not sent again. Returns the number of objects.
 */
export async function sendBackup(target: CopyTarget, backup: string, nowMs: number): Promise<number> {
  const key = findSealingKey(target.publicKey);
  if (key === undefined) throw new TypeError('not a public key');
  const storage = await openStorage({ kind: 's3', bucket: target.bucket });
  const sent = await openSent(dirname(backup), target, nowMs);
  const put = (name: string, content: AsyncIterable<Uint8Array>) =>
    storage.put(name, Readable.from(sealStream(key, content, toContext(name)), { objectMode: false }));
  let objects = 0;
  try {
    const sendFile = async (hash: string, content: AsyncIterable<Uint8Array>) => {
      if (sent.has(hash)) return;
      await put(toObjectKey(sent.nameKey, hash), content);
      await sent.add(hash);
      objects += 1;
    };
    const erasures = await readFile(join(dirname(backup), ERASURES)).catch(onMissing);
    const head: ListHead = {
      format: 1,
      nameKey: sent.nameKey,
      erasures: erasures === undefined ? null : createHash('sha256').update(erasures).digest('hex'),
    };
    if (erasures !== undefined && head.erasures !== null)
      await sendFile(head.erasures, Readable.from([erasures]));
    const underWay: Promise<void>[] = [];
    for await (const { hash, read } of listStoredEntries(backup)) {
      if (sent.has(hash)) continue;
      underWay.push(sendFile(hash, read()));
      if (underWay.length === AT_ONCE) await waitForAll(underWay.splice(0));
    }
    await waitForAll(underWay);
    await put(toListKey(basename(backup)), toList(head, backup));
    return objects + 1;
  } finally {
    await sent.close();
  }
}

/** Also if one fails, so that what arrives meanwhile is recorded. Throws the first error. */
async function waitForAll(work: readonly Promise<void>[]): Promise<void> {
  await Promise.allSettled(work);
  await Promise.all(work);
}

async function* toList(head: ListHead, backup: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(`${JSON.stringify(head)}\n`);
  yield* readFrom(join(backup, SUMS_ENTRY));
}

function onMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
