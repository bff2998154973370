import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { createUser } from '#server/features/accounts/users.ts';
import { toHelp } from '#server/operator/command-line.ts';
import { parseSettings } from '#server/settings.ts';
import {
  addMigration,
  bothDatabases,
  locateEmptyDatabase,
  openLocated,
} from '#support/databases/databases.ts';
import { makeFolder } from '#support/files/folders.ts';
import { runCommand } from '#support/processes/operator.ts';
import { holdLock } from '#support/databases/write-lock.ts';

const MEMBER = 'member@example.test';
const STAFF = 'staff@example.test';

async function makePlace(locateEmpty: (typeof bothDatabases)[number]['locateEmpty']) {
  const place = await locateEmpty();
  const env = { DATA_DIR: await makeFolder(), OPERATOR_AS: STAFF, ...place.env };
  const settings = parseSettings(env);
  const database = await openLocated(place);
  const run = async (...args: string[]) => {
    const { code, out, err } = await runCommand(env, ...args);
    return { code, said: out + err };
  };
  return { database, settings, run };
}

const COMMANDS = [
  ['members', 'show', MEMBER],
  ['members', 'block', MEMBER],
  ['ledger', 'verify'],
];

describe.each(bothDatabases)('the operator’s commands on $name', ({ locateEmpty }) => {
  test('do not migrate a database of an older version, and report what to do', async () => {
    const { run } = await makePlace(locateEmpty);
    addMigration({ name: '9999-later', up: () => Promise.reject(new Error('was applied')) });
    for (const command of COMMANDS) {
      const { code, said } = await run(...command);
      expect({ code, said }).toEqual({ code: 1, said: expect.stringContaining('it lacks 9999-later') });
      expect(said).toContain('npm start');
    }
  });

  test('refuse a database of a newer version', async () => {
    const { database, run } = await makePlace(locateEmpty);
    await sql`insert into migrations (name, applied_at) values ('9999-future@99.0.0', 0)`.execute(
      database.db,
    );
    for (const command of COMMANDS) {
      const { code, said } = await run(...command);
      expect({ code, said }).toEqual({ code: 1, said: expect.stringMatching(/newer .*9999-future/) });
    }
  });
});

test('reading commands work while another process writes, and a writing one is refused in time', async () => {
  const { database, settings, run } = await makePlace(() => locateEmptyDatabase('sqlite'));
  await createUser(database, { username: 'member', email: MEMBER });
  await createUser(database, { username: 'staff', email: STAFF, is_staff: true });
  if (settings.database.kind !== 'sqlite') throw new Error('not SQLite');
  const lock = await holdLock(settings.database.file);
  expect(await run('members', 'show', MEMBER)).toMatchObject({ code: 0 });
  expect(await run('ledger', 'verify')).toEqual({ code: 0, said: 'The ledger is consistent.' });
  // Every list command of the help, and every detail command without an id.
  const lists = [...toHelp().matchAll(/^ {2}(\S+) (list|show)(?=$| \[)/gm)];
  expect(lists.length).toBeGreaterThan(9);
  for (const [, noun = '', verb = ''] of lists)
    expect(await run(noun, verb), `${noun} ${verb}`).toMatchObject({ code: 0 });
  const refused = await run('members', 'block', MEMBER);
  expect(refused).toEqual({
    code: 1,
    said: expect.stringContaining('another process has locked the database'),
  });
  await lock.release();
  expect(await run('members', 'block', MEMBER)).toMatchObject({ code: 0 });
});
