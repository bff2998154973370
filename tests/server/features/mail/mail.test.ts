import type { KyselyPlugin } from 'kysely';
import { pino } from 'pino';
import { beforeEach, describe, expect, test } from 'vitest';
import { createOutbox } from '#server/features/mail/outbox.ts';
import { queueMail } from '#server/features/mail/service.ts';
import { maskEmail } from '#server/features/mail/log-fields.ts';
import { createTestClock } from '#server/platform/concurrency/clock.ts';
import { openSmtpMail } from '#server/platform/mail/smtp.ts';
import { type Mail, type MailTransport, UnsendableMail } from '#server/platform/mail/port.ts';
import { useDatabaseOnce } from '#support/databases/use-database.ts';
import { bothDatabases, deleteRows, listRows, openLocated } from '#support/databases/databases.ts';
import { createTestTransport } from '#support/members/mails.ts';
import { refusal, startSmtp } from '#support/processes/smtp.ts';
import { startDoomed } from '#support/processes/doomed.ts';
import { everyTable } from '#server/platform/database/schema.ts';
import type { Handle } from '#server/platform/database/handle.ts';

const CLAIM_AND_HANG = new URL('../../../support/processes/hanging/claim-and-hang.ts', import.meta.url);
const START_MS = Date.UTC(2026, 3, 1);
const SECOND_MS = 1_000;
const HOUR_MS = 3_600 * SECOND_MS;
const DAY_MS = 24 * HOUR_MS;
const LEASE_MS = 180 * SECOND_MS;
const MAIL: Mail = {
  to: 'taro.yamada@example.test',
  replyTo: 'hanako@example.test',
  subject: '確認',
  text: 'https://site.example/login?token=canary-token',
  html: '<a href="https://site.example/login?token=canary-token">確認</a>',
};

describe('maskEmail', () => {
  test('keeps the first letter and the host', () => {
    expect(maskEmail('taro.yamada@example.test')).toBe('t***@example.test');
  });
});

