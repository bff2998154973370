import type { Context, MiddlewareHandler } from 'hono';
import type { Endpoint } from '../../../contract/calls/endpoint.ts';
import { PROCESSOR_LIMITS } from '../limits/read-limits.ts';
import type { RateLimit, RateLimits } from '../limits/rate-limits.ts';
import { takeByAddress } from './address-limits.ts';
import type { Platform, ApiEnv, Caller } from './context.ts';
import { CLIENT_ADDRESS_HEADER } from './context.ts';
import { isSafeMethod } from './guards.ts';
import { takeMails } from './mail-budget.ts';
import type { MailsOfCall } from './mail-budget.ts';
import { Problem, notFound } from './problem.ts';

/**
 * Who may call a route. Visitors get 401; members whom the rule excludes get 403. Routes of the staff do not exist for
 * others: they get 404. `staff with recent log-in`: the password was given within 15 minutes, and so was a code if the
 * account has a second factor. Other calls of the staff need a code once in the session, except `staff without code`.
 */
export type CallerRule =
  | 'anyone'
  | 'anyone not blocked'
  | 'member'
  | 'member not blocked'
  | 'verified member'
  | 'staff'
  | 'staff without code'
  | 'staff with recent log-in';

/**
 * Which data a route shows or changes: none, published data, the caller's own, the caller's own and what others
 * published, what a secret in the call (password, token, cookie) grants, or what the staff decides about. Everything else
 * is answered as not found. `site`: changes what every visitor sees, which needs a recent log-in.
 */
export type OwnerRule = 'nothing' | 'public' | 'own' | 'own or public' | 'secret' | 'staff' | 'site';

/**
 * The key of a limit. `address` stands for its network and provider as well (`ADDRESS_TIERS`), `network` for its
 * provider; `visitor address`: that of a caller who is not logged in; `site`: one for all callers.
 */
export type LimitKey =
  | 'address'
  | 'visitor address'
  | 'member'
  | 'session'
  | 'browser'
  | 'e-mail address'
  | 'device'
  | 'network'
  | 'provider'
  | 'site';

export interface DeclaredLimit {
  readonly limit: RateLimit;
  readonly by: LimitKey;
  /**
   * Where the limit is counted: by the API before the route runs, by the route's service once it knows the key, or by
   * the admission of reads.
   */
  readonly countedBy: 'api' | 'service' | 'read admission';
  /** Calls answered with 4xx do not count, so that people can correct their input. */
  readonly isAcceptedOnly: boolean;
  /** When the limit is exceeded, the reply stays the same and only the mail is not sent. */
  readonly isSilent: boolean;
}

/** An endpoint of the contract, or the method and path of a call outside of it. */
export type DeclaredCall = Pick<Endpoint, 'path'> & { readonly method: string } & Partial<
    Pick<Endpoint, 'query' | 'body' | 'bodyBytesMax' | 'form' | 'reply' | 'refuses'>
  >;

/** Who may call a route, for which data, and how often; at least one limit is required. */
export interface Rule<Who extends CallerRule = CallerRule> {
  readonly caller: Who;
  /** What every visitor sees is only changed after a recent log-in. */
  readonly owner: Who extends 'staff with recent log-in' ? OwnerRule : Exclude<OwnerRule, 'site'>;
  readonly limits: readonly [DeclaredLimit, ...DeclaredLimit[]];
  /** What an accepted call mails; counted for the network of the caller. Not for calls of the staff. */
  readonly mails?: MailsOfCall;
}

/** What the server enforces for one route before it reads the body. */
export type Access = DeclaredCall & Rule;

/** The caller of a route with this rule; null for a visitor. */
export type CallerOf<Who extends CallerRule> = Who extends 'anyone' | 'anyone not blocked'
  ? Caller | null
  : Caller;

const counted = (by: LimitKey, limit: RateLimit, countedBy: DeclaredLimit['countedBy'] = 'api') => {
  return { limit, by, countedBy, isAcceptedOnly: false, isSilent: false } satisfies DeclaredLimit;
};

export const byAddress = (limit: RateLimit): DeclaredLimit => counted('address', limit);
/** For what an attacker is tempted to do from all addresses of a network. */
export const byNetwork = (limit: RateLimit): DeclaredLimit => counted('network', limit);
export const byMember = (limit: RateLimit): DeclaredLimit => counted('member', limit);
/** For callers who are not logged in. */
export const byVisitorAddress = (limit: RateLimit): DeclaredLimit => counted('visitor address', limit);
/** A limit that the service counts, because only the service knows the key, or because not every call counts. */
export const inService = (by: LimitKey, limit: RateLimit): DeclaredLimit => counted(by, limit, 'service');
/** A limit of mails, counted by the service and not visible to the caller. */
export const silently = (limit: RateLimit): DeclaredLimit => {
  return { ...counted('e-mail address', limit, 'service'), isSilent: true };
};
/** Counts accepted calls only; the route needs a second limit for all calls. */
export const accepted = (declared: DeclaredLimit): DeclaredLimit => ({ ...declared, isAcceptedOnly: true });

/**
 * Reads have no limit of their own: the processor time of each network is limited for all of them (read-admission.ts).
 * The points are milliseconds.
 */
