import { createBudgets } from '../limits/budgets.ts';
import type { BudgetOptions, Budgets } from '../limits/budgets.ts';
import { ADDRESS_TIERS } from './address-limits.ts';

/**
 * A network has the whole budget. One address has nearly all of it, since a school may be behind one; a tenth is left
 * for the neighbours of an IPv4 address.
 */
const SHARES = { provider: 4, network: 1, address: 0.9 } as const;

/** Budgets of each network, with those of its addresses and its provider. A use counts for all three, or for none. */
export function createAddressBudgets({ burst, perSec, now }: BudgetOptions): Budgets {
  const tiers = ADDRESS_TIERS.map(({ tier, toGroup }) => {
    const share = SHARES[tier];
    return { toGroup, budgets: createBudgets({ burst: burst * share, perSec: perSec * share, now }) };
  });
  return {
    take(address, amount = 1) {
      const taken: (() => void)[] = [];
      for (const { toGroup, budgets } of tiers) {
        const group = toGroup(address);
        const retryAfterSec = budgets.take(group, amount);
        if (retryAfterSec === 0) taken.push(() => budgets.settle(group, -amount));
        else {
          for (const giveBack of taken) giveBack();
          return retryAfterSec;
        }
      }
      return 0;
    },
    settle(address, amount) {
      for (const { toGroup, budgets } of tiers) budgets.settle(toGroup(address), amount);
    },
  };
}
