import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { toFailureReason } from '#server/features/mail/log-fields.ts';
import { openMail } from '#server/platform/mail/open.ts';
import { type SmtpLimits, openSmtpMail } from '#server/platform/mail/smtp.ts';
import { type MailTransport, type OutgoingMail, UnsendableMail } from '#server/platform/mail/port.ts';
import { readMail } from '#support/members/mails.ts';
import { NASTY_ADDRESSES } from '#support/members/nasty-addresses.ts';
import { refusal, startSilence, startSmtp } from '#support/processes/smtp.ts';

const ORIGIN = { from: { name: '', address: 'no-reply@site.example' }, siteUrl: 'http://127.0.0.1:4321' };
const MAIL: OutgoingMail = {
  id: 'A1b2C3d4E5f6G7h8',
  queuedAtMs: Date.UTC(2026, 3, 1),
  to: 'taro@example.test',
  subject: '確認',
  text: 'こんにちは\n.\n..\nさようなら\n',
  html: '<p>こんにちは</p>',
};
/** Longer than a test may take: only the limit that a test sets can end a mail. */
const PATIENT: SmtpLimits = { connectMs: 60_000, greetingMs: 60_000, silenceMs: 60_000, mailMs: 60_000 };

function connect(port: number, limits = PATIENT, login = ''): MailTransport {
  const transport = openSmtpMail(`smtp://${login}127.0.0.1:${port}`, ORIGIN, limits);
  onTestFinished(() => transport.close());
  return transport;
}

async function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => {
      throw new Error('it was sent');
    },
    (error: unknown) => error,
  );
}

