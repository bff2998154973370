import { compareSchema } from '../../../platform/database/migrations/schema-comparison.ts';
import type { SchemaDifference } from '../../../platform/database/migrations/schema-comparison.ts';
import { MIGRATIONS } from '../../../schema/migrations.ts';
import { Tally, countOf, diagnose } from '../check.ts';
import type { Check, Diagnosis } from '../check.ts';

/** PostgreSQL's insufficient_privilege. */
const NOT_PERMITTED = '42501';
/** What a short statement creates again. */
const SHOWN = /^(?:index|trigger|constraint|rule) /;
const SHOWN_MAX = 1_000;

/** Whether the database still has every table, column, index, constraint and trigger that the migrations have made. */
export const schema: Check = {
  name: 'schema',
  priority: 'critical',
  stage: 'rows',
  // PostgreSQL makes some hundred tables and indexes for it, which it then forgets.
  consoleText: null,
  async run(site) {
    const tallies = { missing: new Tally(), changed: new Tally(), unexpected: new Tally() };
    try {
      const differences = await compareSchema(await site.openDatabase(), site.settings.database, MIGRATIONS);
      for (const difference of differences) tallies[difference.kind].add(toExample(difference));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== NOT_PERMITTED) throw error;
      return [NO_COMPARISON];
    }
    return Object.entries(tallies).flatMap(([kind, tally]) =>
      tally.diagnose({ ...TEXTS[kind as SchemaDifference['kind']], kind }),
    );
  },
};

function toExample({ part, definition }: SchemaDifference): string {
  return SHOWN.test(part) ? `${part}: ${definition.slice(0, SHOWN_MAX)}` : part;
}

const TEXTS: Record<SchemaDifference['kind'], Omit<Diagnosis, 'kind'>> = {
  missing: {
    found: (count) => `${countOf(count, 'part')} of the schema is missing.`,
    meaning:
      'Without a table or column, calls fail. Without an index, the site is slow, or accepts twice what is unique. Without a trigger or constraint, the ledger and its record accept wrong rows.',
    remedy:
      'Stop the server and make a backup. Create what is missing by the statement above, then run the doctor again: rows may have become wrong meanwhile. Restore lost tables and columns from a backup.',
  },
  changed: {
    found: (count) => `${countOf(count, 'part')} of the schema is not as the migrations made it.`,
    meaning:
      'Someone has changed the database by another program. It may accept wrong rows, or refuse right ones.',
    remedy: 'Stop the server, make a backup, and change it back to the definition above.',
  },
  unexpected: {
    found: (count) => `The schema has ${countOf(count, 'rule')} that no migration has made.`,
    meaning:
      'A trigger, constraint, rule or unique index of another program may change or refuse rows of the site.',
    remedy: 'Drop it, unless you know what it is for.',
  },
};

const NO_COMPARISON = diagnose({
  kind: 'not-permitted',
  found: 'The schema could not be compared: the role of DATABASE_URL may not create schemas.',
  meaning: 'It is unknown whether indexes, triggers and constraints are in order.',
  remedy:
    'GRANT CREATE ON DATABASE … TO the role. The doctor makes the tables in a schema of their own, in a transaction that it undoes.',
});
