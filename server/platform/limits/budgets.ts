import { LRUCache } from 'lru-cache';

/** Budgets in memory; the least recently used one is evicted. About 100 bytes each. */
const KEYS_MAX = 5_000;

export interface BudgetOptions {
  /** The budget of one key: how much it saves up, and how much is added each second. */
  readonly burst: number;
  readonly perSec: number;
  /** A monotonic clock in milliseconds. */
  readonly now?: (() => number) | undefined;
}

/** Counts uses by key, synchronously and in this process. */
export interface Budgets {
  /** Takes one use, or `amount`, and returns 0; or takes nothing, and returns the seconds until there is enough. */
  take(key: string, amount?: number): number;
  /** Takes more, even what is not there yet; or gives back what was not used. */
  settle(key: string, amount: number): void;
}

export function createBudgets({ burst, perSec, now = () => performance.now() }: BudgetOptions): Budgets {
  const budgets = new LRUCache<string, { points: number; at: number }>({ max: KEYS_MAX });
  const find = (key: string) => {
    const time = now();
    const budget = budgets.get(key) ?? { points: burst, at: time };
    budget.points = Math.min(burst, budget.points + ((time - budget.at) / 1_000) * perSec);
    budget.at = time;
    return budget;
  };
  return {
    take(key, amount = 1) {
      const budget = find(key);
      if (budget.points < amount) return Math.ceil((amount - budget.points) / perSec);
      budget.points -= amount;
      budgets.set(key, budget);
      return 0;
    },
    settle(key, amount) {
      const budget = find(key);
      budget.points = Math.min(burst, budget.points - amount);
      budgets.set(key, budget);
    },
  };
}
