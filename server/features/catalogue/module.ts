import type { Module } from '../../platform/http/http.ts';
import { CATALOGUE_ROUTES } from './routes.ts';
import { startPronouncing } from './search/pronouncing.ts';
import { finishIndexing } from './search/reindexing.ts';
import { startComparing } from './similar/rounds.ts';

/** Published sounds, their search, genres and favourites. */
export function createCatalogueModule(): Module {
  return {
    name: 'catalogue',
    routes: CATALOGUE_ROUTES,
    scheduledJobs: ({ database, catalogueChanged }) => [
      {
        name: 'the search index of changed artists',
        async run() {
          if ((await finishIndexing(database)) > 0) catalogueChanged();
        },
      },
    ],
    start(platform) {
      const ends = [startPronouncing(platform), startComparing(platform)];
      return () => {
        for (const end of ends) end();
      };
    },
  };
}
