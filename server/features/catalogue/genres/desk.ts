import {
  addGenre as addGenreCall,
  changeGenre as changeGenreCall,
  listOperatorGenres,
  removeGenre as removeGenreCall,
} from '../../../../contract/operator/genres.ts';
import { Problem } from '../../../platform/http/problem.ts';
import { route } from '../../../platform/http/route.ts';
import type { Route } from '../../../platform/http/route.ts';
import { addGenre, changeGenre, removeGenre } from './changes.ts';
import { finishIndexing } from '../search/reindexing.ts';
import { selectOperatorGenres } from './queries.ts';
import type { GenreOutcome } from './changes.ts';
import { CHANGING_SITE, READING } from '../../staff/rules.ts';

/** Types, genres and sub-genres. */
export const GENRE_ROUTES: readonly Route[] = [
  route(listOperatorGenres, READING, (_, { database }) => selectOperatorGenres(database.db)),

  route(
    addGenreCall,
    CHANGING_SITE,
    async ({ body: { kind, name, icon, genre_id: genreId }, caller }, platform) => {
      if (kind === 'sub-genre' && genreId === undefined) throw noGenre();
      const wanted = {
        name,
        ...(kind === 'type' && icon !== undefined && { icon }),
        ...(kind === 'sub-genre' && genreId !== undefined && { genreId }),
      };
      return toReply(await addGenre(platform, caller.id, kind, wanted));
    },
  ),

  route(
    changeGenreCall,
    CHANGING_SITE,
    async ({ body: { kind, id, name, icon, order, read }, caller }, platform) => {
      const { database, backgroundJobs, catalogueChanged } = platform;
      const wanted = { name, position: order, ...(kind === 'type' && icon !== undefined && { icon }) };
      // A genre can have many sounds; the reply does not wait until search finds them by the new name.
      const indexLater = () => {
        backgroundJobs.start(async () => {
          if ((await finishIndexing(database)) > 0) catalogueChanged();
        });
        return Promise.resolve();
      };
      const seen = read && { name: read.name, icon: read.icon, position: read.order };
      return toReply(await changeGenre(platform, caller.id, kind, id, wanted, { seen, index: indexLater }));
    },
  ),

  route(removeGenreCall, CHANGING_SITE, async ({ body: { kind, id }, caller }, platform) =>
    toReply(await removeGenre(platform, caller.id, kind, id)),
  ),
];

/** Throws `Problem` if the change was not possible. */
function toReply(outcome: GenreOutcome): { id: number } {
  if ('id' in outcome) return { id: outcome.id };
  if (outcome.why === 'no-genre') throw noGenre();
  if (outcome.why === 'taken') throw new Problem(400, { name: 'この名前は、すでに使われています。' });
  const sounds = outcome.sounds.toLocaleString('ja-JP');
  throw new Problem(409, `${sounds}件のサウンドで使われているため、削除できません。`);
}

function noGenre(): Problem {
  return new Problem(400, { genre_id: 'このジャンルはありません。' });
}
