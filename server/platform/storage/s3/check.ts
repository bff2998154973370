import { randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { OperatorError } from '../../operator-error.ts';
import { describeBucket } from './address.ts';
import type { S3Client } from './client.ts';
import { S3Refusal, S3Unreachable, toReason } from './failures.ts';
import { PROBES } from './bucket.ts';
import { openObject } from './reader.ts';
import { findText } from './xml.ts';

/** The bucket cannot be used as it is set up; the message is one sentence that says what to change. */
export class BucketError extends OperatorError {
  override readonly name = 'BucketError';
  /** - `unreachable`: the service did not answer. - `refused`: it did. */
  readonly kind: 'unreachable' | 'refused';

  constructor(kind: 'unreachable' | 'refused', message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

const STEPS = ['write', 'read', 'list', 'delete'] as const;

/** Stores, reads, lists and deletes a small object. Throws `BucketError`. */
export async function checkBucket(client: S3Client): Promise<void> {
  const key = `${PROBES}${randomUUID()}`;
  const body = Buffer.from(key);
  const run: Readonly<Record<(typeof STEPS)[number], () => Promise<boolean>>> = {
    write: () => client.call({ method: 'PUT', key, body }).then(() => true),
    read: async () => (await buffer(await openObject(client, key))).equals(body),
    list: async () => {
      const query = { 'list-type': '2', prefix: `${client.location.prefix}${key}` };
      const { text } = await client.call({ method: 'GET', query });
      return findText(text, 'Key') === `${client.location.prefix}${key}`;
    },
    delete: () => client.call({ method: 'DELETE', key }).then(() => true),
  };
  for (const step of STEPS) {
    const isRight = await run[step]().catch(async (error: unknown) => {
      if (step !== 'write' && step !== 'delete')
        await client.call({ method: 'DELETE', key }).catch(() => undefined);
      throw explain(client, step, error);
    });
    if (!isRight) {
      const place = describeBucket(client.location);
      throw new BucketError(
        'refused',
        `STORAGE_URL: a test object in ${place} does not ${step} as it should.`,
      );
    }
  }
}

function explain({ location }: S3Client, step: string, error: unknown): BucketError {
  const host = location.origin.replace(/^\w+:\/\//, '');
  const place = describeBucket(location);
  const options = { cause: error };
  if (error instanceof S3Unreachable) {
    const reason = toReason(error.cause);
    return new BucketError('unreachable', `STORAGE_URL: ${host} cannot be reached (${reason}).`, options);
  }
  if (!(error instanceof S3Refusal)) {
    return new BucketError(
      'unreachable',
      `STORAGE_URL: ${place} cannot be used (${toReason(error)}).`,
      options,
    );
  }
  const { status, s3Code } = error;
  return new BucketError(
    'refused',
    `STORAGE_URL: ${toSentence(status, s3Code, step, location.bucket, host)}`,
    options,
  );
}

function toSentence(status: number, code: string, step: string, bucket: string, host: string): string {
  if (code === 'NoSuchBucket' || (status === 404 && step === 'write'))
    return `${host} has no bucket ${bucket}; create it, or correct the address.`;
  if (code === 'RequestTimeTooSkewed')
    return `the clock of this machine differs from that of ${host} by more than 15 minutes; set it right.`;
  if (code === 'SignatureDoesNotMatch') return `${host} refuses the signature: the secret is wrong.`;
  if (code === 'InvalidAccessKeyId') return `${host} does not know the access key.`;
  if (status === 301 || code === 'AuthorizationHeaderMalformed' || code === 'PermanentRedirect')
    return `the bucket ${bucket} is in another region than the address says; add ?region=….`;
  if (status === 403 || status === 401)
    return `the access key has no right to ${step} objects in the bucket ${bucket} at ${host}.`;
  const shown = code === '' ? status : `${status} ${code}`;
  return `${host} answered ${shown} when a test object was to be ${{ write: 'written', read: 'read', list: 'listed' }[step] ?? 'deleted'}.`;
}
