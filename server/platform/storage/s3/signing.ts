import { AwsV4Signer } from 'aws4fetch';
import type { BucketLocation } from './address.ts';

export interface Signable {
  readonly method: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** When it is signed; a service accepts requests of the last minutes only. */
  readonly nowMs?: number;
  /** Puts the signature into the address, which then can be used for this long; otherwise it is in the headers. */
  readonly lifetimeSec?: number;
}

/** Signs requests with the key of a bucket (https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-authenticating-requests.html). */
export function createS3Signer({ region, accessKeyId, secretAccessKey }: BucketLocation) {
  // One key for each day that the process lives would stay: the signer keeps it under the secret and the day.
  let signing = { day: '', keys: new Map<string, ArrayBuffer>() };

  return async ({ method, url, headers = {}, nowMs = Date.now(), lifetimeSec }: Signable) => {
    const datetime = new Date(nowMs).toISOString().replace(/[:-]|\.\d{3}/g, '');
    if (signing.day !== datetime.slice(0, 8)) signing = { day: datetime.slice(0, 8), keys: new Map() };
    const signed = new URL(url);
    if (lifetimeSec !== undefined) signed.searchParams.set('X-Amz-Expires', String(lifetimeSec));
    const signer = new AwsV4Signer({
      region,
      accessKeyId,
      secretAccessKey,
      method,
      url: signed.href,
      headers: { ...headers },
      service: 's3',
      signQuery: lifetimeSec !== undefined,
      datetime,
      cache: signing.keys,
    });
    return signer.sign();
  };
}
