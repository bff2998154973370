import type { FeatureMigrations } from '../../platform/database/migrations/migration.ts';

const STATEMENTS = [
  `create table notices (
    id text primary key,
    state text not null,
    state_since bigint not null,
    position integer not null,
    kind text not null,
    file_hash text not null,
    file_ending text not null,
    file_size bigint not null,
    captions_hash text,
    captions_size bigint,
    text text not null,
    link text,
    seconds double precision not null,
    shown_from text not null,
    shown_until text not null
  )`,
];

export const noticeMigrations: FeatureMigrations = {
  baseline: () => STATEMENTS,
};
