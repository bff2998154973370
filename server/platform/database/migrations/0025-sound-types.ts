import { sql } from 'kysely';
import type { Migration } from '../migration.ts';

/** The sound types of the specification, if the operator has made none: uploads require a type. */
export const soundTypes: Migration = {
  name: '0025-sound-types',
  async up(db) {
    await sql`
      insert into sound_types (name, icon, position)
      select added.name, added.icon, added.position
      from (
        select 'BGM' as name, 'music' as icon, 0 as position union all select '効果音', 'effect', 1
      ) added
      where not exists (select 1 from sound_types)
      order by added.position`.execute(db);
  },
};
