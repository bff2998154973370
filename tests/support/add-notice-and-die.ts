/** A process that is killed after it has stored a notice's file, before the list names it. */
import { systemClock } from '../../server/platform/concurrency/clock.ts';
import type { Database } from '../../server/platform/database/open.ts';
import { addNotice } from '../../server/features/notices/changes.ts';

const [folder = '', path = ''] = process.argv.slice(2);
const die = () => process.kill(process.pid, 'SIGKILL');
const database = { db: { transaction: () => ({ execute: die }) } } as unknown as Database;
await addNotice(
  { database, clock: systemClock, folder },
  'staff',
  { text: '途中', link: '', seconds: 10, from: '', until: '' },
  { file: { filename: 'a.png', sizeBytes: 1, path, read: () => Promise.reject(new Error('not read')) } },
);
