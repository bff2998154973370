import { LRUCache } from 'lru-cache';

/** Budgets that are kept; the least recently used one is evicted. About 100 bytes each. */
const KEYS_MAX = 20_000;

export interface BudgetOptions {
  /** The budget of one key: how many uses it saves up, and how many are added each second. */
  readonly burst: number;
  readonly perSec: number;
  /** A monotonic clock in milliseconds. */
  readonly now?: (() => number) | undefined;
}

/** Counts uses by key, synchronously and in this process. */
export interface Budgets {
  /** Takes one use, and returns 0; or the seconds until there is one. */
  take(key: string): number;
  /** Reverts one use. */
  refund(key: string): void;
}

export function createBudgets({ burst, perSec, now = () => performance.now() }: BudgetOptions): Budgets {
  const budgets = new LRUCache<string, { points: number; at: number }>({ max: KEYS_MAX });
  return {
    take(key) {
      const time = now();
      const budget = budgets.get(key) ?? { points: burst, at: time };
      budget.points = Math.min(burst, budget.points + ((time - budget.at) / 1_000) * perSec);
      budget.at = time;
      if (budget.points < 1) return Math.ceil((1 - budget.points) / perSec);
      budget.points -= 1;
      budgets.set(key, budget);
      return 0;
    },
    refund(key) {
      const budget = budgets.peek(key);
      if (budget !== undefined) budget.points += 1;
    },
  };
}
