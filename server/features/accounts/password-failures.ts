import { DAY_MS, HOUR_MS } from '../../../contract/values/time-units.ts';
import { keyedHash } from '../../platform/crypto/keyed-hash.ts';
import { deleteSomeOlder } from '../../platform/database/statements/delete-older.ts';
import type { OlderRows } from '../../platform/database/statements/delete-older.ts';
import { toNetworkGroup, toProviderGroup } from '../../platform/http/address-limits.ts';
import type { Platform } from '../../platform/http/context.ts';
import { TooManyRequests } from '../../platform/limits/rate-limits.ts';
import { KNOWN_DEVICE_FAILURES, PROVIDER_FAILURES, UNKNOWN_DEVICE_FAILURES } from './limits.ts';
import type { Handle } from '../../platform/database/handle.ts';
import type { Db } from './tables.ts';
import { own } from './tables.ts';

type FailureDeps = Pick<Platform, 'database' | 'clock' | 'sessionSecret'>;

/** Maximum wait. Each further failure doubles the wait up to this. */
const WAIT_MS_MAX = HOUR_MS;
/** Many more rows than one attempt adds. */
const ROWS_AT_ONCE = 50;
const HINT = 'お急ぎの場合は、パスワードを再設定すると、すぐにログインできます。';
/** The account of a password attempt and where it comes from. */
export interface PasswordAttempt {
  /** Key of the e-mail address (`toEmailKey`), with or without an account: replies must not differ. */
  readonly emailKey: string;
  /** A known device of this account (`findDeviceId`); undefined for any other. */
  readonly deviceId: string | undefined;
  readonly address: string;
  /** What helps during a wait; by default, to reset the password. */
  readonly hint?: string;
  /** The wrong guesses a day of all unknown devices; by default, those of passwords. */
  readonly unknownMax?: number;
}

/**
 * Compares a password and counts a failure unless it is correct. Failures count for 24 hours: by device for known
 * devices; otherwise by network, by provider and for the whole account. After ten failures a device or network has to
 * wait one minute, and twice as long after each further one; other networks are not delayed. Throws `TooManyRequests`
 * without comparing during a wait. If `compare` throws, the attempt is not counted.
 */
export async function guardPassword(
  deps: FailureDeps,
  attempt: PasswordAttempt,
  compare: () => Promise<boolean>,
): Promise<boolean> {
  const source = toSource(deps.sessionSecret, attempt);
  // Counted before the comparison, so that concurrent attempts cannot exceed the limit.
  await countFailure(deps, source, attempt);
  let isRight: boolean;
  try {
    isRight = await compare();
  } catch (error) {
    await refund(deps.database.db, source);
    throw error;
  }
  if (isRight)
    await (source.provider === '' ? clear(deps.database.db, source) : refund(deps.database.db, source));
  return isRight;
}

/** Deletes all failures of an account after its owner has proved their identity. */
export async function clearPasswordFailures(
  { database, sessionSecret }: FailureDeps,
  emailKey: string,
): Promise<void> {
  await own(database.db)
    .deleteFrom('password_failures')
    .where('account', '=', toKey(sessionSecret, 'account', emailKey))
    .execute();
}

/** A row of the table: an account with a device, or with a network and its provider. */
interface Source {
  readonly account: string;
  readonly source: string;
  /** '' for a device. */
  readonly provider: string;
}

interface Failures extends Source {
  readonly failures: number;
  /** Times of the first and the last failure, within a day of the first. */
  readonly since: number;
  readonly failed_at: number;
}

function toSource(secret: Uint8Array, { emailKey, deviceId, address }: PasswordAttempt): Source {
  const account = toKey(secret, 'account', emailKey);
  if (deviceId !== undefined) return { account, source: toKey(secret, 'device', deviceId), provider: '' };
  return {
    account,
    source: toKey(secret, 'network', toNetworkGroup(address)),
    provider: toKey(secret, 'provider', toProviderGroup(address)),
  };
}

/** Keyed hash, so that the table discloses no addresses. */
function toKey(secret: Uint8Array, what: string, value: string): string {
  return keyedHash(secret, 'password-failure', what, value);
}

async function countFailure(
  { database, clock }: FailureDeps,
  source: Source,
  { hint = HINT, unknownMax = UNKNOWN_DEVICE_FAILURES.points }: PasswordAttempt,
): Promise<void> {
  const nowMs = clock.now();
  await database.db.transaction().execute(async (transaction: Handle) => {
    // Serialises the counting for one account.
    await database.takeLock(transaction, 'password failures', source.account);
    await deleteSomeOlder(transaction, toOldFailures(nowMs), ROWS_AT_ONCE);
    // Bounded by the failures that an account may have plus its known devices.
    const rows = await own(transaction)
      .selectFrom('password_failures')
      .selectAll()
      .where('account', '=', source.account)
      .where('since', '>', nowMs - DAY_MS)
      .execute();
    const waitMs = toWaitMs(rows, source, unknownMax, nowMs);
    if (waitMs > 0) throw new TooManyRequests(Math.ceil(waitMs / 1000), hint);
    const stored = rows.find((row) => row.source === source.source);
    const counted = {
      failures: (stored?.failures ?? 0) + 1,
      since: stored?.since ?? nowMs,
      failed_at: nowMs,
    };
    await own(transaction)
      .insertInto('password_failures')
      .values({ ...source, ...counted })
      .onConflict((conflict) => conflict.columns(['account', 'source']).doUpdateSet(counted))
      .execute();
  });
}

/** Time until the next attempt is allowed; 0 or less: now. */
function toWaitMs(
  rows: readonly Failures[],
  { source, provider }: Source,
  unknownMax: number,
  nowMs: number,
): number {
  const own = rows.find((row) => row.source === source);
  const waitMs = own === undefined ? 0 : own.failed_at + toPauseMs(own.failures) - nowMs;
  if (provider === '') return waitMs;
  const unknownSources = rows.filter((row) => row.provider !== '');
  const sameProvider = unknownSources.filter((row) => row.provider === provider);
  return Math.max(
    waitMs,
    toFullMs(sameProvider, PROVIDER_FAILURES.points, nowMs),
    toFullMs(unknownSources, unknownMax, nowMs),
  );
}

function toPauseMs(failures: number): number {
  const { points, perSec } = KNOWN_DEVICE_FAILURES;
  return failures < points ? 0 : Math.min(WAIT_MS_MAX, perSec * 1000 * 2 ** (failures - points));
}

/** Time until the oldest of these rows expires; 0 while their failures are below the limit. */
function toFullMs(rows: readonly Failures[], most: number, nowMs: number): number {
  const failures = rows.reduce((sum, row) => sum + row.failures, 0);
  return failures < most ? 0 : Math.min(...rows.map(({ since }) => since)) + DAY_MS - nowMs;
}

async function refund(db: Db, { account, source }: Source): Promise<void> {
  await db
    .updateTable('password_failures')
    .set((set) => ({ failures: set('failures', '-', 1) }))
    .where('account', '=', account)
    .where('source', '=', source)
    .where('failures', '>', 0)
    .execute();
}

async function clear(db: Db, { account, source }: Source): Promise<void> {
  await db
    .deleteFrom('password_failures')
    .where('account', '=', account)
    .where('source', '=', source)
    .execute();
}

/** Failures from a day ago or earlier. */
export function toOldFailures(nowMs: number): OlderRows<'password_failures'> {
  return {
    table: 'password_failures',
    key: ['account', 'source'],
    when: ['since', '<=', nowMs - DAY_MS],
    skipsLocked: true,
  };
}
