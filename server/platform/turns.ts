export interface TurnsOptions {
  /** How many may be under way at a time. */
  readonly parallel: number;
  /** How many of one key; '' is this process itself, which may use all. No bound by default. */
  readonly perKey?: number;
  /** How many may wait. Beyond it, a caller replaces the last one of the key with the most waiting. */
  readonly waitingMax?: number;
  /** How many of one key may wait. No bound by default. */
  readonly waitingPerKeyMax?: number;
  /** How long one may wait, in milliseconds; without a bound by default. */
  readonly waitMs?: number;
  /** The error of a caller that finds the queue full (`full`), or that has waited too long (`late`). */
  readonly toRefusal: (why: 'full' | 'late') => Error;
}

interface Waiter {
  readonly start: () => void;
  readonly refuse: (why: 'full' | 'late') => void;
}

/**
 * Bounds how much is under way, and how many wait for it. Keys are served in turn, so that one with many callers delays
 * another by one piece of work; callers of one key are served in their order.
 */
export class Turns {
  readonly #options: TurnsOptions;
  /** In the order in which keys are served. No list is empty. */
  readonly #waiting = new Map<string, Waiter[]>();
  readonly #underWay = new Map<string, number>();
  #free: number;
  #waitingCount = 0;

  constructor(options: TurnsOptions) {
    this.#options = options;
    this.#free = options.parallel;
  }

  /** The number of callers that wait. */
  get waitingCount(): number {
    return this.#waitingCount;
  }

  /** Does the work in its turn. Throws the refusal, or what the work throws. */
  async run<Result>(work: () => Promise<Result>, key = ''): Promise<Result> {
    await this.enter(key);
    try {
      return await work();
    } finally {
      this.leave(key);
    }
  }

  /** Takes a turn if there is one. Each turn that is taken must be left. */
  tryEnter(key = ''): boolean {
    if (!this.#isFree(key)) return false;
    this.#free -= 1;
    this.#underWay.set(key, (this.#underWay.get(key) ?? 0) + 1);
    return true;
  }

  /** Resolves when the turn of the caller has come. Rejects with the refusal. */
  async enter(key = '', waitMs = this.#options.waitMs): Promise<void> {
    if (this.tryEnter(key)) return;
    const { waitingMax = Infinity, waitingPerKeyMax = Infinity, toRefusal } = this.#options;
    if ((this.#waiting.get(key)?.length ?? 0) >= waitingPerKeyMax) throw toRefusal('full');
    if (this.#waitingCount >= waitingMax) this.#refuseLastOfLongest(key);
    await new Promise<void>((resolve, reject) => {
      const end = () => {
        clearTimeout(timer);
        this.#remove(key, waiter);
      };
      const waiter: Waiter = {
        start: () => (end(), resolve()),
        refuse: (why) => (end(), reject(toRefusal(why))),
      };
      const timer = waitMs === undefined ? undefined : setTimeout(() => waiter.refuse('late'), waitMs);
      const line = this.#waiting.get(key);
      if (line === undefined) this.#waiting.set(key, [waiter]);
      else line.push(waiter);
      this.#waitingCount += 1;
    });
  }

  /** Passes the turn on: directly, so that no other caller takes it in between. */
  leave(key = ''): void {
    this.#free += 1;
    const left = (this.#underWay.get(key) ?? 1) - 1;
    if (left === 0) this.#underWay.delete(key);
    else this.#underWay.set(key, left);
    for (const [next, line] of this.#waiting) {
      if (!this.tryEnter(next)) continue;
      line[0]?.start();
      // The key moves to the end of the order.
      if (this.#waiting.delete(next) && line.length > 0) this.#waiting.set(next, line);
      return;
    }
  }

  #isFree(key: string): boolean {
    const { parallel, perKey = parallel } = this.#options;
    return this.#free > 0 && (key === '' || (this.#underWay.get(key) ?? 0) < perKey);
  }

  #remove(key: string, waiter: Waiter): void {
    const line = this.#waiting.get(key) ?? [];
    line.splice(line.indexOf(waiter), 1);
    if (line.length === 0) this.#waiting.delete(key);
    this.#waitingCount -= 1;
  }

  #refuseLastOfLongest(key: string): void {
    let longest: readonly Waiter[] = [];
    for (const line of this.#waiting.values()) if (line.length > longest.length) longest = line;
    if (longest.length <= (this.#waiting.get(key)?.length ?? 0) + 1) throw this.#options.toRefusal('full');
    longest.at(-1)?.refuse('full');
  }
}
