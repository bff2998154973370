import { randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { describeBucket } from './address.ts';
import { PROBES } from './bucket.ts';
import { explain } from './check-texts.ts';
import type { BucketStep } from './check-texts.ts';
import type { S3Client } from './client.ts';
import { isUnsupported } from './failures.ts';
import { listObjects, listUploads } from './listing.ts';
import { openObject } from './reader.ts';
import { createS3Signer } from './signing.ts';
import { isPresent, onlyIfAbsent, putParts } from './writer.ts';
import { findText } from './xml.ts';

/** What the site does without where a service lacks it. */
export type OptionalAbility = 'conditional writes' | 'aborting uploads' | 'listing uploads';

export interface MissingAbility {
  readonly ability: OptionalAbility;
  /** One sentence each. */
  readonly found: string;
  readonly loss: string;
}

const LOSSES: Readonly<Record<OptionalAbility, string>> = {
  'conditional writes':
    'Two sites that start for the first time with the same empty bucket at the same moment are not told apart.',
  'aborting uploads':
    'The parts of interrupted uploads stay and cost money until a rule of the bucket ends them.',
  'listing uploads':
    'Uploads that a killed process left are not found; a rule of the bucket has to end them after a day.',
};

export interface CheckOptions {
  /** Whether browsers are sent to signed addresses, so that the service has to accept them. */
  readonly signsAddresses?: boolean;
}

/**
 * Tries what the code uses, with two small objects: writes, conditional writes, reading a range, uploads in parts, aborting
 * and listing them, listing objects in pages, deleting, signed addresses. About fifteen requests, most of them at once.
 * Returns what is missing and not needed; throws `BucketError` for the rest.
 */
export async function checkBucket(
  client: S3Client,
  { signsAddresses = false }: CheckOptions = {},
): Promise<readonly MissingAbility[]> {
  const probe = `${PROBES}${randomUUID()}`;
  const [small, large] = [`${probe}-1`, `${probe}-2`];
  const body = Buffer.from(probe);
  const missing = new Set<OptionalAbility>();

  const run = async (step: BucketStep, isRight: () => Promise<boolean>): Promise<void> => {
    const found = await isRight().catch((error: unknown) => {
      throw explain(client.location, step, error);
    });
    if (!found) throw explain(client.location, step, undefined);
  };

  async function write(): Promise<boolean> {
    const put = { method: 'PUT', key: small, body } as const;
    try {
      await client.call(onlyIfAbsent(put));
    } catch (error) {
      if (!isUnsupported(error)) throw error;
      missing.add('conditional writes');
      await client.call(put);
    }
    return true;
  }

  /** A service that does not know the header may also ignore it. */
  async function writeAgain(): Promise<boolean> {
    if (missing.has('conditional writes')) return true;
    const isUnchanged = await client.call(onlyIfAbsent({ method: 'PUT', key: small, body })).then(
      () => false,
      (error: unknown) => {
        if (isPresent(error)) return true;
        throw error;
      },
    );
    if (!isUnchanged) missing.add('conditional writes');
    return true;
  }

  async function read(): Promise<boolean> {
    const range = { start: 2, end: body.byteLength - 2 };
    return (await buffer(await openObject(client, small, range))).equals(body.subarray(2, -1));
  }

  async function sign(): Promise<boolean> {
    const { origin, bucket, prefix } = client.location;
    const url = `${origin}/${bucket}/${prefix}${small}?response-content-type=audio%2Fmpeg`;
    const signed = await createS3Signer(client.location)({ method: 'GET', url, lifetimeSec: 60 });
    const answer = await fetch(signed.url, {
      redirect: 'error',
      signal: AbortSignal.timeout(client.limits.totalMs),
    });
    return answer.ok && Buffer.from(await answer.arrayBuffer()).equals(body);
  }

  async function storeParts(): Promise<boolean> {
    await putParts(client, large, body, noParts());
    return true;
  }

  async function abort(): Promise<boolean> {
    const { text } = await client.call({ method: 'POST', key: `${probe}-3`, query: { uploads: '' } });
    const uploadId = findText(text, 'UploadId') ?? '';
    const listed = await Array.fromAsync(listUploads(client, `${probe}-3`));
    if (!listed.some((upload) => upload.uploadId === uploadId)) missing.add('listing uploads');
    await client
      .call({ method: 'DELETE', key: `${probe}-3`, query: { uploadId } })
      .catch((error: unknown) => {
        if (!isUnsupported(error)) throw error;
        missing.add('aborting uploads');
      });
    return true;
  }

  async function list(): Promise<boolean> {
    const names: string[] = [];
    for await (const { name, size } of listObjects(client, probe, 1)) {
      if (size === body.byteLength) names.push(name);
      // A service that ignores the token begins again.
      if (names.length > 2) break;
    }
    return names.join() === [small, large].join();
  }

  async function remove(): Promise<boolean> {
    for (const key of [small, large]) await client.call({ method: 'DELETE', key });
    return true;
  }

  try {
    await run('write', write);
    // All of them end before the objects are deleted.
    const tried = await Promise.allSettled([
      run('write', writeAgain),
      run('read', read),
      run('parts', storeParts),
      run('parts', abort),
      ...(signsAddresses ? [run('sign', sign)] : []),
    ]);
    const failed = tried.find((one) => one.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
    await run('list', list);
  } catch (error) {
    await remove().catch(() => undefined);
    throw error;
  }
  await run('delete', remove);
  return [...missing].map((ability) => ({
    ability,
    found: `The service of the bucket ${describeBucket(client.location)} has no ${ability}.`,
    loss: LOSSES[ability],
  }));
}

async function* noParts(): AsyncGenerator<Uint8Array> {}
