export { drillLatest } from './rehearsal.ts';
