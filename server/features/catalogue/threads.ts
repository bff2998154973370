import { Worker, parentPort } from 'node:worker_threads';

/** A question or its answer. */
interface Message<Body> {
  readonly id: number;
  readonly body: Body;
}

export interface Thread<Question, Answer> {
  /** Rejects once the thread has failed or ended. */
  ask(question: Question): Promise<Answer>;
  /** Frees its memory. */
  close(): Promise<void>;
}

/**
 * Starts a thread whose module calls `answerQuestions`. It ends when a question takes longer than `timeLimitMs`. `name`
 * is for errors.
 */
export function openThread<Question, Answer>(
  module: URL,
  name: string,
  timeLimitMs: number,
): Thread<Question, Answer> {
  const worker = new Worker(module, { resourceLimits: { maxOldGenerationSizeMb: 256 } });
  let ids = 0;
  let failure: Error | undefined;
  const waiting = new Map<number, PromiseWithResolvers<Answer>>();
  const fail = (error: Error) => {
    failure ??= error;
    for (const { reject } of waiting.values()) reject(failure);
    waiting.clear();
  };
  worker.on('error', fail);
  worker.on('exit', () => fail(new Error(`${name} ended`)));
  worker.on('message', ({ id, body }: Message<Answer>) => waiting.get(id)?.resolve(body));
  return {
    async ask(question) {
      if (failure !== undefined) throw failure;
      const id = (ids += 1);
      const reply = Promise.withResolvers<Answer>();
      waiting.set(id, reply);
      const timer = setTimeout(() => {
        fail(new Error(`${name} did not answer in time`));
        void worker.terminate();
      }, timeLimitMs);
      worker.postMessage({ id, body: question } satisfies Message<Question>);
      try {
        return await reply.promise;
      } finally {
        clearTimeout(timer);
        waiting.delete(id);
      }
    },
    async close() {
      await worker.terminate();
    },
  };
}

/** Answers the questions of `openThread`, in the thread. */
export function answerQuestions<Question, Answer>(answer: (question: Question) => Answer): void {
  const port = parentPort;
  if (port === null) throw new Error('this module runs as a worker thread');
  port.on('message', ({ id, body }: Message<Question>) => {
    port.postMessage({ id, body: answer(body) } satisfies Message<Answer>);
  });
}
