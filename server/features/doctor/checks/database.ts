import { classifyFailure, isRefused } from '../../../platform/database/drivers/failure.ts';
import { diagnose } from '../check.ts';
import type { Check, Finding } from '../check.ts';
import { own } from '../tables.ts';

export const databaseCheck: Check = {
  name: 'database',
  priority: 'critical',
  stage: 'first',
  consoleText: 'データベースに問題があります',
  endsRun: true,
  async run(site) {
    try {
      const { db } = await site.openDatabase();
      await own(db).selectFrom('site_config').select('id').limit(1).execute();
      return [];
    } catch (error) {
      return [explain(error)];
    }
  },
};

/** SQLite's SQLITE_CORRUPT and SQLITE_NOTADB. */
const DAMAGED = new Set([11, 26]);

function explain(error: unknown): Finding {
  const reason = error instanceof Error ? error.message || error.name : String(error);
  const kind = classify(error);
  return diagnose({ kind, ...TEXTS[kind], found: `${TEXTS[kind].found}: ${reason}` });
}

/** What kept the doctor from the database. Only what it has seen of the data itself is called damage. */
function classify(error: unknown): keyof typeof TEXTS {
  if (!(error instanceof Error)) return 'unusable';
  if (error.name === 'EmptyDatabaseError') return 'empty';
  if (error.name === 'DatabaseVersionError') return 'other-version';
  if (error.name === 'PoolerSettingsError') return 'pooler';
  const { errcode = 0 } = error as { readonly errcode?: number };
  if (DAMAGED.has(errcode & 0xff)) return 'damaged';
  if (isRefused(error)) return 'refused';
  const failure = classifyFailure(error);
  return failure === 'conflict' ? 'busy' : (failure ?? 'unusable');
}

const TEXTS = {
  empty: {
    found: 'The database has no tables',
    meaning: 'A new site has none before its first start. The data of an older site is not here.',
    remedy:
      'For a new site, start the server. Otherwise correct DATA_DIR or DATABASE_URL, or restore a backup (docs/backups.md).',
  },
  'other-version': {
    found: 'The version of the database is not that of this program',
    meaning: 'Neither the server nor staff commands of this version can use the data as it is.',
    remedy: 'Do what the message says. The data is not changed by looking at it.',
  },
  pooler: {
    found: 'The connection pooler keeps the settings of a connection from PostgreSQL',
    meaning: 'The data was not looked at. A server of this version does not start with this DATABASE_URL.',
    remedy:
      'Give the role the settings that the message names (docs/operating.md, "PostgreSQL with a replica or a pooler"), or name PostgreSQL itself in DATABASE_URL.',
  },
  busy: {
    found: 'The database is in use',
    meaning: 'The data was not looked at. The server may work, only slowly.',
    remedy:
      'Run the doctor again in a moment. If this stays, look for long transactions and used-up connections.',
  },
  full: {
    found: 'The disk or quota of the database is full',
    meaning: 'The server still reads, and keeps nothing that members do.',
    remedy: 'Make room, then run the doctor again.',
  },
  unavailable: {
    found: 'The database cannot be reached or read from here',
    meaning:
      'The data was not looked at. A server with the same settings cannot reach it either; one on another machine may.',
    remedy:
      'Check that the database server runs, that DATA_DIR or DATABASE_URL is that of the server, and that this user may read the file.',
  },
  refused: {
    found: 'The database refuses these credentials',
    meaning:
      'The data was not looked at. A server that starts with them does not work; a running one may have others.',
    remedy: 'Correct user, password and database in DATABASE_URL, or the rights of the role.',
  },
  damaged: {
    found: 'The file of the database is damaged',
    meaning: 'The site does not work, or does not keep what its members do.',
    remedy: 'Stop the server, keep a copy of the file, and restore a backup (docs/backups.md).',
  },
  unusable: {
    found: 'The database cannot be used',
    meaning: 'The data was not looked at. A server with the same settings does not work.',
    remedy: 'Check that DATA_DIR or DATABASE_URL is that of the server.',
  },
} as const satisfies Record<string, Pick<Finding, 'found' | 'meaning' | 'remedy'>>;
