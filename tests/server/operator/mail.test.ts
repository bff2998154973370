import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect } from 'vitest';
import { createUser } from '#server/features/accounts/users.ts';
import { toBounceAddress } from '#server/features/mail/bounce-addresses.ts';
import { openSecret } from '#server/platform/crypto/secrets.ts';
import { parseSettings } from '#server/settings.ts';
import { bothDatabases, insertRow, openLocated } from '#support/databases/databases.ts';
import { makeFolder } from '#support/files/folders.ts';
import { toDsn } from '#support/members/bounces.ts';
import { runCommand } from '#support/processes/operator.ts';

const ENTRY = fileURLToPath(new URL('../../../server/operator.ts', import.meta.url));
const STAFF = 'staff@example.test';

describe.each(bothDatabases)('npm run operator -- mail on $name', ({ locate, rule }) => {
  async function makePlace() {
    const place = await locate();
    const folder = await makeFolder();
    const env = { DATA_DIR: folder, OPERATOR_AS: STAFF, ...place.env };
    const database = await openLocated(place);
    await createUser(database, { username: 'staff', email: STAFF, is_staff: true });
    const secret = openSecret(parseSettings(env), 'sessions');
    return {
      env,
      folder,
      run: (...args: string[]) => runCommand(env, 'mail', ...args),
      toSender: (id: string) => toBounceAddress('mail@bounces.example', id, secret),
      add: (id: string, state: 'waiting' | 'sent') =>
        insertRow(database, 'mail_outbox', {
          id,
          to_address: 'hana@example.test',
          subject: '件名',
          text: 'text',
          html: '',
          state,
          created_at: 1,
          next_attempt_at: 1,
        }),
    };
  }

  rule('records a mail that came back from a file, or as a mail server hands it over', async () => {
    const { env, folder, add, run, toSender } = await makePlace();
    await add('fromfile', 'sent');
    await add('piped', 'sent');
    const file = join(folder, 'returned.eml');
    await writeFile(file, toDsn(toSender('fromfile')));
    expect(await run('bounce', file)).toEqual({ code: 0, out: 'The mail came back: 5.1.1.', err: '' });
    expect((await run('bounce', file)).out).toMatch(/^Nothing to record/);
    // Longer than what is kept: the mail server must not see a closed pipe.
    const input = Buffer.concat([toDsn('mail@bounces.example'), Buffer.alloc(11 * 1024 ** 2, '\n')]);
    const piped = spawnSync(
      process.execPath,
      [ENTRY, 'mail', 'bounce', '-', '--recipient', toSender('piped')],
      {
        env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'], ...env },
        input,
        encoding: 'utf8',
      },
    );
    expect(piped).toMatchObject({ status: 0, stdout: 'The mail came back: 5.1.1.\n' });
    const listed = await run('list', '--state', 'came-back');
    expect(listed.out).toContain('fromfile');
    expect(listed.out).toContain('piped');
    expect(listed.out).not.toContain('hana@');
  });

  rule('takes a waiting mail out of the queue, once', async () => {
    const { add, run } = await makePlace();
    await add('waits', 'waiting');
    expect(await run('drop', 'waits')).toMatchObject({ code: 0, err: '' });
    expect(await run('drop', 'waits')).toMatchObject({ code: 1, out: '' });
    expect((await run('list', '--state', 'given-up')).out).toContain('dropped by staff');
  });
});
