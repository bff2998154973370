import type { FeatureMigrations } from '../../platform/database/migrations/migration.ts';
import { TEXT, toAppendOnly } from '../../platform/database/tables/parts.ts';

const STATEMENTS = [
  `create table operator_actions (
    id text primary key,
    staff_id text references users (id),
    action text not null,
    subject text not null,
    at bigint not null,
    note ${TEXT}
  )`,
  `create index operator_actions_at on operator_actions (at)`,
  `create index operator_actions_subject on operator_actions (subject, at)`,
];

export const staffMigrations: FeatureMigrations = {
  baseline: (dialect) => [
    ...STATEMENTS,
    ...toAppendOnly(
      dialect,
      'operator_actions',
      'action_change',
      'the record of operator actions is append-only',
    ),
  ],
};
