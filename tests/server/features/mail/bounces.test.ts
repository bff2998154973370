import { describe, expect, onTestFinished, test } from 'vitest';
import { pino } from 'pino';
import { findBouncedMail, toBounceAddress } from '#server/features/mail/bounce-addresses.ts';
import { recordBounce } from '#server/features/mail/bounces.ts';
import { parseDeliveryStatus } from '#server/features/mail/delivery-status.ts';
import { toMailOrigin } from '#server/features/mail/origin.ts';
import { createOutbox } from '#server/features/mail/outbox.ts';
import { queueMail } from '#server/features/mail/service.ts';
import { listMails } from '#server/features/mail/staff.ts';
import { openMail } from '#server/platform/mail/open.ts';
import { randomId } from '#server/platform/database/statements/random-id.ts';
import { bothDatabases } from '#support/databases/databases.ts';
import { useApi } from '#support/http/use-api.ts';
import { toDsn } from '#support/members/bounces.ts';
import { startSmtp } from '#support/processes/smtp.ts';

const SECRET = new Uint8Array(32).fill(7);
const BOUNCES = 'bounces@site.example';

describe('the address that a mail comes back to', () => {
  test('leads to its mail alone, in any case of letters, and fits into a local part', () => {
    for (let index = 0; index < 100; index += 1) {
      const id = randomId();
      const address = toBounceAddress(BOUNCES, id, SECRET);
      expect(address.split('@')[0]!.length).toBeLessThanOrEqual(64);
      expect(findBouncedMail(address, SECRET)).toBe(id);
      expect(findBouncedMail(address.toUpperCase(), SECRET)).toBe(id);
      expect(findBouncedMail(address, new Uint8Array(32))).toBeUndefined();
      const [ours, other] = [address, toBounceAddress(BOUNCES, randomId(), SECRET)];
      expect(findBouncedMail(`${other.split('.')[0]}.${ours.split('.')[1]}`, SECRET)).toBeUndefined();
    }
  });
});

describe('a delivery status', () => {
  test('is read from its own part', () => {
    expect(parseDeliveryStatus(toDsn('x@site.example'))).toEqual({
      recipients: ['To: x@site.example'],
      action: 'failed',
      status: '5.1.1',
    });
  });

  test.each([
    [
      'the answer of somebody who is away',
      'To: a@b.example\r\nSubject: away\r\n\r\nAction: failed\nStatus: 5.1.1',
    ],
    ['no head', '\n\nContent-Type: message/delivery-status'],
    ['an empty message', ''],
    ['fields without values', 'To: a\n\nContent-Type: message/delivery-status\n\nAction:\nStatus:'],
    [
      'a part that is named in the head alone',
      'Content-Type: message/delivery-status\nAction: failed\nStatus: 5.0.0\n\n',
    ],
  ])('is not in %s', (_, message) => {
    expect(parseDeliveryStatus(Buffer.from(message))).toBeUndefined();
  });

  test('is looked for in a bounded part of a hostile message', () => {
    for (const line of [' \t', '--', 'To: ', 'Status: 5.', 'a', '\n', '\r', '\0']) {
      expect(parseDeliveryStatus(Buffer.from(`To: a\n\n${line.repeat(400_000)}`))).toBeUndefined();
      expect(parseDeliveryStatus(Buffer.from(line.repeat(400_000)))).toBeUndefined();
      expect(parseDeliveryStatus(Buffer.from(`${line}\n`.repeat(200_000)))).toBeUndefined();
    }
  });
});

describe.each(bothDatabases)('a mail that came back on $name', ({ open }) => {
  const { database, api } = useApi(open);

  /** Sends a mail through a mail server, and returns its id and the sender that the server saw. */
  async function send() {
    const smtp = await startSmtp();
    const settings = {
      mailFrom: { name: '', address: 'no-reply@site.example' },
      mailEhlo: '',
      mailBounces: BOUNCES,
    };
    const origin = toMailOrigin(settings, 'https://site.example', SECRET);
    const transport = openMail({ kind: 'smtp', url: `smtp://127.0.0.1:${smtp.port}` }, origin);
    onTestFinished(() => transport.close());
    const id = randomId();
    const mail = { to: 'hana@elsewhere.example', subject: '件名', text: 'secret', html: 'secret' };
    await queueMail(database.db, mail, api.clock.now(), { id });
    const outbox = createOutbox({ database, transport, clock: api.clock, log: pino({ level: 'silent' }) });
    await outbox.sendDue(new AbortController().signal);
    return { id, from: smtp.received[0]?.from ?? '' };
  }
  const record = (message: Buffer, recipient = '') =>
    recordBounce({ database, clock: api.clock }, SECRET, message, recipient);
  const listReturned = () => listMails({ database, clock: api.clock }, 'came-back');

  test('is listed with its code, by the address that the mail server saw', async () => {
    const { id, from } = await send();
    expect(await listReturned()).toEqual([]);
    expect(await record(toDsn(from))).toEqual({ outcome: 'recorded', status: '5.1.1' });
    expect(await listReturned()).toMatchObject([{ id, to: 'h***@elsewhere.example', lastError: '5.1.1' }]);
    expect(JSON.stringify(await listReturned())).not.toContain('secret');
    expect(await record(toDsn(from, { status: '5.2.2' }))).toMatchObject({ outcome: 'unknown' });
    expect(await listReturned()).toMatchObject([{ lastError: '5.1.1' }]);
  });

  test('is recognised by the recipient that the mail server names', async () => {
    const { from } = await send();
    expect(await record(toDsn(BOUNCES), from)).toMatchObject({ outcome: 'recorded' });
  });

  test('cannot be invented, and is not what a server still tries', async () => {
    const { id, from } = await send();
    const forged = toBounceAddress(BOUNCES, id, new Uint8Array(32));
    expect(await record(toDsn(forged))).toMatchObject({ outcome: 'unknown' });
    expect(await record(toDsn(BOUNCES))).toMatchObject({ outcome: 'unknown' });
    expect(await record(toDsn(from, { action: 'delayed', status: '4.4.1' }))).toEqual({ outcome: 'ignored' });
    expect(await listReturned()).toEqual([]);
  });
});
