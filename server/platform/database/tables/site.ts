import { sql } from 'kysely';
import type { Generated } from 'kysely';
import type { Migration } from '../migrations/migration.ts';
import { TEXT, count, flag } from './parts.ts';
import type { Flag } from './parts.ts';

interface SiteConfigTable {
  /** Always 1: there is one site. */
  id: number;
  navbar_logo: string | null;
  navbar_sp_logo: string | null;
  footer_logo: string | null;
  footer_banner: string | null;
  maintenance_mode: Generated<Flag>;
  allow_register: Generated<Flag>;
}

export interface ExtraPagesTable {
  slug: string;
  title: string;
  position: number;
  body: string;
  /** 0: has an address, but no link in the footer. */
  is_listed: Flag;
  updated_at: number;
  /** Of the terms for members: what they give in one line; null: the operator has not said. */
  licence_line: Generated<string | null>;
  /** The uses that they give, of `LICENCE_USES`, with spaces between them. */
  licence_uses: Generated<string>;
  /** The `updated_at` with which the two were saved: a version that does not know them may have changed the page since. */
  licence_version: Generated<number | null>;
}

/** The operator's pictures and videos before downloads. */
export interface NoticesTable {
  /** A UUID, which visitors see. */
  id: string;
  /**
   * `incoming`: its files are being stored. `removed`: a visitor who has begun to watch it may finish; the row is deleted
   * with its files.
   */
  state: 'incoming' | 'listed' | 'removed';
  state_since: number;
  /** Ascending in the list; gaps have no meaning. */
  position: number;
  kind: 'picture' | 'video';
  /** SHA-256, hexadecimal. */
  file_hash: string;
  /** Such as `.png`, in lower case. */
  file_ending: string;
  file_size: number;
  captions_hash: string | null;
  captions_size: number | null;
  text: string;
  link: string | null;
  seconds: number;
  /** Minutes in Japan; '' for no limit. */
  shown_from: string;
  shown_until: string;
}

/** The operator's announcements under the navbar. */
interface AnnouncementsTable {
  id: string;
  text: string;
  link: string | null;
  audience: 'everyone' | 'members';
  begins_at: number;
  ends_at: number;
  /** Its version: every change has another one. */
  updated_at: number;
}

/** Visitors' messages to the operator. */
export interface ContactMessagesTable {
  id: string;
  name: string;
  email: string;
  message: string;
  /** The member who wrote it; null for a visitor. */
  user_id: string | null;
  created_at: number;
  /** 0: it waits for the mail about several messages. */
  is_mailed: Generated<Flag>;
}

/** Outgoing mails; their content is deleted once they are sent. */
export interface MailOutboxTable {
  id: string;
  to_address: string;
  reply_to: string | null;
  subject: string;
  text: string;
  html: string;
  state: 'waiting' | 'sent' | 'given-up';
  attempts: Generated<number>;
  created_at: number;
  /** Not sent before this time; a process that takes the mail moves it forward. */
  next_attempt_at: number;
  finished_at: number | null;
  last_error: Generated<string>;
  /** Lower ones are sent first (`MAIL_PRIORITIES`). */
  priority: Generated<number>;
  /** When a mail came back that said it could not be delivered; null: none did. */
  bounced_at: Generated<number | null>;
  /** Of that mail, as in RFC 3463, such as `5.1.1`. */
  bounce_status: Generated<string>;
}

export interface SiteTables {
  site_config: SiteConfigTable;
  extra_pages: ExtraPagesTable;
  notices: NoticesTable;
  announcements: AnnouncementsTable;
  contact_messages: ContactMessagesTable;
  mail_outbox: MailOutboxTable;
}

export const SITE_TABLES: readonly string[] = [
  `create table site_config (
    id integer primary key check (id = 1),
    navbar_logo text, navbar_sp_logo text, footer_logo text, footer_banner text,
    ${flag('maintenance_mode')},
    ${flag('allow_register', 1)}
  )`,
  `create table extra_pages (
    slug text primary key,
    title ${TEXT},
    position integer not null default 0,
    body ${TEXT},
    ${flag('is_listed', 1)},
    updated_at bigint not null
  )`,
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
  `create table contact_messages (
    id text primary key,
    name text not null,
    email text not null,
    message text not null,
    user_id text references users (id) on delete set null,
    created_at bigint not null
  )`,
  `create index contact_messages_newest on contact_messages (created_at)`,
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

/** What the operator's terms give for every sound. */
export const licence: Migration = {
  name: '0010-licence',
  async up(db) {
    await sql`alter table extra_pages add column licence_line text`.execute(db);
    await sql`alter table extra_pages add column licence_uses ${sql.raw(TEXT)}`.execute(db);
    await sql`alter table extra_pages add column licence_version bigint`.execute(db);
  },
};

/** The order of waiting mails, and messages to the operator that have no mail of their own. */
export const mailOrder: Migration = {
  name: '0012-mail-order',
  async up(db) {
    // 2: other mails, as the version before queues them.
    await sql`alter table mail_outbox add column priority integer not null default 2`.execute(db);
    await sql`create index mail_outbox_next on mail_outbox (state, priority, next_attempt_at)`.execute(db);
    await sql`alter table contact_messages add column is_mailed integer not null default 1`.execute(db);
    await sql`create index contact_messages_unmailed on contact_messages (is_mailed, created_at)`.execute(db);
  },
};

export const mailBounces: Migration = {
  name: '0015-mail-bounces',
  async up(db) {
    await sql`alter table mail_outbox add column bounced_at bigint`.execute(db);
    await sql`alter table mail_outbox add column bounce_status text not null default ''`.execute(db);
    await sql`create index mail_outbox_bounced on mail_outbox (bounced_at) where bounced_at is not null`.execute(
      db,
    );
  },
};
