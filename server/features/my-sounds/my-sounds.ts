export { listCopies } from './copies.ts';
export { deleteSoundsOf, removeSound } from './deletion.ts';
export { EXPIRED_MS } from './uploads/leftovers.ts';
export { readStoredSound } from './waveforms.ts';
