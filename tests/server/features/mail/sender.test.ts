import { setTimeout as wait } from 'node:timers/promises';
import { pino } from 'pino';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Database } from '#server/platform/database/open.ts';
import { startMailSender } from '#server/features/mail/sender.ts';
import { queueMail } from '#server/features/mail/service.ts';
import { systemClock } from '#server/platform/concurrency/clock.ts';
import type { MailTransport } from '#server/platform/mail/port.ts';
import { listRows, openTestDatabase } from '#support/databases/databases.ts';
import { createTestTransport } from '#support/members/mails.ts';
import { everyTable } from '#server/platform/database/schema.ts';

const MAIL = { to: 'taro@example.test', subject: '件名', text: '本文', html: '<p>本文</p>' };
/** An interval so long that only being woken explains a mail. */
const NEVER_MS = 3_600_000;

async function start(transport: MailTransport, times: { pollMs?: number; closeMs?: number } = {}) {
  const database = await openTestDatabase('sqlite');
  const logged: Record<string, unknown>[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void logged.push(JSON.parse(line)) });
  const deps = { database, transport, clock: systemClock, log };
  const sender = startMailSender(deps, { pollMs: NEVER_MS, closeMs: 1_000, ...times });
  let isOpen = true;
  async function close() {
    if (!isOpen) return;
    isOpen = false;
    await sender.close();
    await database.close();
  }
  onTestFinished(close);
  return { database, sender, logged, close };
}

const queue = (database: Database) => queueMail(database.db, MAIL, Date.now());
const getStates = async (database: Database) =>
  (await listRows(database, 'mail_outbox', {}, ['state', 'attempts'])).map(
    ({ state, attempts }) => `${state} ${attempts}`,
  );

describe('the mail sender', () => {
  test('sends when woken', async () => {
    const transport = createTestTransport();
    const { database, sender } = await start(transport);
    await queue(database);
    sender.wake();
    await expect.poll(() => transport.sent.length).toBe(1);
  });

  test('sends without being woken, a little later', async () => {
    const transport = createTestTransport();
    const { database } = await start(transport, { pollMs: 20 });
    await queue(database);
    await expect.poll(() => transport.sent.length).toBe(1);
  });

  test('sends mails that are queued while it is sending', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const transport = createTestTransport(() => promise);
    const { database, sender } = await start(transport);
    await queue(database);
    sender.wake();
    await expect.poll(async () => getStates(database)).toEqual(['waiting 0']);
    await queue(database);
    sender.wake();
    resolve();
    await expect.poll(() => getStates(database)).toEqual(['sent 0', 'sent 0']);
  });

  test('finishes a mail in progress before it closes', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const transport = createTestTransport(() => promise);
    const { database, sender } = await start(transport);
    await queue(database);
    sender.wake();
    await wait(30);
    const closing = sender.close();
    await wait(30);
    expect(transport.isClosed()).toBe(false);
    resolve();
    await closing;
    expect(transport.isClosed()).toBe(true);
    expect(await getStates(database)).toEqual(['sent 0']);
  });

  test('aborts a mail that takes too long, and retries it later', async () => {
    const cut = new AbortController();
    const transport: MailTransport = {
      send: () =>
        new Promise((_, reject) => cut.signal.addEventListener('abort', () => reject(new Error('cut')))),
      close: async () => cut.abort(),
    };
    const { database, sender } = await start(transport, { closeMs: 50 });
    await queue(database);
    sender.wake();
    await wait(30);
    await sender.close();
    expect(await getStates(database)).toEqual(['waiting 1']);
  });

  test('closes even when the transport never returns', async () => {
    const transport: MailTransport = {
      send: () => new Promise(() => undefined),
      close: async () => undefined,
    };
    const { database, sender } = await start(transport, { closeMs: 50 });
    await queue(database);
    sender.wake();
    await wait(30);
    await sender.close();
    expect(await getStates(database)).toEqual(['waiting 0']);
  });

  test('does nothing after it is closed', async () => {
    const transport = createTestTransport();
    const { database, sender } = await start(transport, { pollMs: 10 });
    await sender.close();
    await queue(database);
    sender.wake();
    await wait(50);
    expect(transport.sent).toEqual([]);
  });

  test('logs once that the database is down, and continues when it is back', async () => {
    const transport = createTestTransport();
    const { database, logged } = await start(transport, { pollMs: 10 });
    await everyTable(database.db).schema.alterTable('mail_outbox').renameTo('away').execute();
    await expect.poll(() => logged.length).toBe(1);
    await wait(60);
    expect(logged).toMatchObject([{ level: 50, msg: 'the outbox cannot be read' }]);
    await everyTable(database.db).schema.alterTable('away').renameTo('mail_outbox').execute();
    await queue(database);
    await expect.poll(() => transport.sent.length).toBe(1);
    await expect.poll(() => logged.map(({ msg }) => msg)).toContain('mail outbox is available again');
  });
});
