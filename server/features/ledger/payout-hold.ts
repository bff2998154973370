import { PAYOUT_HOLD_MS } from '../../../contract/payouts/payouts.ts';
import { MINUTE_MS } from '../../../contract/values/time-units.ts';

/**
 * The end of the payout hold after a change of payee details now: 72 hours, in which the owner can undo it. In epoch
 * ms, at a full minute, as it is displayed.
 */
export function toPayoutHold(nowMs: number): number {
  return Math.ceil((nowMs + PAYOUT_HOLD_MS) / MINUTE_MS) * MINUTE_MS;
}
