import { STAFF_USES_MAX, decideStaffUse, listStaffUses } from '../../../contract/operator/uses.ts';
import { route } from '../../platform/http/route.ts';
import type { Platform } from '../../platform/http/context.ts';
import type { Route } from '../../platform/http/route.ts';
import { isId } from '../../platform/database/statements/random-id.ts';
import { decideUseAsStaff } from './decisions.ts';
import { selectStaffUses } from './queries.ts';
import { DECIDING_RECENTLY, READING } from '../staff/rules.ts';

/** Uses that artists reported, and those of a sound. The word to the artist is for the staff only if it was reported. */
export const USE_ROUTES: readonly Route[] = [
  route(listStaffUses, READING, async ({ query: { sound } }, { database }: Platform) => {
    const canExist = sound === undefined || isId(sound);
    const rows = canExist ? await selectStaffUses(database.db, sound, STAFF_USES_MAX) : [];
    return {
      results: rows.map(({ sound_id, artist_id: _artist, message, ...row }) => ({
        ...row,
        message: row.state === 'reported' ? message : '',
        sound: sound_id,
      })),
    };
  }),

  route(decideStaffUse, DECIDING_RECENTLY, async ({ params: { id }, body, caller }, platform: Platform) => {
    await decideUseAsStaff(platform, id, caller.id, body);
    return {};
  }),
];
