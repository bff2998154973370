import { openThread } from '../threads.ts';

/** A sound as it is sent to the thread. */
export interface ComparedSound {
  readonly seq: number;
  readonly artist: string;
  /** As in the database. */
  readonly numbers: string;
}

export type CompareQuestion =
  | { readonly kind: 'learn'; readonly numbers: readonly string[] }
  | { readonly kind: 'finish-model' }
  | { readonly kind: 'use'; readonly model: string }
  | { readonly kind: 'add'; readonly sounds: readonly ComparedSound[] }
  | { readonly kind: 'nearest'; readonly seqs: readonly number[]; readonly threshold: number };

/** The most similar sounds of one, nearest first, and how many of them are similar for sure. */
export interface Neighbours {
  readonly seqs: readonly number[];
  readonly sure: number;
}

export type CompareAnswer = string | readonly (Neighbours | null)[] | null;

export interface Comparer {
  /** Adds sounds to those that `finishModel` makes a model of. */
  learn(numbers: readonly string[]): Promise<void>;
  finishModel(): Promise<string>;
  /** Sets the model of the sounds that are added from now on. */
  use(model: string): Promise<void>;
  /** Adds sounds, in the order of their seqs. */
  add(sounds: readonly ComparedSound[]): Promise<void>;
  /** The neighbours of each, of which those from `threshold` on are sure; null for a sound that has not been added. */
  nearest(seqs: readonly number[], threshold: number): Promise<readonly (Neighbours | null)[]>;
  /** Frees its memory. */
  close(): Promise<void>;
}

/** Fifty sounds among a million take four seconds. */
const TIME_LIMIT_MS = 120_000;

/** Opens a thread that compares sounds. Each call rejects once the thread has failed. */
export function openComparer(): Comparer {
  const { ask, close } = openThread<CompareQuestion, CompareAnswer>(
    new URL('./similar-worker.ts', import.meta.url),
    'the thread that compares sounds',
    TIME_LIMIT_MS,
  );
  return {
    learn: async (numbers) => void (await ask({ kind: 'learn', numbers })),
    finishModel: async () => (await ask({ kind: 'finish-model' })) as string,
    use: async (model) => void (await ask({ kind: 'use', model })),
    add: async (sounds) => void (await ask({ kind: 'add', sounds })),
    nearest: async (seqs, threshold) =>
      (await ask({ kind: 'nearest', seqs, threshold })) as readonly (Neighbours | null)[],
    close,
  };
}
