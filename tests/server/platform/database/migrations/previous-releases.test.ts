import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { MIGRATIONS } from '#server/schema/migrations.ts';
import { isOlderOrEqual, toRequiredVersion } from '#server/platform/database/migrations/migrate.ts';
import type { Migration } from '#server/platform/database/migrations/migration.ts';
import { bothDatabases, openLocated } from '#support/databases/databases.ts';
import { findUnusable } from '#support/databases/query-checks.ts';
import { readReleases } from '#support/databases/recorded-queries.ts';
import { findContractions, readShapes } from './schema-comparison.ts';

/** Differences that the test would report, and why the release before works with them. */
const EXPLAINED: Readonly<Record<string, string>> = {};

/** What a connection pooler gives to another client with the connection. */
const SESSION_STATE =
  /^(?:set (?!local)|listen|unlisten|prepare|deallocate|discard)|\btemp(?:orary)? table\b|\bwith hold\b|\bpg_(?:try_)?advisory_(?:lock|unlock)|\bset_config\([^)]*false\)/i;

const releases = readReleases();

describe.each(releases)('with the database of this version, release $version', (release) => {
  const since = (name: string) => toRequiredVersion(name);
  const known = MIGRATIONS.filter(({ name }) => release.migrations.includes(name));
  /** A database of this version that the release may meet. */
  const met = MIGRATIONS.filter(({ name }) =>
    isOlderOrEqual(since(name) ?? release.version, release.version),
  );
  const expanding = MIGRATIONS.filter(
    ({ name }) => known.some((migration) => migration.name === name) || since(name) === undefined,
  );

  describe.each(bothDatabases)('on $name', ({ name: dialect, locateEmpty }) => {
    async function openWith(migrations: readonly Migration[]) {
      const place = await locateEmpty();
      return { location: place.location, database: await openLocated(place, { migrations }) };
    }

    async function contract(...statements: string[]) {
      const { location, database } = await openWith(known);
      const before = await readShapes(database);
      for (const statement of statements) await sql.raw(statement).execute(database.db);
      return {
        faults: findContractions(before, await readShapes(database)),
        unusable: await findUnusable(location, release.queries[dialect]),
      };
    }

    test('can run each of its queries', async () => {
      const { location } = await openWith(met);
      expect(await findUnusable(location, release.queries[dialect])).toEqual([]);
    });

    test('can write, for nothing is removed or required', async () => {
      const before = await readShapes((await openWith(known)).database);
      const faults = findContractions(before, await readShapes((await openWith(expanding)).database));
      expect(faults.filter((fault) => EXPLAINED[fault] === undefined)).toEqual([]);
    });

    test('would fail without a column or a table', async () => {
      expect(known).toHaveLength(release.migrations.length);
      expect(release.queries[dialect].length).toBeGreaterThan(800);
      const renamed = await contract('alter table users rename column bio to biography');
      expect(renamed.faults).toEqual(['users.bio is removed']);
      expect(renamed.unusable.length).toBeGreaterThan(5);
      const dropped = await contract('drop table former_usernames');
      expect(dropped.faults).toContain('former_usernames.user_id is removed');
    });

    test('would fail with a new rule', async () => {
      const unique = await contract('create unique index one_title on sounds (title)');
      expect(unique.faults).toEqual([expect.stringMatching(/^new rule of sounds: .*one_title/)]);
      const harmless = await contract(
        'alter table sounds add column code text',
        'create unique index one_code on sounds (code)',
        "alter table sounds add column mood text not null default ''",
        'create table moods (name text primary key)',
        'create index sounds_mood on sounds (mood)',
      );
      expect(harmless).toEqual({ faults: [], unusable: [] });
      if (dialect === 'sqlite') return;
      const { faults, unusable } = await contract(
        'alter table sounds alter column filename type varchar(20)',
        'alter table sounds alter column thumbnail_key set not null',
        'alter table genres add column colour text not null',
        "alter table genres add check (name <> '')",
        // The index of an upsert.
        'alter table sound_types drop constraint sound_types_name_key',
      );
      expect(faults).toEqual([
        'sounds.filename changes from text to character varying(20)',
        'sounds.thumbnail_key becomes required',
        'genres.colour is new and required, and has no default',
        expect.stringMatching(/^new rule of genres: CHECK/),
      ]);
      expect(unusable.map(({ reason }) => reason)).toContainEqual(expect.stringMatching(/ON CONFLICT/));
    });
  });

  test('leaves nothing in its session on PostgreSQL', () => {
    expect(release.queries.postgres.filter((query) => SESSION_STATE.test(query))).toEqual([]);
  });
});
