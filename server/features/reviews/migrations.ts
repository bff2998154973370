import type { FeatureMigrations } from '../../platform/database/migrations/migration.ts';
import { TEXT } from '../../platform/database/tables/parts.ts';

/**
 * A submission or application is `incoming` while its files are being stored, so that no file exists without a row. A
 * decided one keeps the keys of its files until they are deleted. Users with images cannot be deleted; the images must
 * be deleted first.
 */
const STATEMENTS = [
  `create table personal_info_submissions (
    id text primary key,
    user_id text not null references users (id),
    object_key text,
    state text not null check (state in ('incoming', 'pending', 'approved', 'rejected')),
    submitted_at bigint not null,
    decided_at bigint,
    decided_by text references users (id),
    reason ${TEXT}
  )`,
  `create index personal_info_submissions_user on personal_info_submissions (user_id, submitted_at)`,
  `create unique index personal_info_submissions_pending on personal_info_submissions (user_id)
    where state = 'pending'`,
  `create index personal_info_submissions_state on personal_info_submissions (state, submitted_at)`,
  `create index personal_info_submissions_decided on personal_info_submissions (decided_at)`,
  `create table personal_info_views (
    submission_id text not null references personal_info_submissions (id) on delete cascade,
    staff_id text not null references users (id),
    viewed_at bigint not null,
    details_hash ${TEXT}
  )`,
  `create index personal_info_views_submission on personal_info_views (submission_id, viewed_at)`,
  `create table quality_checks (
    id text primary key,
    user_id text not null references users (id),
    state text not null check (state in ('incoming', 'pending', 'approved', 'rejected')),
    submitted_at bigint not null,
    decided_at bigint,
    decided_by text references users (id),
    reason ${TEXT},
    parked_at bigint,
    check ((state in ('approved', 'rejected')) = (decided_at is not null))
  )`,
  `create index quality_checks_user on quality_checks (user_id, submitted_at)`,
  `create unique index quality_checks_pending on quality_checks (user_id) where state = 'pending'`,
  `create index quality_checks_state on quality_checks (state, submitted_at)`,
  `create index quality_checks_decided on quality_checks (decided_at)`,
  `create table quality_check_types (
    quality_check_id text not null references quality_checks (id) on delete cascade,
    type_id integer not null references sound_types (id) on delete cascade,
    primary key (quality_check_id, type_id)
  )`,
  `create table quality_check_files (
    quality_check_id text not null references quality_checks (id) on delete cascade,
    slot integer not null check (slot between 1 and 6),
    object_key text,
    filename text not null,
    mime text not null,
    size_bytes bigint not null,
    duration_ms bigint not null,
    bit_rate integer not null,
    sample_rate integer not null,
    sha256 text not null,
    analysis text,
    primary key (quality_check_id, slot)
  )`,
  `create index quality_check_files_kept on quality_check_files (quality_check_id) where object_key is not null`,
  // Finds the same file of another applicant.
  `create index quality_check_files_hash on quality_check_files (sha256)`,
];

/**
 * A view is recorded before the image is opened; the details shown beside it (`details_hash`) are known shortly after.
 * Views stay on record as long as the submission does, and are deleted with it.
 */
const VIEWED = 'a view of an ID stays on record';
const IS_SAME_VIEW = `new.submission_id = old.submission_id and new.staff_id = old.staff_id
  and new.viewed_at = old.viewed_at`;
const HAS_SUBMISSION = `exists (select 1 from personal_info_submissions where id = old.submission_id)`;

const SQLITE_TRIGGERS = [
  `create trigger personal_info_views_no_update before update on personal_info_views
    when not (${IS_SAME_VIEW}) begin
    select raise(abort, '${VIEWED}');
  end`,
  `create trigger personal_info_views_no_delete before delete on personal_info_views when ${HAS_SUBMISSION} begin
    select raise(abort, '${VIEWED}');
  end`,
];

const POSTGRES_TRIGGERS = [
  `create function refuse_view_change() returns trigger language plpgsql as $$
  begin
    raise exception '${VIEWED}';
  end $$`,
  `create trigger personal_info_views_unchanged before update on personal_info_views
    for each row when (not (${IS_SAME_VIEW})) execute function refuse_view_change()`,
  `create trigger personal_info_views_kept before truncate on personal_info_views
    for each statement execute function refuse_view_change()`,
  `create function refuse_view_deletion() returns trigger language plpgsql as $$
  begin
    if ${HAS_SUBMISSION} then
      raise exception '${VIEWED}';
    end if;
    return old;
  end $$`,
  `create trigger personal_info_views_undeleted before delete on personal_info_views
    for each row execute function refuse_view_deletion()`,
];

export const reviewMigrations: FeatureMigrations = {
  baseline: (dialect) => [...STATEMENTS, ...(dialect === 'sqlite' ? SQLITE_TRIGGERS : POSTGRES_TRIGGERS)],
};
