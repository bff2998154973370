import {
  addLabel as addLabelCall,
  changeLabel as changeLabelCall,
  listLabels,
  removeLabel as removeLabelCall,
} from '../../../../contract/operator/labels.ts';
import { Problem } from '../../../platform/http/problem.ts';
import { route } from '../../../platform/http/route.ts';
import type { Route } from '../../../platform/http/route.ts';
import { addLabel, changeLabel, removeLabel } from './changes.ts';
import { finishIndexing } from '../search/reindexing.ts';
import { selectLabels } from './queries.ts';
import type { LabelOutcome } from './changes.ts';
import { CHANGING_SITE, READING } from '../../staff/rules.ts';

/** Types, genres and sub-genres. */
export const LABEL_ROUTES: readonly Route[] = [
  route(listLabels, READING, (_, { database }) => selectLabels(database.db)),

  route(
    addLabelCall,
    CHANGING_SITE,
    async ({ body: { kind, name, icon, genre_id: genreId }, caller }, platform) => {
      if (kind === 'sub-genre' && genreId === undefined) throw noGenre();
      const wanted = {
        name,
        ...(kind === 'type' && icon !== undefined && { icon }),
        ...(kind === 'sub-genre' && genreId !== undefined && { genreId }),
      };
      return toReply(await addLabel(platform, caller.id, kind, wanted));
    },
  ),

  route(
    changeLabelCall,
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
      return toReply(await changeLabel(platform, caller.id, kind, id, wanted, { seen, index: indexLater }));
    },
  ),

  route(removeLabelCall, CHANGING_SITE, async ({ body: { kind, id }, caller }, platform) =>
    toReply(await removeLabel(platform, caller.id, kind, id)),
  ),
];

/** Throws `Problem` if the change was not possible. */
function toReply(outcome: LabelOutcome): { id: number } {
  if ('id' in outcome) return { id: outcome.id };
  if (outcome.why === 'no-genre') throw noGenre();
  if (outcome.why === 'taken') throw new Problem(400, { name: 'この名前は、すでに使われています。' });
  const sounds = outcome.sounds.toLocaleString('ja-JP');
  throw new Problem(409, `${sounds}件のサウンドで使われているため、削除できません。`);
}

function noGenre(): Problem {
  return new Problem(400, { genre_id: 'このジャンルはありません。' });
}
