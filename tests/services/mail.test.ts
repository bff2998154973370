import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openSmtpMail } from '#server/platform/mail/smtp.ts';
import { UnsendableMail } from '#server/platform/mail/port.ts';
import type { MailTransport, OutgoingMail } from '#server/platform/mail/port.ts';
import { readMail } from '#support/members/mails.ts';

const { SMTP_SERVICE = '', SMTP_SERVICE_MAILS = '' } = process.env;
const ORIGIN = { from: { name: '音市', address: 'no-reply@site.example' }, siteUrl: 'https://site.example' };
const MAIL: OutgoingMail = {
  id: 'A1b2C3d4E5f6G7h8',
  queuedAtMs: Date.UTC(2026, 3, 1),
  to: 'taro@example.test',
  subject: '確認のお願い：音市のアカウントの登録を完了するには、次のリンクを開いてください',
  text: 'こんにちは\n.\n..\nさようなら\n',
  html: '<p>こんにちは</p>',
};

function connect(url = SMTP_SERVICE): MailTransport {
  const transport = openSmtpMail(url, ORIGIN);
  onTestFinished(() => transport.close());
  return transport;
}

const listMails = () => readdir(SMTP_SERVICE_MAILS).catch(() => []);

/** `npm run services` starts the server. */
describe.skipIf(SMTP_SERVICE === '')('a real mail server', () => {
  test('gets a mail unchanged, encrypted, after a login', async () => {
    await connect().send(MAIL);
    await expect.poll(listMails, { timeout: 60_000 }).toHaveLength(1);
    const [name = ''] = await listMails();
    // In a folder, lines end as files do.
    const stored = await readFile(join(SMTP_SERVICE_MAILS, name), 'utf8');
    const read = readMail(Buffer.from(stored.replace(/\r?\n/g, '\r\n')));
    expect(read.header('Subject')).toBe(MAIL.subject);
    expect([read.text, read.html]).toEqual([MAIL.text, MAIL.html]);
    const [headers = ''] = stored.split(/\r?\n\r?\n/, 1);
    expect(headers).toMatch(/with esmtpsa/i);
    expect(headers).toMatch(/^[\x20-\x7e\r\n\t]*$/);
  });

  test('that refuses an address ends the mail, and is asked again after a temporary refusal', async () => {
    const transport = connect();
    await expect(transport.send({ ...MAIL, to: 'unknown@example.test' })).rejects.toBeInstanceOf(
      UnsendableMail,
    );
    const later = await transport
      .send({ ...MAIL, to: 'later@example.test' })
      .catch((error: unknown) => error);
    expect(later).not.toBeInstanceOf(UnsendableMail);
    expect(String(later)).toContain('451');
  });

  test('gets nothing with a wrong password, or under a name that its certificate lacks', async () => {
    await expect(connect(SMTP_SERVICE.replace(':testing@', ':wrong@')).send(MAIL)).rejects.toMatchObject({
      code: 'EAUTH',
    });
    await expect(connect(SMTP_SERVICE.replace('127.0.0.1', 'localhost')).send(MAIL)).rejects.toThrow(
      /altnames|does not match/i,
    );
  });
});
