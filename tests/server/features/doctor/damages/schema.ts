import { open, rm } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import type { RichSite } from '../rich-site.ts';
import { type Damage, BOTH } from './damage.ts';

const POSTGRES = ['postgres'] as const;

/** Changes a file of SQLite in a way that SQLite itself prevents. */
async function withFile(
  { database, settings }: RichSite,
  change: (file: DatabaseSync) => void,
): Promise<void> {
  await database.close();
  const { file } = settings.database as { readonly file: string };
  const opened = new DatabaseSync(file, { enableForeignKeyConstraints: false, defensive: false });
  change(opened);
  opened.close();
}

const dropTrigger = (site: RichSite, name: string, table: string) =>
  site.run(`drop trigger ${name}${site.kind === 'sqlite' ? '' : ` on ${table}`}`);

export const SCHEMA_DAMAGES: readonly Damage[] = [
  {
    name: 'an index is dropped',
    on: BOTH,
    plant: (site) => site.run('drop index sounds_newest'),
    finds: { schema: ['missing'] },
  },
  {
    name: 'a unique index is dropped',
    on: BOTH,
    plant: (site) => site.run('drop index sounds_artist_content'),
    finds: { schema: ['missing'] },
  },
  {
    name: 'a trigger of the ledger is dropped',
    on: BOTH,
    plant: (site) => dropTrigger(site, 'ledger_entries_book', 'ledger_entries'),
    finds: { schema: ['missing'] },
  },
  {
    name: 'a trigger that protects the record of staff actions is dropped',
    on: BOTH,
    plant: (site) =>
      dropTrigger(
        site,
        site.kind === 'sqlite' ? 'operator_actions_no_update' : 'operator_actions_kept',
        'operator_actions',
      ),
    finds: { schema: ['missing'] },
  },
  {
    name: 'a trigger or its function is replaced by one that does nothing',
    on: BOTH,
    plant: (site) =>
      site.kind === 'sqlite'
        ? site.run(
            'drop trigger ledger_entries_no_delete',
            'create trigger ledger_entries_no_delete before delete on ledger_entries begin select 1; end',
          )
        : site.run(
            `create or replace function refuse_ledger_change() returns trigger language plpgsql as $$
            begin return old; end $$`,
          ),
    finds: { schema: ['changed'] },
  },
  {
    name: 'a trigger is added that changes rows',
    on: BOTH,
    plant: (site) =>
      site.kind === 'sqlite'
        ? site.run(`create trigger extra after insert on sounds begin delete from favorites; end`)
        : site.run(`create trigger extra after insert on sounds
            for each row execute function refuse_ledger_change()`),
    finds: { schema: ['unexpected'] },
  },
  {
    name: 'a unique index is added that refuses rows',
    on: BOTH,
    plant: (site) => site.run('create unique index one_title on sounds (title)'),
    finds: { schema: ['unexpected'] },
  },
  {
    name: 'a table is dropped',
    on: BOTH,
    plant: (site) => site.run('drop table search_synonyms'),
    finds: { schema: ['missing'] },
  },
  {
    name: 'a column is dropped',
    on: BOTH,
    plant: (site) => site.run('alter table reports drop column relation'),
    finds: { schema: ['missing'] },
  },
  {
    name: 'a constraint of a table of SQLite is removed',
    plant: (site) =>
      withFile(site, (file) =>
        file.exec(`pragma writable_schema = on;
          update sqlite_schema set sql = replace(sql, 'check (attempts >= 0)', '') where name = 'mail_outbox';
          pragma writable_schema = reset`),
      ),
    finds: { schema: ['changed'] },
  },
  {
    name: 'a constraint of PostgreSQL is dropped',
    on: POSTGRES,
    plant: (site) => site.run('alter table mail_outbox drop constraint mail_outbox_attempts_check'),
    finds: { schema: ['missing'] },
  },
  {
    name: 'a foreign key of PostgreSQL is dropped',
    on: POSTGRES,
    plant: (site) => site.run('alter table undo_links drop constraint undo_links_user_id_fkey'),
    finds: { schema: ['missing'] },
  },
  {
    name: 'a table of PostgreSQL no longer survives a crash (unlogged)',
    on: POSTGRES,
    plant: (site) => site.run('alter table favorites set unlogged'),
    finds: { schema: ['changed'] },
  },
  {
    name: 'a trigger of PostgreSQL is disabled',
    on: POSTGRES,
    plant: (site) => site.run('alter table ledger_entries disable trigger ledger_entries_day'),
    finds: { 'database integrity': ['disabled-triggers'] },
  },
  {
    name: 'an index of PostgreSQL is invalid',
    on: POSTGRES,
    plant: (site) =>
      site.run(`update pg_index set indisvalid = false where indexrelid = 'sounds_content'::regclass`),
    finds: { 'database integrity': ['invalid-indexes'] },
  },
  {
    name: 'a row refers to a row that does not exist',
    on: BOTH,
    async plant(site) {
      const { seq } = site.draft;
      const insert = `insert into favorites (user_id, sound_seq, created_at) values ('nobody', ${seq}, ${Date.now()})`;
      if (site.kind === 'sqlite') return withFile(site, (file) => file.exec(insert));
      await site.database.db.transaction().execute(async (transaction) => {
        await sql`set local session_replication_role = replica`.execute(transaction);
        await sql.raw(insert).execute(transaction);
      });
    },
    finds: { 'database integrity': ['orphaned-rows'] },
  },
  {
    name: 'numbers of rows are given out again',
    on: BOTH,
    plant: (site) =>
      site.kind === 'sqlite'
        ? site.run(`update sqlite_sequence set seq = 0 where name = 'sounds'`)
        : site.run(`select setval(pg_get_serial_sequence('sounds', 'seq'), 1)`),
    finds: { 'database integrity': ['used-numbers'] },
  },
  {
    name: 'a page of the file of SQLite is overwritten',
    async plant(site) {
      const { file } = site.settings.database as { readonly file: string };
      const { rows } = await sql<{ page: number; size: number }>`
        select rootpage as page, page_size as size from sqlite_schema, pragma_page_size
        where name = 'sqlite_autoindex_search_synonyms_1'`.execute(site.database.db);
      await site.database.close();
      const { page = 1, size = 0 } = rows[0] ?? {};
      const handle = await open(file, 'r+');
      await handle.write(Buffer.alloc(size, 255), 0, size, (page - 1) * size);
      await handle.close();
    },
    finds: { 'database integrity': ['damaged'] },
  },
  {
    name: 'the database is lost',
    async plant(site) {
      await site.database.close();
      const { file } = site.settings.database as { readonly file: string };
      for (const end of ['', '-wal', '-shm']) await rm(file + end, { force: true });
    },
    finds: { database: ['unusable'] },
  },
  {
    name: 'the record of a migration is deleted',
    on: BOTH,
    plant: (site) => site.run(`delete from migrations where name = '0001-tables'`),
    finds: { database: ['other-version'] },
  },
];
