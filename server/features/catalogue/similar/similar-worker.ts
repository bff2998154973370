/** Compares sounds. A thread of its own, which ends when nothing is left to compare: its memory grows with the catalogue. */
import { parentPort } from 'node:worker_threads';
import { createIndex } from './nearest.ts';
import type { CompareReply, CompareRequest } from './thread.ts';
import { createFitter, decodeModel, decodeNumbers, encodeModel, writeVector } from './vectors.ts';
import type { SimilarityModel } from './vectors.ts';

const port = parentPort;
if (port === null) throw new Error('similar-worker runs as a worker thread');
const fitter = createFitter();
const index = createIndex();
const artists = new Map<string, number>();
let model: SimilarityModel | undefined;

port.on('message', ({ id, ask }: CompareRequest) => {
  port.postMessage({ id, answer: answer(ask) } satisfies CompareReply);
});

function answer(ask: CompareRequest['ask']): CompareReply['answer'] {
  if (ask.kind === 'learn') {
    for (const numbers of ask.numbers) fitter.add(decodeNumbers(numbers));
    return null;
  }
  if (ask.kind === 'learned') return encodeModel(fitter.finish());
  if (ask.kind === 'use') {
    model = decodeModel(ask.model);
    return null;
  }
  if (ask.kind === 'nearest') {
    return ask.seqs.map(
      (seq) => index.nearest(seq, ask.threshold)?.map((neighbour) => neighbour.seq) ?? null,
    );
  }
  const used = model;
  if (used === undefined) throw new Error('sounds are added after the model');
  for (const { seq, artist, numbers } of ask.sounds) {
    const place = artists.get(artist) ?? artists.size;
    artists.set(artist, place);
    index.add(seq, place, (vector) => writeVector(used, decodeNumbers(numbers), vector));
  }
  return null;
}
