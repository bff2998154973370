import { sql } from 'kysely';
import type { Migration } from '../migration.ts';

/**
 * Failed log-ins, which are kept across restarts and shared by processes; and an append-only record of staff actions,
 * protected like the ledger's entries.
 */
export const logInProtection: Migration = {
  name: '0027-log-in-protection',
  async up(db, dialect) {
    const triggers = dialect === 'sqlite' ? SQLITE_TRIGGERS : POSTGRES_TRIGGERS;
    for (const statement of [...TABLES, ...triggers]) await sql.raw(statement).execute(db);
  },
};

const TABLES = [
  `create table password_failures (
    account text not null,
    source text not null,
    provider text not null,
    failures integer not null,
    since bigint not null,
    failed_at bigint not null,
    primary key (account, source)
  )`,
  `create index password_failures_since on password_failures (since)`,
];

const APPEND_ONLY = 'the record of operator actions is append-only';
/**
 * A view is recorded before the image is opened; the details shown beside it (`details_hash`) are known shortly after.
 */
const VIEWED = 'a view of an ID stays on record';
const IS_SAME_VIEW = `new.submission_id = old.submission_id and new.staff_id = old.staff_id
  and new.viewed_at = old.viewed_at`;

const SQLITE_TRIGGERS = [
  ...['update', 'delete'].map(
    (change) => `create trigger operator_actions_no_${change} before ${change} on operator_actions begin
      select raise(abort, '${APPEND_ONLY}');
    end`,
  ),
  `create trigger personal_info_views_no_delete before delete on personal_info_views begin
    select raise(abort, '${VIEWED}');
  end`,
  `create trigger personal_info_views_no_update before update on personal_info_views
    when not (${IS_SAME_VIEW}) begin
    select raise(abort, '${VIEWED}');
  end`,
];

const POSTGRES_TRIGGERS = [
  `create function refuse_action_change() returns trigger language plpgsql as $$
  begin
    raise exception '${APPEND_ONLY}';
  end $$`,
  `create trigger operator_actions_unchanged before update or delete on operator_actions
    for each row execute function refuse_action_change()`,
  `create trigger operator_actions_kept before truncate on operator_actions
    for each statement execute function refuse_action_change()`,
  `create function refuse_view_change() returns trigger language plpgsql as $$
  begin
    raise exception '${VIEWED}';
  end $$`,
  `create trigger personal_info_views_unchanged before update on personal_info_views
    for each row when (not (${IS_SAME_VIEW})) execute function refuse_view_change()`,
  `create trigger personal_info_views_undeleted before delete on personal_info_views
    for each row execute function refuse_view_change()`,
  `create trigger personal_info_views_kept before truncate on personal_info_views
    for each statement execute function refuse_view_change()`,
];
