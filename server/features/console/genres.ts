import {
  addLabel as addLabelCall,
  changeLabel as changeLabelCall,
  listLabels,
  removeLabel as removeLabelCall,
} from '../../../contract/operator-genres.ts';
import { Problem, byMember, declare, requireMember, serve } from '../../platform/http/http.ts';
import type { Access, Api } from '../../platform/http/http.ts';
import { addLabel, changeLabel, finishIndexing, removeLabel, selectLabels } from '../catalogue/catalogue.ts';
import type { LabelOutcome } from '../catalogue/catalogue.ts';
import { CONSOLE_DECISIONS, CONSOLE_READS } from './limits.ts';

const recently = 'staff with recent log-in';
export const GENRES_ACCESS: readonly Access[] = [
  declare(listLabels, 'staff', 'staff', byMember(CONSOLE_READS)),
  declare(addLabelCall, recently, 'site', byMember(CONSOLE_DECISIONS)),
  declare(changeLabelCall, recently, 'site', byMember(CONSOLE_DECISIONS)),
  declare(removeLabelCall, recently, 'site', byMember(CONSOLE_DECISIONS)),
];

/** Types, genres and sub-genres. */
export function serveLabels(api: Api): void {
  const { platform } = api;
  const { database, backgroundJobs, catalogueChanged } = platform;

  /** A genre can have many sounds; the reply does not wait until search finds them by the new name. */
  function indexLater(): Promise<void> {
    backgroundJobs.start(async () => {
      if ((await finishIndexing(database)) > 0) catalogueChanged();
    });
    return Promise.resolve();
  }

  serve(api, listLabels, () => selectLabels(database.db));

  serve(api, addLabelCall, async ({ body: { kind, name, icon, genre_id: genreId }, caller }) => {
    if (kind === 'sub-genre' && genreId === undefined) throw noGenre();
    const wanted = {
      name,
      ...(kind === 'type' && icon !== undefined && { icon }),
      ...(kind === 'sub-genre' && genreId !== undefined && { genreId }),
    };
    return toReply(await addLabel(platform, requireMember({ caller }).id, kind, wanted));
  });

  serve(api, changeLabelCall, async ({ body: { kind, id, name, icon, order }, caller }) => {
    const wanted = { name, position: order, ...(kind === 'type' && icon !== undefined && { icon }) };
    return toReply(await changeLabel(platform, requireMember({ caller }).id, kind, id, wanted, indexLater));
  });

  serve(api, removeLabelCall, async ({ body: { kind, id }, caller }) =>
    toReply(await removeLabel(platform, requireMember({ caller }).id, kind, id)),
  );
}

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
