import { OperatorError } from '../../operator-error.ts';
import { describeBucket } from './address.ts';
import type { BucketLocation } from './address.ts';
import { S3Refusal, S3Unreachable, toReason } from './failures.ts';

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

const STEPS = {
  write: { right: 'write objects', done: 'written' },
  read: { right: 'read objects', done: 'read in part' },
  parts: { right: 'store objects in parts and to abort that', done: 'stored in parts' },
  list: { right: 'list objects', done: 'listed page by page' },
  delete: { right: 'delete objects', done: 'deleted' },
  sign: {
    right: 'sign addresses of objects',
    done: 'read at the signed address that MEDIA_REDIRECT=signed needs',
  },
} as const;
export type BucketStep = keyof typeof STEPS;

/** The one sentence for what failed; undefined: the service answered something other than the request. */
export function explain(location: BucketLocation, step: BucketStep, error: unknown): BucketError {
  const host = location.origin.replace(/^\w+:\/\//, '');
  const bucket = describeBucket(location);
  const options = { cause: error };
  if (error === undefined)
    return new BucketError(
      'refused',
      `STORAGE_URL: a test object in ${bucket} could not be ${STEPS[step].done}.`,
    );
  if (error instanceof S3Unreachable) {
    const reason = toReason(error.cause);
    return new BucketError('unreachable', `STORAGE_URL: ${host} cannot be reached (${reason}).`, options);
  }
  if (!(error instanceof S3Refusal)) {
    return new BucketError(
      'unreachable',
      `STORAGE_URL: ${bucket} cannot be used (${toReason(error)}).`,
      options,
    );
  }
  const sentence = toSentence(error, step, location.bucket, host);
  return new BucketError('refused', `STORAGE_URL: ${sentence}`, options);
}

function toSentence(
  { status, s3Code: code }: S3Refusal,
  step: BucketStep,
  bucket: string,
  host: string,
): string {
  const { right, done } = STEPS[step];
  if (code === 'NoSuchBucket' || (status === 404 && step === 'write'))
    return `${host} has no bucket ${bucket}; create it, or correct the address.`;
  if (code === 'RequestTimeTooSkewed')
    return `the clock of this machine differs from that of ${host} by more than 15 minutes; set it right.`;
  if (code === 'SignatureDoesNotMatch') return `${host} refuses the signature: the secret is wrong.`;
  if (code === 'InvalidAccessKeyId') return `${host} does not know the access key.`;
  if (status === 301 || code === 'AuthorizationHeaderMalformed' || code === 'PermanentRedirect')
    return `the bucket ${bucket} is in another region than the address says; add ?region=….`;
  if (status === 403 || status === 401)
    return `the access key has no right to ${right} in the bucket ${bucket} at ${host}.`;
  return `${host} answered ${code === '' ? status : `${status} ${code}`} when a test object was to be ${done}.`;
}
