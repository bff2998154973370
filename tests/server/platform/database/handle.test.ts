import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { Db as AccountsDb } from '#server/features/accounts/tables.ts';
import type { Db as ReportsDb } from '#server/features/reports/tables.ts';
import type { Handle, NoTables } from '#server/platform/database/handle.ts';

const FEATURES = new URL('../../../../server/features', import.meta.url).pathname;
/** Sounds are changed by two features, the catalogue and the artists' own sounds. */
const SHARED = new Set(['sounds', 'sound_sub_genres', 'undecoded_sounds']);
const QUERY = /(?:selectFrom|Join|insertInto|updateTable|deleteFrom)\(\s*'([a-z_]+)/g;
const DELETION = /deleteFrom\(\s*'([a-z_]+)/g;

/** Compiles queries and runs none. */
const handle: Handle = new Kysely<NoTables>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
});

describe('the compiler', () => {
  const reports: ReportsDb = handle;

  it('lets a feature query its tables and read those that it names', () => {
    expect(reports.selectFrom('reports').selectAll().compile().sql).toContain('reports');
    expect(reports.updateTable('reports').set({ reason: 'other' }).compile().sql).toContain('update');
    expect(reports.selectFrom('users').select('email').compile().sql).toContain('email');
  });

  it('stops a query on a table that the feature does not name', () => {
    // @ts-expect-error: payouts are not a table of reports.
    expect(reports.selectFrom('transfer_requests').compile().sql).toContain('transfer_requests');
    // @ts-expect-error: no table at all.
    expect(handle.selectFrom('users').compile().sql).toContain('users');
  });

  it('stops a change of a table that the feature only reads', () => {
    // @ts-expect-error: members are changed by updateMemberRow.
    expect(reports.updateTable('users').set({ is_blocked: 1 }).compile().sql).toContain('update');
    // @ts-expect-error: the same.
    expect(reports.insertInto('users').values({}).compile().sql).toContain('insert');
  });

  it('stops a feature from handing its tables to another', () => {
    // @ts-expect-error: the handle is handed on, not what was made of it.
    const accounts: AccountsDb = reports;
    expect(accounts).toBe(reports);
  });
});

describe('the tables of features', () => {
  const features = readdirSync(FEATURES)
    .filter((name) => existsSync(join(FEATURES, name, 'tables.ts')))
    .map((name) => ({ name, ...readTables(name), ...readQueries(name) }));

  it('belong to one feature each', () => {
    const owned = features.flatMap(({ own }) => own).filter((table) => !SHARED.has(table));
    expect(owned.length).toBeGreaterThan(60);
    expect(owned.filter((table, index) => owned.indexOf(table) !== index)).toEqual([]);
  });

  it('are declared as far as queries name them, and no further', () => {
    for (const { name, own, others, queried, text } of features) {
      const declared = [...own, ...others];
      expect(
        queried.filter((table) => !declared.includes(table)),
        name,
      ).toEqual([]);
      expect(
        declared.filter((table) => !new RegExp(`\\b${table}\\b`).test(text)),
        name,
      ).toEqual([]);
    }
  });

  it('are deleted from by their feature alone, which the compiler does not see', () => {
    for (const { name, own, deleted } of features) {
      expect(
        deleted.filter((table) => !own.includes(table)),
        name,
      ).toEqual([]);
    }
  });

  it('are all reached by no feature', () => {
    const all = features.filter(({ name }) => readText(name, 'tables.ts').includes('Kysely<Schema>'));
    expect(all.map(({ name }) => name)).toEqual([]);
    const bypassing = features.filter(({ text }) => text.includes('everyTable'));
    expect(bypassing).toEqual([]);
  });
});

function readTables(feature: string): { own: string[]; others: string[] } {
  const text = readText(feature, 'tables.ts');
  const [shared = '', others = ''] = ['Shared', 'Others'].map(
    (name) => new RegExp(`type ${name} = ([^;]*);`).exec(text)?.[1],
  );
  const [, members = ''] = /interface \w+Tables \{([^}]*)\}/.exec(text) ?? [];
  const find = (pattern: RegExp, names: string) => [...names.matchAll(pattern)].map(([, name = '']) => name);
  return {
    own: [...find(/(\w+): /g, members), ...find(/'(\w+)'/g, shared)],
    others: find(/'(\w+)'/g, others),
  };
}

function readQueries(feature: string): { queried: string[]; deleted: string[]; text: string } {
  const files = readdirSync(join(FEATURES, feature), { recursive: true, encoding: 'utf8' });
  const text = files
    .filter((file) => file.endsWith('.ts') && file !== 'tables.ts' && file !== 'migrations.ts')
    .map((file) => readText(feature, file))
    .join('\n');
  const find = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, table = '']) => table);
  return { queried: find(QUERY), deleted: find(DELETION), text };
}

function readText(feature: string, file: string): string {
  return readFileSync(join(FEATURES, feature, file), 'utf8');
}
