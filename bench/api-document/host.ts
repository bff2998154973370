import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { hashPassword } from '../../server/platform/crypto/passwords.ts';
import { openLog } from '../../server/platform/log.ts';
import { startServer } from '../../server/main.ts';
import { parseSettings } from '../../server/settings.ts';
import { DEFAULT_ARTIST, fillCatalogue } from '../../tests/support/sounds/catalogue.ts';
import { everyTable } from '../../server/platform/database/schema.ts';

const PASSWORD = 'correct horse battery';

/** A host with one sound of a member who can log in; `env` are settings. */
export async function openExampleHost(dataDir: string, env: Readonly<Record<string, string>> = {}) {
  const distDir = join(dataDir, 'dist');
  await mkdir(join(distDir, 'client'), { recursive: true });
  const settings = parseSettings({ ...env, PORT: '0', DATA_DIR: dataDir });
  const render = async () => new Response('');
  const { url, host, close } = await startServer(settings, { distDir, render, output: openLog('silent') });
  if (host.data === null) throw new Error('the host has no data');
  const { database } = host.data;
  const { artistIds } = await fillCatalogue(database, [{ key: 'rain', title: '雨の音' }]);
  const member = await everyTable(database.db)
    .updateTable('users')
    .set({ password_hash: await hashPassword(PASSWORD) })
    .where('id', '=', artistIds.get(DEFAULT_ARTIST) ?? '')
    .returning('email')
    .executeTakeFirstOrThrow();
  return { url, close, database, email: member.email, password: PASSWORD };
}
