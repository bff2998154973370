export { addDownload, addPlays, toMonthStart } from './play-queries.ts';
export { readOwnStatistics } from './own-statistics.ts';
export { selectMissedWords } from './queries.ts';
