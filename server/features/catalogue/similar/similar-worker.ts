/** Compares sounds. A thread of its own, which ends when nothing is left to compare: its memory grows with the catalogue. */
import { answerQuestions } from '../threads.ts';
import { createIndex } from './nearest.ts';
import type { CompareAnswer, CompareQuestion } from './thread.ts';
import { createFitter, decodeModel, decodeNumbers, encodeModel, writeVector } from './vectors.ts';
import type { SimilarityModel } from './vectors.ts';

const fitter = createFitter();
const index = createIndex();
const artists = new Map<string, number>();
let model: SimilarityModel | undefined;

answerQuestions(answer);

function answer(question: CompareQuestion): CompareAnswer {
  if (question.kind === 'learn') {
    for (const numbers of question.numbers) fitter.add(decodeNumbers(numbers));
    return null;
  }
  if (question.kind === 'finish-model') return encodeModel(fitter.finish());
  if (question.kind === 'use') {
    model = decodeModel(question.model);
    return null;
  }
  if (question.kind === 'nearest') {
    return question.seqs.map((seq) => {
      const found = index.nearest(seq, question.threshold);
      if (found === undefined) return null;
      const sure = found.filter(({ similarity }) => similarity >= question.threshold).length;
      return { seqs: found.map((neighbour) => neighbour.seq), sure };
    });
  }
  const used = model;
  if (used === undefined) throw new Error('sounds are added after the model');
  for (const { seq, artist, numbers } of question.sounds) {
    const artistNumber = artists.get(artist) ?? artists.size;
    artists.set(artist, artistNumber);
    index.add(seq, artistNumber, (vector) => writeVector(used, decodeNumbers(numbers), vector));
  }
  return null;
}
