import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const SERVER = new URL('../../server', import.meta.url).pathname;
const PLATFORM = join(SERVER, 'platform');
const FEATURES = join(SERVER, 'features');

/** Words of feature folders that are also words of the platform, and what they are there. */
const PLATFORM_WORDS = new Set([
  'data',
  'doc', // Documents of the API.
  'file',
  'mail', // It sends mails.
  'message', // Errors have one.
  'my',
  'api',
  'own',
  'report', // A verb.
  'site',
  'staff', // Who calls.
  'store',
  'stored',
  'term',
  'use', // A verb.
  'visitor', // Who calls.
]);

/** The files of the platform that name a noun of a feature, with the nouns. */
const EXCEPTIONS: Readonly<Record<string, readonly string[]>> = {
  // The search index finds sounds: FTS5 and PostgreSQL need different tables, and PostgreSQL a trigger on sounds.
  'database/search-index/postgres.ts': ['download', 'sound', 'sounds'],
  'database/search-index/search-index.ts': ['download', 'sound', 'sounds'],
  'database/search-index/seq-windows.ts': ['sound', 'sounds'],
  'database/search-index/sqlite.ts': ['sound', 'sounds'],
  'database/tables/search-index.ts': ['download', 'sound', 'sounds'],
  // A copy of the other kind of database has no search index: all sounds are indexed again.
  'database/snapshots/load.ts': ['sound', 'sounds'],
  'database/snapshots/postgres.ts': ['sound', 'sounds'],
  'database/snapshots/rows.ts': ['sound', 'unpronounced_sounds'],
  'database/snapshots/snapshot.ts': ['sound'],
  // Names and numbers that differ between features, and never change.
  'crypto/access-tokens.ts': ['sound'],
  'crypto/secrets.ts': ['certificate', 'certificates', 'sessions'],
  'database/locks.ts': ['notice', 'notices', 'reports', 'uses'],
  // Addresses that are secrets, and are not logged.
  'http/secrets-in-urls.ts': ['certificate', 'certificates', 'download'],
  // What every feature gets: it announces changes of pages, and makes the addresses of files.
  'http/context.ts': ['catalogue'],
  'storage/file-urls.ts': ['artist', 'download', 'picture', 'sound', 'sounds'],
  // The free space of this folder too.
  'storage/metrics.ts': ['backup'],
  // The certificate of a database server.
  'database/drivers/failure.ts': ['certificate'],
  // A method of rate-limiter-flexible.
  'limits/counting.ts': ['reward'],
};

const tables = readdirSync(FEATURES, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('/tables.ts'))
  .flatMap((file) => {
    const text = readFileSync(join(FEATURES, file), 'utf8');
    const [, members = ''] = /interface \w+Tables \{([^}]*)\}/.exec(text) ?? [];
    return [...members.matchAll(/(\w+): /g)].map(([, name = '']) => name);
  });
const words = readdirSync(FEATURES, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .flatMap(({ name }) => name.split('-').map(toSingular))
  .concat('genre', 'payout', 'reward')
  .filter((word) => !PLATFORM_WORDS.has(word));

describe('the platform', () => {
  const files = readdirSync(PLATFORM, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );

  it('names no noun of a feature, except where it must', () => {
    expect(tables.length).toBeGreaterThan(60);
    expect(words).toContain('ledger');
    const named = files
      .map((file) => [file, findNouns(readFileSync(join(PLATFORM, file), 'utf8'))] as const)
      .filter(([, nouns]) => nouns.length > 0);
    expect(Object.fromEntries(named)).toEqual(EXCEPTIONS);
  });

  it.each([
    ['const reportedSounds = 1;', ['sound']],
    ["db.selectFrom('former_usernames')", ['former_usernames']],
    ["throw new Error('two sounds')", []],
    ['// sounds\nconst a = 1; /* users */', []],
  ])('names in %j: %j', (text, nouns) => {
    expect(findNouns(text)).toEqual(nouns);
  });
});

/** Names of tables, and words of feature folders within names; not in comments and sentences. */
function findNouns(text: string): string[] {
  const code = text.replaceAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$|'[^'\n]*'/gm, (part) =>
    part.startsWith("'") && !part.includes(' ') ? part : '',
  );
  const names = [...code.matchAll(/[A-Za-z_]\w*/g)].map(([name]) => name);
  const parts = names.flatMap((name) =>
    name.split(/_|(?<=[a-z])(?=[A-Z])/).map((part) => toSingular(part.toLowerCase())),
  );
  const nouns = [
    ...names.filter((name) => tables.includes(name)),
    ...parts.filter((part) => words.includes(part)),
  ];
  return [...new Set(nouns)].toSorted();
}

function toSingular(word: string): string {
  return word.replace(/s$/, '');
}
