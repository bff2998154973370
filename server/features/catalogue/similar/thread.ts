import { Worker } from 'node:worker_threads';

/** A sound as it is sent to the thread. */
export interface ComparedSound {
  readonly seq: number;
  readonly artist: string;
  /** As in the database. */
  readonly numbers: string;
}

type Ask =
  | { readonly kind: 'learn'; readonly numbers: readonly string[] }
  | { readonly kind: 'learned' }
  | { readonly kind: 'use'; readonly model: string }
  | { readonly kind: 'add'; readonly sounds: readonly ComparedSound[] }
  | { readonly kind: 'nearest'; readonly seqs: readonly number[]; readonly threshold: number };

export interface CompareRequest {
  readonly id: number;
  readonly ask: Ask;
}
export interface CompareReply {
  readonly id: number;
  readonly answer: string | readonly (readonly number[] | null)[] | null;
}

export interface Comparer {
  /** Adds sounds to those that `finishModel` makes a model of. */
  learn(numbers: readonly string[]): Promise<void>;
  finishModel(): Promise<string>;
  /** Sets the model of the sounds that are added from now on. */
  use(model: string): Promise<void>;
  /** Adds sounds, in the order of their seqs. */
  add(sounds: readonly ComparedSound[]): Promise<void>;
  /** The seqs of the most similar sounds of each, nearest first; null for a sound that has not been added. */
  nearest(seqs: readonly number[], threshold: number): Promise<readonly (readonly number[] | null)[]>;
  /** Frees its memory. */
  close(): Promise<void>;
}

/** Fifty sounds among a million take four seconds. */
const TIME_LIMIT_MS = 120_000;

/** Opens a thread that compares sounds. Each call rejects once the thread has failed. */
export function openComparer(timeLimitMs = TIME_LIMIT_MS): Comparer {
  const worker = new Worker(new URL('./similar-worker.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: 256 },
  });
  let ids = 0;
  let failure: Error | undefined;
  const waiting = new Map<number, PromiseWithResolvers<CompareReply['answer']>>();
  const fail = (error: Error) => {
    failure ??= error;
    for (const { reject } of waiting.values()) reject(failure);
    waiting.clear();
  };
  worker.on('error', fail);
  worker.on('exit', () => fail(new Error('the thread that compares sounds ended')));
  worker.on('message', ({ id, answer }: CompareReply) => waiting.get(id)?.resolve(answer));

  async function send(ask: Ask): Promise<CompareReply['answer']> {
    if (failure !== undefined) throw failure;
    const id = (ids += 1);
    const reply = Promise.withResolvers<CompareReply['answer']>();
    waiting.set(id, reply);
    const timer = setTimeout(() => {
      fail(new Error('sounds were not compared in time'));
      void worker.terminate();
    }, timeLimitMs);
    worker.postMessage({ id, ask } satisfies CompareRequest);
    try {
      return await reply.promise;
    } finally {
      clearTimeout(timer);
      waiting.delete(id);
    }
  }

  return {
    learn: async (numbers) => void (await send({ kind: 'learn', numbers })),
    finishModel: async () => (await send({ kind: 'learned' })) as string,
    use: async (model) => void (await send({ kind: 'use', model })),
    add: async (sounds) => void (await send({ kind: 'add', sounds })),
    nearest: async (seqs, threshold) =>
      (await send({ kind: 'nearest', seqs, threshold })) as readonly (readonly number[] | null)[],
    async close() {
      await worker.terminate();
    },
  };
}
