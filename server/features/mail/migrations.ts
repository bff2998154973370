import { sql } from 'kysely';
import type { FeatureMigrations, Migration } from '../../platform/database/migrations/migration.ts';
import { TEXT, count } from '../../platform/database/tables/parts.ts';

const STATEMENTS = [
  `create table mail_outbox (
    id text primary key,
    to_address text not null,
    reply_to text,
    subject text not null,
    text text not null,
    html text not null,
    state text not null check (state in ('waiting', 'sent', 'given-up')),
    ${count('attempts')},
    created_at bigint not null,
    next_attempt_at bigint not null,
    finished_at bigint,
    last_error ${TEXT}
  )`,
  `create index mail_outbox_due on mail_outbox (state, next_attempt_at)`,
  `create index mail_outbox_finished on mail_outbox (finished_at)`,
];

/** The order of waiting mails, and messages to the operator that have no mail of their own. */
const mailOrder: Migration = {
  name: '0012-mail-order',
  async up(db) {
    // 2: other mails, as the version before queues them.
    await sql`alter table mail_outbox add column priority integer not null default 2`.execute(db);
    await sql`create index mail_outbox_next on mail_outbox (state, priority, next_attempt_at)`.execute(db);
    await sql`alter table contact_messages add column is_mailed integer not null default 1`.execute(db);
    await sql`create index contact_messages_unmailed on contact_messages (is_mailed, created_at)`.execute(db);
  },
};

const mailBounces: Migration = {
  name: '0015-mail-bounces',
  async up(db) {
    await sql`alter table mail_outbox add column bounced_at bigint`.execute(db);
    await sql`alter table mail_outbox add column bounce_status text not null default ''`.execute(db);
    await sql`create index mail_outbox_bounced on mail_outbox (bounced_at) where bounced_at is not null`.execute(
      db,
    );
  },
};

export const mailMigrations: FeatureMigrations = {
  baseline: () => STATEMENTS,
  later: [mailOrder, mailBounces],
};
