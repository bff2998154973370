import {
  listGenres as listGenresCall,
  listSoundTypes as listSoundTypesCall,
} from '../../../../contract/genres.ts';
import { serve } from '../../../platform/http/http.ts';
import type { Api } from '../../../platform/http/http.ts';
import { listGenres, listSoundTypes } from './service.ts';

export function serveGenres(api: Api): void {
  const { database } = api.platform;
  serve(api, listGenresCall, () => listGenres(database));
  serve(api, listSoundTypesCall, () => listSoundTypes(database));
}