describe('over SMTP', () => {
  test('a mail arrives unchanged, for its recipient', async () => {
    const smtp = await startSmtp();
    const transport = openMail({ kind: 'smtp', url: `smtp://127.0.0.1:${smtp.port}` }, ORIGIN);
    onTestFinished(() => transport.close());
    await transport.send({ ...MAIL, replyTo: 'hanako@example.test' });
    const [received] = smtp.received;
    expect(received).toMatchObject({ from: ORIGIN.from.address, to: [MAIL.to] });
    const read = readMail(received!.bytes);
    expect(read.header('Subject')).toBe(MAIL.subject);
    expect(read.header('Reply-To')).toBe('hanako@example.test');
    expect(read.header('Message-ID')).toBe(`<${MAIL.id}@127.0.0.1>`);
    expect(read.header('Auto-Submitted')).toBe('auto-generated');
    expect(read.text).toBe(MAIL.text);
    expect(read.html).toBe(MAIL.html);
  });

  test('the envelope has the address that the mail comes back to, and the greeting the name of this host', async () => {
    const greetings: string[] = [];
    const smtp = await startSmtp(0, {
      onMailFrom(_, { hostNameAppearsAs }, done) {
        greetings.push(hostNameAppearsAs);
        done();
      },
    });
    const url = `smtp://127.0.0.1:${smtp.port}`;
    const origins = [
      { ...ORIGIN, ehlo: 'mail.site.example', toEnvelopeSender: (id: string) => `back+${id}@site.example` },
      { ...ORIGIN, siteUrl: 'https://site.example' },
      ORIGIN,
    ];
    for (const origin of origins) {
      const transport = openMail({ kind: 'smtp', url }, origin);
      onTestFinished(() => transport.close());
      await transport.send(MAIL);
    }
    expect(greetings).toEqual(['mail.site.example', 'site.example', '[127.0.0.1]']);
    expect(smtp.received.map(({ from }) => from)).toEqual([
      `back+${MAIL.id}@site.example`,
      ORIGIN.from.address,
      ORIGIN.from.address,
    ]);
    expect(readMail(smtp.received[0]!.bytes).header('From')).toContain(ORIGIN.from.address);
  });

  test('many mails share a few connections', async () => {
    const smtp = await startSmtp();
    const transport = connect(smtp.port);
    await Promise.all(Array.from({ length: 30 }, (_, index) => transport.send({ ...MAIL, id: `m${index}` })));
    expect(smtp.received).toHaveLength(30);
    expect(smtp.countConnections()).toBeLessThanOrEqual(4);
  });

  test('an invalid address is refused before a connection is opened', async () => {
    const smtp = await startSmtp();
    const transport = connect(smtp.port);
    for (const address of NASTY_ADDRESSES) {
      expect(await failureOf(transport.send({ ...MAIL, to: address }))).toBeInstanceOf(UnsendableMail);
      const replies = transport.send({ ...MAIL, replyTo: address });
      expect(await failureOf(replies)).toBeInstanceOf(UnsendableMail);
    }
    const subject = transport.send({ ...MAIL, subject: 'a\r\nBcc: x@evil.example' });
    expect(await failureOf(subject)).toBeInstanceOf(UnsendableMail);
    await wait(50);
    expect(smtp.countConnections()).toBe(0);
  });

  test.each([
    [550, '5.1.1'],
    [553, '5.6.7'],
    [501, '5.1.3'],
    [501, undefined],
    [553, undefined],
  ])('an address that is refused with %i %s is given up', async (code, enhanced) => {
    const smtp = await startSmtp(0, {
      hideENHANCEDSTATUSCODES: true,
      onRcptTo: (_address, _session, done) => done(refusal(code, enhanced)),
    });
    expect(await failureOf(connect(smtp.port).send(MAIL))).toBeInstanceOf(UnsendableMail);
  });

  test('a sender that is refused with 553 is retried: the settings can be corrected', async () => {
    const smtp = await startSmtp(0, { onMailFrom: (_address, _session, done) => done(refusal(553)) });
    expect(await failureOf(connect(smtp.port).send(MAIL))).not.toBeInstanceOf(UnsendableMail);
  });

  test.each([
    [450, '4.2.1', 'EENVELOPE RCPT TO 450 4.2.1'],
    [451, '4.7.1', 'EENVELOPE RCPT TO 451 4.7.1'],
    [554, '5.7.1', 'EENVELOPE RCPT TO 554 5.7.1'],
  ])('a refusal with %i %s can be tried again', async (code, enhanced, reason) => {
    const smtp = await startSmtp(0, {
      hideENHANCEDSTATUSCODES: true,
      onRcptTo: (_address, _session, done) => done(refusal(code, enhanced)),
    });
    const transport = connect(smtp.port);
    const failure = await failureOf(transport.send(MAIL));
    expect(failure).not.toBeInstanceOf(UnsendableMail);
    expect(toFailureReason(failure)).toBe(reason);
  });

  test('a refusal of the contents can be retried, and its text is not repeated', async () => {
    const smtp = await startSmtp(0, {
      onData(stream, _session, done) {
        stream.resume();
        stream.on('end', () =>
          done(Object.assign(new Error(`refused: ${MAIL.text}`), { responseCode: 554 })),
        );
      },
    });
    const failure = await failureOf(connect(smtp.port).send(MAIL));
    expect(failure).not.toBeInstanceOf(UnsendableMail);
    expect(toFailureReason(failure)).toMatch(/^EMESSAGE DATA 554( [\d.]+)?$/);
  });

  test('a wrong password is reported without the password', async () => {
    const smtp = await startSmtp(0, {
      disabledCommands: ['STARTTLS'],
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: (_auth, _session, done) => done(refusal(535)),
    });
    const transport = connect(smtp.port, PATIENT, 'mailer:canary-password@');
    const reason = toFailureReason(await failureOf(transport.send(MAIL)));
    expect(reason).toMatch(/^EAUTH .*535/);
    expect(reason).not.toMatch(/canary|Y2FuYXJ5/);
  });

  test('credentials in the address are used', async () => {
    const smtp = await startSmtp(0, {
      disabledCommands: ['STARTTLS'],
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: ({ username, password }, _session, done) =>
        username === 'mail@er' && password === 'p:ss/wörd'
          ? done(null, { user: 'mailer' })
          : done(refusal(535)),
    });
    await connect(smtp.port, PATIENT, `mail%40er:${encodeURIComponent('p:ss/wörd')}@`).send(MAIL);
    expect(smtp.received).toHaveLength(1);
  });

  test('a server that is down fails at once, and receives the mail when it is back', async () => {
    const before = await startSmtp();
    const { port } = before;
    const transport = connect(port);
    await transport.send(MAIL);
    await before.close();
    expect(toFailureReason(await failureOf(transport.send(MAIL)))).toMatch(/^ESOCKET ECONNREFUSED/);
    const after = await startSmtp(port);
    await transport.send(MAIL);
    expect(after.received).toHaveLength(1);
  });

  test('a server that never greets times out', async () => {
    const transport = connect(await startSilence(), { ...PATIENT, greetingMs: 200 });
    expect(toFailureReason(await failureOf(transport.send(MAIL)))).toBe('ETIMEDOUT GREETING_TIMEOUT CONN');
  });

  test('a server that stops responding times out', async () => {
    const port = await startSilence((socket) => socket.write('220 hello\r\n'));
    const transport = connect(port, { ...PATIENT, silenceMs: 400 });
    expect(toFailureReason(await failureOf(transport.send(MAIL)))).toMatch(/^ETIMEDOUT SOCKET_TIMEOUT/);
  });

  test('a server that sends slowly is disconnected when a mail takes too long', async () => {
    const port = await startSilence((socket) => {
      socket.write('220 hello\r\n');
      const timer = setInterval(() => socket.write('250-still here\r\n'), 20);
      socket.on('close', () => clearInterval(timer));
    });
    const transport = connect(port, { ...PATIENT, mailMs: 300 });
    expect(toFailureReason(await failureOf(transport.send(MAIL)))).toMatch(/ABORT|Timeout/i);
  });

  test('closing aborts a mail in progress', async () => {
    const transport = connect(await startSilence());
    const sending = failureOf(transport.send(MAIL));
    await wait(50);
    await transport.close();
    expect(await sending).toBeInstanceOf(Error);
    expect(await failureOf(transport.send(MAIL))).toBeInstanceOf(Error);
  });
});
