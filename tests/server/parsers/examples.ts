import type { Target } from '#support/fuzzing/target.ts';
import { doubleOften, failLater, readNested, workLong } from './faulty.ts';

const common = {
  files: ['/parsers/faulty.ts'],
  seeds: () => [Buffer.from('some text to start from')],
  tokens: ['box', 'ab', 'FUZZ'],
  bytesMax: 32 * 1024,
  isRefusal: (error: unknown) => error instanceof RangeError,
  outputMax: (bytes: number) => 4 * bytes,
};

/** Parsers with a fault each. */
export const TARGETS: readonly Target[] = [
  { ...common, name: 'an error of the language behind three nested checks', read: readNested },
  { ...common, name: 'much work for a long input', processorMsMax: 50, read: workLong },
  { ...common, name: 'a long result', read: doubleOften },
  { ...common, name: 'an error in a later callback', read: failLater },
];
