import type { FeatureMigrations } from '../../platform/database/migrations/migration.ts';

const STATEMENTS = [
  `create table retired_pictures (
    picture_key text primary key,
    kind text not null,
    retired_at bigint not null
  )`,
  `create index retired_pictures_age on retired_pictures (retired_at)`,
];

export const pictureMigrations: FeatureMigrations = {
  baseline: () => STATEMENTS,
};