export const READS = counted(
  'network',
  {
    name: 'reads',
    points: PROCESSOR_LIMITS.burst,
    perSec: PROCESSOR_LIMITS.burst / PROCESSOR_LIMITS.perSec,
  },
  'read admission',
);

/** The rule of a read that is the same for every caller. */
export const GENERAL: Rule<'anyone'> = { caller: 'anyone', owner: 'nothing', limits: [READS] };

export const REFUSALS = {
  visitor: 'ログインしてください。',
  badToken: 'ログインの有効期限が切れました。もう一度ログインしてください。',
  blocked: 'アカウントが制限されているため、受け付けられません。お問い合わせください。',
  unverified: 'アップロードするには、クオリティチェックの通過が必要です。',
} as const;

/** The member an access token was issued to; undefined when it is invalid, or the session or account has ended. */
export type Identify = (accessToken: string) => Promise<Caller | undefined>;

export interface AccessDeps extends Pick<Platform, 'rateLimits'> {
  readonly identify: Identify;
  /** Throws `Problem` 403 if the second factor is missing, or with `isRecent` if a proof was not given recently. */
  readonly requireStaffLogIn: (caller: Caller, isRecent: boolean) => void;
}

/**
 * Applies a rule to every call of its route before the handler runs: identifies the caller, refuses callers whom the rule
 * excludes, and counts the limits by address and member.
 */
export function enforceAccess(deps: AccessDeps, access: Rule): MiddlewareHandler<ApiEnv> {
  return async (context, next) => {
    context.header('Vary', 'Authorization', { append: true });
    const caller = await findCaller(context, deps.identify);
    requireCaller(access.caller, caller);
    if (caller && (access.caller === 'staff' || access.caller === 'staff with recent log-in'))
      deps.requireStaffLogIn(caller, access.caller === 'staff with recent log-in');
    const refund = await countCall(context, deps, access, caller);
    context.set('caller', caller);
    setCaching(context, caller); // Before the route, which can be stricter.
    await next();
    if (context.res.status >= 400 && context.res.status < 500) await refund();
  };
}

/** Null for a visitor. Throws 401 for an invalid token: spec §4 has the client refresh it and retry. */
async function findCaller(context: Context<ApiEnv>, identify: Identify): Promise<Caller | null> {
  const header = context.req.header('authorization');
  if (header === undefined) return null;
  const token = /^Bearer +([\w.-]+)$/i.exec(header)?.[1];
  const caller = token === undefined ? undefined : await identify(token);
  if (caller === undefined) throw new Problem(401, REFUSALS.badToken);
  return caller;
}

function requireCaller(rule: CallerRule, caller: Caller | null): void {
  if (rule === 'staff' || rule === 'staff without code' || rule === 'staff with recent log-in') {
    if (!caller?.isStaff || caller.isBlocked) throw notFound();
    return;
  }
  if (caller === null) {
    if (rule === 'anyone' || rule === 'anyone not blocked') return;
    throw new Problem(401, REFUSALS.visitor);
  }
  if (rule === 'anyone' || rule === 'member') return;
  if (caller.isBlocked) throw new Problem(403, REFUSALS.blocked);
  if (rule === 'verified member' && !caller.isVerified) throw new Problem(403, REFUSALS.unverified);
}

/**
 * Counts a call and its mails. Returns a function that reverts the limits which count accepted calls only. Throws
 * `TooManyRequests`.
 */
async function countCall(
  context: Context<ApiEnv>,
  { rateLimits }: AccessDeps,
  { limits, mails }: Pick<Rule, 'limits' | 'mails'>,
  caller: Caller | null,
): Promise<() => Promise<void>> {
  const refunds: (() => Promise<void>)[] = [];
  const address = context.req.header(CLIENT_ADDRESS_HEADER) ?? '';
  const refund = async () => {
    for (const revert of refunds) await revert();
  };
  try {
    for (const { limit, by, countedBy, isAcceptedOnly } of limits) {
      if (countedBy !== 'api') continue;
      const revert = await countLimit(rateLimits, limit, by, caller, address);
      if (isAcceptedOnly) refunds.push(revert);
    }
    if (mails?.countedBy === 'api') refunds.push(await takeMails(rateLimits, mails, address));
  } catch (error) {
    await refund();
    throw error;
  }
  return refund;
}

/** A limit may not apply: to a visitor, to a member, or to a page that calls in process and has no address. */
async function countLimit(
  rateLimits: RateLimits,
  limit: RateLimit,
  by: LimitKey,
  caller: Caller | null,
  address: string,
): Promise<() => Promise<void>> {
  if (by === 'member') {
    if (caller === null) return () => Promise.resolve();
    await rateLimits.take(limit, caller.id);
    return () => rateLimits.refund(limit, caller.id);
  }
  if (address === '' || (by === 'visitor address' && caller !== null)) return () => Promise.resolve();
  return takeByAddress(rateLimits, limit, address, by === 'network' ? by : 'address');
}

/** For private replies, which must not be stored even in this browser, since others may use it later. */
export const NOT_STORED = 'private, no-store';

/** Replies to visitors are the same for everyone; replies to members and to changes are private. */
function setCaching(context: Context<ApiEnv>, caller: Caller | null): void {
  const isPublic = caller === null && isSafeMethod(context.req.method);
  context.header('Cache-Control', isPublic ? 'public, max-age=0, must-revalidate' : NOT_STORED);
}
