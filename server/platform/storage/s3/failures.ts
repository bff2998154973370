import { StorageUnavailable } from '../port.ts';

/** The service answered with an error. The message has its code, never its text, which may repeat our key. */
export class S3Refusal extends StorageUnavailable {
  readonly status: number;
  /** The error code of S3, such as `AccessDenied`; '' if the answer has none. */
  readonly s3Code: string;

  constructor(status: number, s3Code: string, request: string) {
    super(
      `the storage answered ${status}${s3Code === '' ? '' : ` ${s3Code}`} to ${request}`,
      isFull(status, s3Code) ? 'ENOSPC' : undefined,
    );
    this.status = status;
    this.s3Code = s3Code;
  }
}

/** No answer, or half of one. `cause` has the error of the connection. */
export class S3Unreachable extends StorageUnavailable {
  constructor(request: string, cause: unknown) {
    super(`the storage did not complete ${request} (${toReason(cause)})`, undefined, { cause });
  }
}

/** The code of the error of a connection, or of the nearest cause that has one. */
export function toReason(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code ?? message ?? String(error);
}

function isFull(status: number, code: string): boolean {
  return status === 507 || /Quota|StorageFull|InsufficientStorage/.test(code);
}

const TRANSIENT_STATUSES: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504]);
/** AWS answers 400 to these. */
const TRANSIENT_CODES: ReadonlySet<string> = new Set(['RequestTimeout', 'SlowDown', 'InternalError']);

/** Whether the same request may succeed in a moment. */
export function isRepeatable(error: unknown): boolean {
  if (error instanceof S3Unreachable) return true;
  return (
    error instanceof S3Refusal &&
    error.code !== 'ENOSPC' &&
    (TRANSIENT_STATUSES.has(error.status) || TRANSIENT_CODES.has(error.s3Code))
  );
}

const UNSUPPORTED_STATUSES: ReadonlySet<number> = new Set([405, 501]);
/** Services answer these with 400. */
const UNSUPPORTED_CODES: ReadonlySet<string> = new Set([
  'NotImplemented',
  'InvalidArgument',
  'InvalidRequest',
]);

/** Whether the service does not support the request. */
export function isUnsupported(error: unknown): boolean {
  return (
    error instanceof S3Refusal &&
    (UNSUPPORTED_STATUSES.has(error.status) || (error.status === 400 && UNSUPPORTED_CODES.has(error.s3Code)))
  );
}
