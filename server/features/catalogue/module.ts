import { listGenres, listSoundTypes } from '../../../contract/genres.ts';
import { completeSearch, suggestSearches } from '../../../contract/search-suggestions.ts';
import { countFacts } from '../../../contract/fact-counts.ts';
import {
  FactCountQuerySchema,
  SoundQuerySchema,
  SuggestionQuerySchema,
} from '../../../contract/sound-queries.ts';
import { getSound, listSimilar, listSounds, toggleFavorite } from '../../../contract/sounds.ts';
import { READS, byMember, declare } from '../../platform/http/http.ts';
import type { Module } from '../../platform/http/http.ts';
import { TOGGLES, serveFavorites } from './favorites/routes.ts';
import { serveGenres } from './genres/routes.ts';
import { serveSounds } from './routes.ts';
import { startReading } from './search/reading-sounds.ts';
import { finishIndexing } from './search/reindexing.ts';
import { startComparing } from './similar/rounds.ts';

/** Published sounds, their search, genres and favourites. */
export function createCatalogueModule(): Module {
  return {
    name: 'catalogue',
    access: [
      declare(listGenres, 'anyone', 'nothing', READS),
      declare(listSoundTypes, 'anyone', 'nothing', READS),
      declare({ ...listSounds, query: SoundQuerySchema }, 'anyone', 'own or public', READS),
      declare({ ...completeSearch, query: SuggestionQuerySchema }, 'anyone', 'public', READS),
      declare({ ...countFacts, query: FactCountQuerySchema }, 'anyone', 'nothing', READS),
      declare({ ...suggestSearches, query: SuggestionQuerySchema }, 'anyone', 'nothing', READS),
      declare(getSound, 'anyone', 'own or public', READS),
      declare(listSimilar, 'anyone', 'own or public', READS),
      declare(toggleFavorite, 'member', 'own or public', byMember(TOGGLES)),
    ],
    serve(api) {
      serveGenres(api); // before sounds: /api/sounds/types is not the address of a sound
      serveSounds(api);
      serveFavorites(api);
    },
    scheduledJobs: ({ database, catalogueChanged }) => [
      {
        name: 'the search index of changed artists',
        async run() {
          if ((await finishIndexing(database)) > 0) catalogueChanged();
        },
      },
    ],
    start(platform) {
      const ends = [startReading(platform), startComparing(platform)];
      return () => {
        for (const end of ends) end();
      };
    },
  };
}
