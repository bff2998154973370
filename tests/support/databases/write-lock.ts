import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Exits, and releases the lock, when its input ends. */
const HOLD = `
  const { DatabaseSync } = require('node:sqlite');
  const database = new DatabaseSync(process.argv[1], { timeout: 5000 });
  database.exec('begin ' + process.argv[2]);
  database.prepare('select count(*) from sqlite_schema').get();
  console.log('held');
  process.stdin.resume().on('end', () => process.exit());
`;

/** Another process that holds the write lock of a SQLite database, or (`deferred`) reads in it, until stopped. */
export async function holdLock(file: string, kind: 'immediate' | 'deferred' = 'immediate') {
  const child = spawn(process.execPath, ['-e', HOLD, file, kind], { stdio: ['pipe', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  return {
    async release(): Promise<void> {
      if (child.exitCode !== null) return;
      child.stdin.end();
      await once(child, 'exit');
    },
  };
}
