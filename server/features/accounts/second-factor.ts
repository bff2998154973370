import { hkdfSync, randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { encode } from 'uqr';
import { UnopenableSealError, seal, unseal } from '../../platform/crypto/sealed.ts';
import { keyedHash } from '../../platform/crypto/keyed-hash.ts';
import { Problem, notFound } from '../../platform/http/problem.ts';
import type { Caller, Platform } from '../../platform/http/context.ts';
import { queueMail } from '../mail/service.ts';
import { recordAction } from '../staff/actions.ts';
import { TooManyRequests, isWithinLimit } from '../../platform/limits/rate-limits.ts';
import { findDeviceId, makeDevice } from './devices.ts';
import { CODE_FAILURES, CODE_WARNINGS } from './limits.ts';
import { guardPassword } from './password-failures.ts';
import { findAccount, updateSession } from './queries.ts';
import {
  confirmSecondFactor,
  countRecoveryCodes,
  deleteSecondFactor,
  findSecondFactor,
  insertRecoveryCodes,
  insertSecondFactor,
  selectSecondFactors,
  takeRecoveryCode,
  takeStep,
} from './second-factor-queries.ts';
import { toSecondFactorMail } from './second-factor-mail.ts';
import type { Handle } from '../../platform/database/handle.ts';

export type SecondFactorDeps = Pick<
  Platform,
  'database' | 'clock' | 'sessionSecret' | 'rateLimits' | 'siteUrl' | 'siteName'
>;
type ReportDeps = Omit<SecondFactorDeps, 'sessionSecret' | 'rateLimits'>;
type Holder = Pick<Caller, 'id' | 'sessionId'>;

/** Where a code comes from. */
interface Origin {
  /** The cookie of a device that gave a code before (`devices.ts`). */
  readonly device: string;
  readonly address: string;
}

/** RFC 6238 with what every authenticator supports. */
const PERIOD_SEC = 30;
const SECRET_BYTES = 20;
/** Clocks may differ by one step. */
const DRIFT_STEPS = 1;
const RECOVERY_CODES = 10;
/** 120 bits: from 112 bits on, a fast keyed hash is as good as a slow one (NIST SP 800-63B §3.1.2.2). */
const RECOVERY_BYTES = 15;
const CODE = /^\d{6}$/;
const WRONG = '認証コードが違います。';
const HINT = '端末をなくした場合は、回復コードを使うか、ほかの運営者に解除を依頼してください。';

/** Whether the second factor is on, and how many recovery codes are left. */
export async function describeSecondFactor(
  { database: { db } }: SecondFactorDeps,
  userId: string,
): Promise<{ isOn: boolean; recoveryCodes: number }> {
  const row = await findSecondFactor(db, userId);
  const isOn = row !== undefined && row.confirmed_at !== null;
  return { isOn, recoveryCodes: isOn ? await countRecoveryCodes(db, userId) : 0 };
}

/**
 * A new secret, which has no effect before `turnOnSecondFactor`: in base32, and as a QR code, one text of 0 and 1 for
 * each line. Throws `Problem` 409 if the second factor is on.
 */
export async function startSecondFactor(
  deps: SecondFactorDeps,
  userId: string,
): Promise<{ secret: string; qr: string[] }> {
  const { database, clock, siteName } = deps;
  const account = await findAccount(database.db, userId);
  if (account === undefined) throw notFound();
  const bytes = randomBytes(SECRET_BYTES);
  const secret = seal(toKey(deps), bytes, toContext(userId)).toString('base64');
  const row = { user_id: userId, secret, created_at: clock.now() };
  const isStarted = await database.db
    .transaction()
    .execute((transaction: Handle) => insertSecondFactor(transaction, row));
  if (!isStarted) throw alreadyOn();
  const totp = toTotp(bytes, { issuer: siteName, label: account.email });
  const { data } = encode(totp.toString(), { border: 4 });
  return {
    secret: totp.secret.base32,
    qr: data.map((line) => line.map((isDark) => (isDark ? '1' : '0')).join('')),
  };
}

/**
 * Turns the second factor on, for a caller whose authenticator shows a right code, and returns the recovery codes, which
 * are stored as hashes, and the value of the device cookie. Mails the account and records it. Throws `Problem` 400 for a wrong code, 409, and
 * `TooManyRequests`.
 */
export async function turnOnSecondFactor(
  deps: SecondFactorDeps,
  { id, sessionId }: Holder,
  code: string,
  origin: Origin,
): Promise<{ codes: string[]; device: string }> {
  const row = await findSecondFactor(deps.database.db, id);
  if (row === undefined) throw new Problem(409, '設定をはじめからやり直してください。');
  if (row.confirmed_at !== null) throw alreadyOn();
  const codes = Array.from({ length: RECOVERY_CODES }, makeRecoveryCode);
  const device = await takeCode(deps, id, code, origin, async (transaction, nowMs) => {
    if (!(await confirmSecondFactor(transaction, id, nowMs))) throw alreadyOn();
    await insertRecoveryCodes(
      transaction,
      id,
      codes.map((each) => hashRecoveryCode(deps, each)),
    );
    await updateSession(transaction, sessionId, { second_factor_at: nowMs });
    await report(transaction, deps, id, { staffId: id, event: 'on' }, nowMs);
  });
  return { codes, device };
}

/**
 * Accepts a code, or a recovery code once, for the caller's session. Returns the value of the device cookie. Throws
 * `Problem` 400 and `TooManyRequests`.
 */
export async function giveSecondFactor(
  deps: SecondFactorDeps,
  { id, sessionId }: Holder,
  code: string,
  origin: Origin,
): Promise<string> {
  return takeCode(deps, id, code, origin, (transaction, nowMs) =>
    updateSession(transaction, sessionId, { second_factor_at: nowMs }),
  );
}

/** Turns the second factor off with a code; the caller has checked the password. Throws like `giveSecondFactor`. */
export async function turnOffSecondFactor(
  deps: SecondFactorDeps,
  id: string,
  code: string,
  origin: Origin,
): Promise<void> {
  await takeCode(deps, id, code, origin, async (transaction, nowMs) => {
    await deleteSecondFactor(transaction, id);
    await report(transaction, deps, id, { staffId: id, event: 'off' }, nowMs);
  });
}

/** Turns off the second factor of someone who lost it. Returns false if it was off. */
export function resetSecondFactor(deps: ReportDeps, userId: string, staffId: string): Promise<boolean> {
  const { database, clock } = deps;
  return database.db.transaction().execute(async (transaction: Handle) => {
    if (!(await deleteSecondFactor(transaction, userId))) return false;
    await report(transaction, deps, userId, { staffId, event: 'reset' }, clock.now());
    return true;
  });
}

/**
 * Compares a code, uses it up, and runs `then` in the same transaction. Returns the value of the device cookie. Wrong
 * codes delay further ones like wrong passwords (`guardPassword`), but never those of a device that has given one
 * before, and never a recovery code.
 */
async function takeCode(
  deps: SecondFactorDeps,
  userId: string,
  code: string,
  { device, address }: Origin,
  then: (transaction: Handle, nowMs: number) => Promise<void>,
): Promise<string> {
  const { database, clock, sessionSecret } = deps;
  const deviceId = findDeviceId(sessionSecret, userId, device, 'code-device');
  const take = () =>
    database.db.transaction().execute(async (transaction: Handle) => {
      const nowMs = clock.now();
      if (!(await isTaken(deps, transaction, userId, code, nowMs))) return false;
      await then(transaction, nowMs);
      return true;
    });
  const keys = { emailKey: `second factor of ${userId}`, deviceId, address };
  const attempt = { ...keys, hint: HINT, unknownMax: CODE_FAILURES.points };
  const taking = CODE.test(code) ? guardPassword(deps, attempt, take) : take();
  const isRight = await taking.catch(async (error: unknown) => {
    if (error instanceof TooManyRequests && deviceId === undefined) await warn(deps, userId);
    throw error;
  });
  if (!isRight) throw new Problem(400, { code: WRONG });
  return makeDevice(sessionSecret, userId, deviceId, 'code-device');
}

/** Somebody who knows the password guesses codes; one mail a day. */
async function warn(deps: SecondFactorDeps, userId: string): Promise<void> {
  const { database, clock, rateLimits } = deps;
  const account = await findAccount(database.db, userId);
  if (account === undefined || !(await isWithinLimit(rateLimits, CODE_WARNINGS, userId))) return;
  await queueMail(database.db, toSecondFactorMail(deps, account, 'wrong', 0), clock.now(), {
    priority: 'account',
  });
}

async function isTaken(
  deps: SecondFactorDeps,
  transaction: Handle,
  userId: string,
  code: string,
  nowMs: number,
): Promise<boolean> {
  const row = await findSecondFactor(transaction, userId);
  if (row === undefined) return false;
  if (!CODE.test(code)) {
    if (!(await takeRecoveryCode(transaction, userId, hashRecoveryCode(deps, code)))) return false;
    await report(transaction, deps, userId, { staffId: userId, event: 'recovery' }, nowMs);
    return true;
  }
  const totp = toTotp(openSecret(deps, userId, row.secret));
  const drift = totp.validate({ token: code, timestamp: nowMs, window: DRIFT_STEPS });
  return drift !== null && takeStep(transaction, userId, toCodeStep(nowMs) + drift);
}

/** The number of the code of a second factor that a time has (RFC 6238). */
export const toCodeStep = (timeMs: number): number => Math.floor(timeMs / 1000 / PERIOD_SEC);

async function report(
  transaction: Handle,
  deps: ReportDeps,
  userId: string,
  { staffId, event }: { readonly staffId: string; readonly event: keyof typeof ACTIONS },
  nowMs: number,
): Promise<void> {
  const account = await findAccount(transaction, userId);
  if (account === undefined) throw notFound();
  await recordAction(transaction, { staffId, action: ACTIONS[event], subject: userId }, nowMs);
  const left = event === 'recovery' ? await countRecoveryCodes(transaction, userId) : 0;
  await queueMail(transaction, toSecondFactorMail(deps, account, event, left), nowMs, {
    priority: 'account',
  });
}

const ACTIONS = {
  on: 'turn on second factor',
  off: 'turn off second factor',
  recovery: 'use recovery code',
  reset: 'reset second factor',
} as const;

/** Members whose second factor cannot be opened, since the secret of sessions is another one; the first `limit`. */
export async function listUnopenableSecondFactors(
  { database: { db }, sessionSecret }: Pick<SecondFactorDeps, 'database' | 'sessionSecret'>,
  limit: number,
): Promise<string[]> {
  const rows = await selectSecondFactors(db, limit);
  return rows.flatMap(({ user_id, secret }) => {
    try {
      unseal(toKey({ sessionSecret }), Buffer.from(secret, 'base64'), toContext(user_id));
      return [];
    } catch (error) {
      if (error instanceof UnopenableSealError) return [user_id];
      throw error;
    }
  });
}

function openSecret(deps: SecondFactorDeps, userId: string, sealed: string): Buffer {
  try {
    return unseal(toKey(deps), Buffer.from(sealed, 'base64'), toContext(userId));
  } catch (error) {
    if (!(error instanceof UnopenableSealError)) throw error;
    throw new Problem(409, 'サーバーの鍵が変わったため確認できません。コマンドで解除してください。');
  }
}

function toTotp(secret: Buffer, names: { readonly issuer?: string; readonly label?: string } = {}): TOTP {
  return new TOTP({
    ...names,
    secret: new Secret({ buffer: Uint8Array.from(secret).buffer }),
    algorithm: 'SHA1',
    digits: 6,
    period: PERIOD_SEC,
  });
}

/** 24 characters in groups of four. */
function makeRecoveryCode(): string {
  const { base32 } = new Secret({ buffer: Uint8Array.from(randomBytes(RECOVERY_BYTES)).buffer });
  return base32.replace(/.{4}(?=.)/g, '$&-');
}

function hashRecoveryCode({ sessionSecret }: SecondFactorDeps, code: string): string {
  return keyedHash(sessionSecret, 'recovery-code', code.replaceAll('-', ''));
}

function toKey({ sessionSecret }: Pick<SecondFactorDeps, 'sessionSecret'>): Buffer {
  return Buffer.from(hkdfSync('sha256', sessionSecret, Buffer.alloc(0), 'second factor', 32));
}

function toContext(userId: string): string {
  return `second factor ${userId}`;
}

const alreadyOn = () => new Problem(409, '2段階認証は、すでに有効です。');
