/** A seeded source of numbers in [0, 1). */
export type Random = () => number;

/** mulberry32 over an FNV-1a hash of the seed: the same text gives the same numbers on every machine. */
export function seededRandom(seed: string): Random {
  let state = 0x811c9dc5;
  for (let i = 0; i < seed.length; i++) state = Math.imul(state ^ seed.charCodeAt(i), 0x01000193);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

export function pick<T>(random: Random, list: readonly T[]): T {
  return list[Math.floor(random() * list.length)] as T;
}

export function between(random: Random, low: number, high: number): number {
  return low + (high - low) * random();
}

export function integerBetween(random: Random, low: number, high: number): number {
  return Math.floor(between(random, low, high + 1));
}