describe.each(bothDatabases)('the outbox on $name', ({ open, locate, rule }) => {
  const database = useDatabaseOnce(open);

  beforeEach(() => deleteRows(database, 'mail_outbox'));

  /** One process: its outbox and its log. */
  function makeProcess(
    transport: MailTransport = createTestTransport(),
    clock = createTestClock(START_MS),
    db = database.db,
  ) {
    const logged: Record<string, unknown>[] = [];
    const log = pino({ level: 'info' }, { write: (line: string) => void logged.push(JSON.parse(line)) });
    const outbox = createOutbox({ database: { ...database, db }, transport, clock, log, random: () => 0.5 });
    return { clock, logged, sendDue: (signal = new AbortController().signal) => outbox.sendDue(signal) };
  }

  const queue = (mail: Partial<Mail> = {}, nowMs = START_MS) =>
    queueMail(database.db, { ...MAIL, ...mail }, nowMs);
  const getRows = () => listRows(database, 'mail_outbox');
  const getRow = async () => (await getRows())[0]!;

  rule('sends a queued mail once, and wipes its text', async () => {
    const transport = createTestTransport();
    const { sendDue, logged } = makeProcess(transport);
    await queue();
    await sendDue();
    await sendDue();
    expect(transport.sent).toMatchObject([MAIL]);
    expect(await getRow()).toMatchObject({
      state: 'sent',
      to_address: MAIL.to,
      subject: MAIL.subject,
      text: '',
      html: '',
      finished_at: START_MS,
    });
    expect(logged).toMatchObject([{ msg: 'mail sent', to: 't***@example.test' }]);
  });

  rule('does not send a mail whose transaction was rolled back', async () => {
    const transport = createTestTransport();
    await expect(
      database.db.transaction().execute(async (transaction: Handle) => {
        await queueMail(transaction, MAIL, START_MS);
        throw new Error('changed my mind');
      }),
    ).rejects.toThrow('changed my mind');
    await makeProcess(transport).sendDue();
    expect(transport.sent).toEqual([]);
    expect(await getRows()).toEqual([]);
  });

  test('sends each mail once when several processes poll concurrently', async () => {
    const transport = createTestTransport(() => new Promise((resolve) => setImmediate(resolve)));
    for (let index = 0; index < 60; index += 1) await queue({ to: `member${index}@example.test` });
    await Promise.all(Array.from({ length: 4 }, () => makeProcess(transport).sendDue()));
    expect(transport.sent).toHaveLength(60);
    expect(new Set(transport.sent.map(({ to }) => to)).size).toBe(60);
    expect(new Set((await getRows()).map(({ state }) => state))).toEqual(new Set(['sent']));
  });

  rule('sends a few at a time', async () => {
    let underWay = 0;
    let most = 0;
    const transport = createTestTransport(async () => {
      most = Math.max(most, (underWay += 1));
      await new Promise((resolve) => setImmediate(resolve));
      underWay -= 1;
    });
    for (let index = 0; index < 20; index += 1) await queue();
    await makeProcess(transport).sendDue();
    expect(transport.sent).toHaveLength(20);
    expect(most).toBe(4);
  });

  rule('W28 sends mails of accounts before others, and confirmations before the rest', async () => {
    const transport = createTestTransport();
    for (let index = 0; index < 300; index += 1) await queue({ to: 'operator@example.test' });
    const later = START_MS + HOUR_MS;
    for (const priority of ['address', 'account'] as const)
      await queueMail(database.db, { ...MAIL, to: `${priority}@example.test` }, later, { priority });
    await makeProcess(transport, createTestClock(later)).sendDue();
    expect(transport.sent).toHaveLength(302);
    // Four are sent at a time.
    const firstTo = transport.sent.slice(0, 4).map(({ to }) => to);
    expect(firstTo).toEqual(expect.arrayContaining(['account@example.test', 'address@example.test']));
  });

  rule('skips a mail that another process has claimed, until its lease expires', async () => {
    const dead = makeProcess({ send: () => new Promise(() => undefined), close: () => Promise.resolve() });
    const transport = createTestTransport();
    const { sendDue, clock } = makeProcess(transport);
    await queue();
    void dead.sendDue();
    await expect.poll(async () => (await getRow()).next_attempt_at).toBe(START_MS + LEASE_MS);
    await sendDue();
    clock.advance(LEASE_MS - 1);
    await sendDue();
    expect(transport.sent).toEqual([]);
    clock.advance(1);
    await sendDue();
    expect(transport.sent).toHaveLength(1);
  });

  rule('ignores the result of a process whose lease has expired', async () => {
    const ends: (() => void)[] = [];
    const slow = {
      send: () => new Promise<never>((_, reject) => ends.push(() => reject(new Error('too late')))),
      close: () => Promise.resolve(),
    };
    const clock = createTestClock(START_MS);
    await queue();
    const first = makeProcess(slow, clock).sendDue();
    await expect.poll(() => ends.length).toBe(1);
    clock.advance(LEASE_MS);
    const second = makeProcess(slow, clock).sendDue();
    await expect.poll(() => ends.length).toBe(2);
    ends[0]!();
    await first;
    expect(await getRow()).toMatchObject({ attempts: 0, next_attempt_at: START_MS + 2 * LEASE_MS });
    ends[1]!();
    await second;
    expect(await getRow()).toMatchObject({ attempts: 1, last_error: 'Error' });
  });

  rule('sends mails that a killed process had claimed', async () => {
    const place = await locate();
    const own = await openLocated(place);
    await queueMail(own.db, MAIL, START_MS);
    const { hear, kill } = startDoomed(CLAIM_AND_HANG, [JSON.stringify(place.location), START_MS]);
    const taken = await hear();
    await kill();
    const transport = createTestTransport();
    const log = pino({ level: 'silent' });
    const clock = createTestClock(START_MS);
    const outbox = createOutbox({ database: own, transport, clock, log });
    await outbox.sendDue(new AbortController().signal);
    expect(transport.sent).toEqual([]);
    clock.advance(LEASE_MS);
    await outbox.sendDue(new AbortController().signal);
    expect(transport.sent).toMatchObject([{ id: taken, ...MAIL }]);
  });

  rule('increases the delay between attempts, up to an hour', async () => {
    const { sendDue, clock, logged } = makeProcess(
      createTestTransport(() => {
        throw Object.assign(new Error(`no ${MAIL.to} ${MAIL.text}`), { code: 'ECONNREFUSED' });
      }),
    );
    await queue();
    const waits: number[] = [];
    for (let attempt = 1; attempt <= 10; attempt += 1) {
      await sendDue();
      const row = await getRow();
      expect(row).toMatchObject({ state: 'waiting', attempts: attempt, last_error: 'ECONNREFUSED' });
      waits.push((row.next_attempt_at - clock.now()) / SECOND_MS);
      clock.advance(row.next_attempt_at - clock.now() - 1);
      await sendDue();
      expect((await getRow()).attempts).toBe(attempt);
      clock.advance(1);
    }
    // With a jitter of 10 %, which is what this process draws.
    const expected = [30, 60, 120, 240, 480, 960, 1_920, 3_600, 3_600, 3_600];
    expect(waits).toEqual(expected.map((seconds) => Math.round(seconds * 1.1)));
    expect(logged).toHaveLength(10);
    expect(logged[0]).toMatchObject({
      level: 40,
      msg: 'mail delivery failed, will retry',
      to: 't***@example.test',
      attempts: 1,
    });
    expect(JSON.stringify(logged)).not.toMatch(/canary|yamada/);
    expect((await getRow()).text).toBe(MAIL.text);
  });

  rule('gives up after a day, logs it, and wipes the text', async () => {
    const { sendDue, clock, logged } = makeProcess(
      createTestTransport(() => {
        throw new Error('down');
      }),
    );
    await queue();
    clock.advance(DAY_MS - 1);
    await sendDue();
    expect(await getRow()).toMatchObject({ state: 'waiting', text: MAIL.text });
    clock.advance(2 * HOUR_MS);
    await sendDue();
    expect(await getRow()).toMatchObject({
      state: 'given-up',
      text: '',
      html: '',
      attempts: 2,
      last_error: 'Error',
      finished_at: clock.now(),
    });
    expect(logged.at(-1)).toMatchObject({
      level: 50,
      msg: 'mail delivery failed permanently',
      to: 't***@example.test',
    });
    clock.advance(DAY_MS);
    await sendDue();
    expect((await getRow()).attempts).toBe(2);
  });

  test('gives up at once on permanent failures, and continues with the rest', async () => {
    const transport = createTestTransport(({ to }) => {
      if (to.startsWith('bad')) throw new UnsendableMail('the address is unknown to its host');
    });
    await queue({ to: 'bad@example.test' });
    await queue({ to: 'good@example.test' });
    await makeProcess(transport).sendDue();
    const rows = await everyTable(database.db)
      .selectFrom('mail_outbox')
      .selectAll()
      .orderBy('to_address')
      .execute();
    expect(rows).toMatchObject([
      { state: 'given-up', last_error: 'the address is unknown to its host', text: '', attempts: 1 },
      { state: 'sent' },
    ]);
  });

  rule.each([
    { subject: 'a\r\nBcc: x@evil.example' },
    { to: 'a@b.example,x@evil.example' },
    { replyTo: 'a@b.example\r\nBcc: x@evil.example' },
  ])('gives up on %j before it connects to a server', async (mail) => {
    const smtp = await startSmtp();
    const origin = { from: { name: '', address: 'a@b.example' }, siteUrl: 'https://b.example' };
    const transport = openSmtpMail(`smtp://127.0.0.1:${smtp.port}`, origin);
    await queue(mail);
    await makeProcess(transport).sendDue();
    await transport.close();
    expect(await getRow()).toMatchObject({ state: 'given-up', text: '' });
    expect(smtp.countConnections()).toBe(0);
  });

  rule('delivers after an outage and a period of refusals', async () => {
    const before = await startSmtp();
    await before.close();
    const origin = { from: { name: '', address: 'a@b.example' }, siteUrl: 'https://b.example' };
    const transport = openSmtpMail(`smtp://127.0.0.1:${before.port}`, origin);
    const { sendDue, clock } = makeProcess(transport);
    await queue();
    await sendDue();
    expect(await getRow()).toMatchObject({ state: 'waiting', attempts: 1 });

    let isRefusing = true;
    const after = await startSmtp(before.port, {
      onRcptTo: (_address, _session, done) => done(isRefusing ? refusal(450) : undefined),
    });
    clock.advance(33 * SECOND_MS);
    await sendDue();
    expect(await getRow()).toMatchObject({ state: 'waiting', attempts: 2 });
    isRefusing = false;
    clock.advance(66 * SECOND_MS);
    await sendDue();
    expect(await getRow()).toMatchObject({ state: 'sent', text: '', last_error: '' });
    expect(after.received.map(({ to }) => to)).toEqual([[MAIL.to]]);
    await transport.close();
  });

  rule('stops claiming mails when told to', async () => {
    const stop = new AbortController();
    const transport = createTestTransport(() => stop.abort());
    for (let index = 0; index < 10; index += 1) await queue();
    await makeProcess(transport).sendDue(stop.signal);
    expect(transport.sent).toHaveLength(4);
    const states = (await getRows()).map(({ state }) => state);
    expect(states.filter((state) => state === 'waiting')).toHaveLength(6);
  });

  rule('does not try again to record an outcome when told to stop', async () => {
    const stop = new AbortController();
    const refused = Object.assign(new Error('the database is away'), { code: 'ECONNREFUSED' });
    let attempts = 0;
    const goAway: KyselyPlugin = {
      transformQuery({ node }) {
        if (!stop.signal.aborted) return node;
        attempts += 1;
        throw refused;
      },
      transformResult: async ({ result }) => result,
    };
    await queue();
    const transport = createTestTransport(() => stop.abort());
    const { sendDue } = makeProcess(transport, undefined, database.db.withPlugin(goAway));
    await expect(sendDue(stop.signal)).rejects.toBe(refused);
    expect(attempts).toBe(1);
  });

  rule('deletes mails a month after they were completed, and no others', async () => {
    const { sendDue, clock } = makeProcess();
    await queue();
    await sendDue();
    clock.advance(20 * DAY_MS);
    await queue({}, clock.now());
    await sendDue();
    clock.advance(10 * DAY_MS);
    await sendDue();
    expect(await getRows()).toHaveLength(2);
    clock.advance(HOUR_MS);
    await queue({}, clock.now() + DAY_MS);
    await sendDue();
    expect((await getRows()).map(({ state }) => state).sort()).toEqual(['sent', 'waiting']);
  });
});
