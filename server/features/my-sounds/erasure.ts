import type { MemberErasure } from '../member-erasure.ts';
import { deleteSoundsOf } from './deletion.ts';
import type { Db } from './tables.ts';

export const MY_SOUNDS_ERASURE: MemberErasure = {
  sounds: deleteSoundsOf,

  async rows(db: Db, { id }) {
    await db
      .deleteFrom('sound_copies')
      .where((where) => where.or([where('artist_id', '=', id), where('original_artist_id', '=', id)]))
      .execute();
  },
};
