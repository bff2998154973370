export { lockSound } from './favorites/queries.ts';
export { removeFavorites } from './favorites/service.ts';
export { putFindings } from './findings-queries.ts';
export { putFeatures, selectCorrections, setCorrections } from './features-queries.ts';
export { addLabel, changeLabel, removeLabel } from './genres/changes.ts';
export type { LabelOutcome } from './genres/changes.ts';
export { selectLabels, selectSoundTypes } from './genres/queries.ts';
export { createGenre, createSoundType } from './genres/service.ts';
export { countFacts } from './listing/fact-counts.ts';
export { toLevel, toPopularity } from './popularity.ts';
export { isFileUsed, selectWithContent, toFlag } from './queries.ts';
export { insertUnindexed } from './search/reindexing-queries.ts';
export { completeSearch } from './search/completions.ts';
export { addSynonyms, removeSynonyms, selectOwnSynonyms } from './search/own-synonyms.ts';
export { openDictionary } from './search/dictionary.ts';
export { loadWords } from './search/load-words.ts';
export { toReadTokens } from './search/pronunciations.ts';
export type { DictionaryWord } from './search/pronunciations.ts';
export { compareSearchIndex, reindexSound } from './search/comparing.ts';
export type { IndexFault } from './search/comparing.ts';
export { finishIndexing, indexArtist } from './search/reindexing.ts';
export { toSearchTokens } from './search/tokens.ts';
export type { SearchDocument } from './search/tokens.ts';
export { createIndex } from './similar/nearest.ts';
export { createFitter, writeVector } from './similar/vectors.ts';
export type { SimilarityModel } from './similar/vectors.ts';
export {
  addSound,
  createSound,
  findSound,
  findSoundFile,
  findSoundSubject,
  findSounds,
  indexSound,
  listSounds,
} from './service.ts';
export type { NewSound } from './service.ts';
export { toWireSound } from './to-wire.ts';
export { IS_THERE } from './visibility.ts';
