/** Where objects are stored in an S3-compatible service, and with which key. Never log it: it has the secret. */
export interface BucketLocation {
  /** Such as `https://s3.example`, without a path. */
  readonly origin: string;
  readonly region: string;
  readonly bucket: string;
  /** '' or a path that ends with a slash; the site uses only keys below it. */
  readonly prefix: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** Used when the address of the bucket has no key of its own. */
export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

const OPTIONS: ReadonlySet<string> = new Set(['region', 'tls']);
/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html, and what other services permit. */
const BUCKET = /^[a-zA-Z0-9][a-zA-Z0-9._-]{1,62}$/;
const PREFIX_SEGMENT = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}$/;
const REGION = /^[A-Za-z0-9-]{1,64}$/;
const AWS_HOST = /^s3[.-]([a-z0-9-]+)\.amazonaws\.com(?:\.cn)?$/;

/**
 * Parses `s3://KEY:SECRET@endpoint/bucket/prefix?region=…&tls=off`. Returns a sentence about what is wrong otherwise,
 * which never repeats the address.
 */
export function parseBucketAddress(text: string, fallback: S3Credentials): BucketLocation | string {
  const url = URL.parse(text);
  if (url?.protocol !== 's3:' || url.host === '' || url.hash !== '')
    return 'must be s3://KEY:SECRET@endpoint/bucket, or stay empty.';
  const [bucket = '', ...path] = url.pathname.replace(/^\/|\/+$/g, '').split('/');
  if (bucket === '') return 'must name the endpoint and the bucket: s3://KEY:SECRET@endpoint/bucket.';
  if (!BUCKET.test(bucket) || !path.every((segment) => PREFIX_SEGMENT.test(segment)))
    return 'has a bucket or prefix with other characters than letters, digits, dot, hyphen and underscore.';
  const unknown = [...url.searchParams.keys()].find((name) => !OPTIONS.has(name));
  if (unknown !== undefined) return 'accepts only the options region and tls=off after the question mark.';
  const tls = url.searchParams.get('tls') ?? 'on';
  if (tls !== 'on' && tls !== 'off') return 'accepts tls=on or tls=off.';
  const region = url.searchParams.get('region') ?? AWS_HOST.exec(url.hostname)?.[1] ?? 'us-east-1';
  if (!REGION.test(region)) return 'has a region with other characters than letters, digits and hyphen.';
  const own = readCredentials(url);
  if (own === undefined) return 'has a key or secret that is not percent-encoded.';
  const { accessKeyId, secretAccessKey } = own.accessKeyId === '' ? fallback : own;
  if (accessKeyId === '' || secretAccessKey === '') {
    return 'needs a key and a secret: s3://KEY:SECRET@endpoint/bucket, or S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY.';
  }
  return {
    origin: `${tls === 'off' ? 'http' : 'https'}://${url.host}`,
    region,
    bucket,
    prefix: path.map((segment) => `${segment}/`).join(''),
    accessKeyId,
    secretAccessKey,
  };
}

/** The bucket for messages: without its key. */
export function describeBucket({ origin, bucket, prefix }: Omit<BucketLocation, 'secretAccessKey'>): string {
  return `${bucket}${prefix === '' ? '' : `/${prefix.slice(0, -1)}`} at ${origin.replace(/^\w+:\/\//, '')}`;
}

function readCredentials({ username, password }: URL): S3Credentials | undefined {
  try {
    return { accessKeyId: decodeURIComponent(username), secretAccessKey: decodeURIComponent(password) };
  } catch {
    return undefined;
  }
}
