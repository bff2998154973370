import { DAY_SEC, HOUR_SEC } from '../../../contract/values/time-units.ts';
import { TooManyRequests } from '../limits/rate-limits.ts';
import type { RateLimit, RateLimits } from '../limits/rate-limits.ts';
import { takeAll, takeByAddress } from './address-limits.ts';

/**
 * Mails that the calls from one network cause in an hour, to whomever: a class of 40 registers in one lesson. Its
 * provider has 8 times as many.
 */
export const MAILS: RateLimit = { name: 'mails', points: 42, perSec: HOUR_SEC };
/**
 * Calls a day, of all, that mail an address which may be nobody's: the reputation with mail servers depends on them.
 */
export const MAILS_TO_STRANGERS: RateLimit = { name: 'mails-to-strangers', points: 5_000, perSec: DAY_SEC };

const NETWORK_REASON =
  'お使いのネットワークから、メールをお送りするお手続きが続いているため、いまは受け付けられません。';
const SITE_REASON = 'メールをお送りするお手続きが多いため、いまは受け付けられません。';

/** The mails that a call causes. */
export interface MailsOfCall {
  /** At most, with those that follow when their links are opened: nobody is refused who opens a link. */
  readonly max: number;
  /** Whether one goes to an address that nobody has confirmed yet. */
  readonly isToStranger: boolean;
  /** The API counts before the route runs; a service counts where not each call mails. */
  readonly countedBy: 'api' | 'service';
}

/** Mails to members or to the operator. */
export const mailing = (max: number, countedBy: MailsOfCall['countedBy'] = 'api'): MailsOfCall => ({
  max,
  isToStranger: false,
  countedBy,
});

/** Mails of which one goes to an address that nobody has confirmed yet. */
export const mailingStranger = (max: number, countedBy: MailsOfCall['countedBy'] = 'api'): MailsOfCall => ({
  ...mailing(max, countedBy),
  isToStranger: true,
});

/**
 * Counts mails before they are queued; `address` is that of the caller, '' for this process itself. Returns a function
 * that reverts it. Throws `TooManyRequests`.
 */
export async function takeMails(
  rateLimits: Pick<RateLimits, 'take' | 'refund'>,
  { max, isToStranger }: Pick<MailsOfCall, 'max' | 'isToStranger'>,
  address: string,
): Promise<() => Promise<void>> {
  const refunds: (() => Promise<void>)[] = [];
  const refund = async () => {
    for (const revert of refunds) await revert();
  };
  const take = async (counting: Promise<() => Promise<void>>, reason: string) => {
    try {
      refunds.push(await counting);
    } catch (error) {
      if (!(error instanceof TooManyRequests)) throw error;
      await refund();
      throw new TooManyRequests(error.retryAfterSec, '', reason);
    }
  };
  const counted = address === '' ? 0 : max;
  for (let mail = 0; mail < counted; mail += 1) {
    await take(takeByAddress(rateLimits, MAILS, address, 'network'), NETWORK_REASON);
  }
  if (isToStranger) await take(takeAll(rateLimits, [[MAILS_TO_STRANGERS, '']]), SITE_REASON);
  return refund;
}

/** Like `takeMails`, for mails whose absence the caller must not notice: returns whether they may be sent. */
export async function mayMail(...call: Parameters<typeof takeMails>): Promise<boolean> {
  try {
    await takeMails(...call);
    return true;
  } catch (error) {
    if (error instanceof TooManyRequests) return false;
    throw error;
  }
}
