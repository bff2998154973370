import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '#server/schema/open.ts';
import { createOutbox } from '#server/features/mail/outbox.ts';
import { queueMail } from '#server/features/mail/service.ts';
import { createTestClock } from '#server/platform/concurrency/clock.ts';
import { makeFolder } from '#support/files/folders.ts';
import { startHost } from '#support/http/host.ts';
import { createTestTransport } from '#support/members/mails.ts';
import { holdLock } from '#support/databases/write-lock.ts';
import { everyTable } from '#server/platform/database/schema.ts';

const START_MS = Date.UTC(2026, 3, 1);
const TOKEN = 'canary-token';
const silent = pino({ level: 'silent' });

async function makePlace(writeWaitMs?: number) {
  const file = join(await makeFolder(), 'site.sqlite');
  const database = await openDatabase(
    { kind: 'sqlite', file },
    writeWaitMs === undefined ? {} : { writeWaitMs },
  );
  onTestFinished(() => database.close());
  const clock = createTestClock(START_MS);
  const open = (transport = createTestTransport()) =>
    createOutbox({ database, transport, clock, log: silent });
  return {
    database,
    file,
    clock,
    open,
    sendDue: (outbox = open()) => outbox.sendDue(new AbortController().signal),
    /** Short and long texts: a long one takes its own database pages. */
    async queueMany() {
      for (let index = 0; index < 20; index += 1) {
        const link = `https://site.example/reset-password?token=${TOKEN}-${index}`;
        const text = `${link}\n${'あ'.repeat(index * 700)}\n${link}`;
        await queueMail(
          database.db,
          { to: 'a@example.test', subject: '再設定', text, html: text },
          clock.now(),
        );
      }
    },
  };
}

/** The files of the database that contain the text. */
function findText(file: string, text: string): string[] {
  return ['', '-wal', '-shm'].filter(
    (end) => existsSync(file + end) && readFileSync(file + end).includes(text),
  );
}

test('texts of sent mails are in none of the database’s files', async () => {
  const { file, queueMany, sendDue, database } = await makePlace();
  await queueMany();
  expect(findText(file, TOKEN)).not.toEqual([]);
  expect(database.truncateLog()).toBe(true);
  expect(findText(file, TOKEN)).toEqual(['']);
  await sendDue();
  expect(findText(file, TOKEN)).toEqual([]);
  expect(findText(file, 'a@example.test')).not.toEqual([]);
});

test('while another process reads the log it remains, and is dropped at a later check', async () => {
  const { file, queueMany, sendDue, clock, open } = await makePlace();
  const outbox = open();
  await sendDue(outbox);
  clock.advance(10_000);
  await queueMany();
  const reader = await holdLock(file, 'deferred');
  await sendDue(outbox);
  expect(findText(file, TOKEN)).toContain('-wal');
  await reader.release();
  await sendDue(outbox);
  expect(findText(file, TOKEN)).toEqual([]);
});

test('a mail sent while another process held the lock is recorded as sent, and not sent again', async () => {
  const { file, queueMany, sendDue, open, clock, database } = await makePlace(100);
  await queueMany();
  let lock: Awaited<ReturnType<typeof holdLock>> | undefined;
  const transport = createTestTransport(async () => {
    lock ??= await holdLock(file);
    setTimeout(() => void lock?.release(), 500);
  });
  await sendDue(open(transport));
  await lock?.release();
  clock.advance(3_600_000);
  await sendDue(open(transport));
  expect(transport.sent).toHaveLength(20);
  const states = await everyTable(database.db).selectFrom('mail_outbox').select('state').distinct().execute();
  expect(states).toEqual([{ state: 'sent' }]);
});

test('a server makes its data private to its user', async () => {
  const { dataDir } = await startHost();
  const isOwnersAlone = (path: string) => (statSync(path).mode & 0o077) === 0;
  const names = ['', 'site.sqlite', 'site.sqlite-wal', 'site.sqlite-shm'];
  expect(names.filter((name) => !isOwnersAlone(join(dataDir, name)))).toEqual([]);
});

test('a database that others could read keeps its rows and becomes private', async () => {
  const dataDir = join(await makeFolder(), 'data');
  mkdirSync(dataDir, { mode: 0o755 });
  const file = join(dataDir, 'site.sqlite');
  writeFileSync(file, '');
  chmodSync(file, 0o644);
  const { dataDir: used } = await startHost({ existingDataDir: dataDir });
  expect(used).toBe(dataDir);
  expect([statSync(dataDir).mode & 0o777, statSync(file).mode & 0o777]).toEqual([0o700, 0o600]);
  expect(statSync(`${file}-wal`).mode & 0o777).toBe(0o600);
});
