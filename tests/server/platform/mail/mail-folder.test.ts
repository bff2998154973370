import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as fc from 'fast-check';
import MailComposer from 'nodemailer/lib/mail-composer';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { EmailSchema, isEmail } from '#contract/values/emails.ts';
import { openFolderMail } from '#server/platform/mail/folder.ts';
import { toMessage } from '#server/platform/mail/message.ts';
import { type OutgoingMail, UnsendableMail } from '#server/platform/mail/port.ts';
import { makeFolder } from '#support/files/folders.ts';
import { readMail, readOutbox } from '#support/members/mails.ts';
import { NASTY_ADDRESSES, ODD_ADDRESSES } from '#support/members/nasty-addresses.ts';

const ORIGIN = {
  from: { name: '音市', address: 'no-reply@site.example' },
  siteUrl: 'https://site.example:8443',
};
const LINK = `https://site.example/login?user=u1&token=${'t'.repeat(120)}`;
const MAIL: OutgoingMail = {
  id: 'A1b2C3d4E5f6G7h8',
  queuedAtMs: Date.UTC(2026, 3, 1, 12, 30),
  to: 'taro@example.test',
  replyTo: 'hanako@example.test',
  subject: `【音市】${'メールアドレスの確認'.repeat(8)}`,
  text: `次のリンクを開いてください。\n${LINK}\n.\nFrom here\n`,
  html: `<p>次の<a href="${LINK.replace('&', '&amp;')}">リンク</a>を開いてください。</p>`,
};
const HEADERS = [
  'Auto-Submitted',
  'From',
  'To',
  'Reply-To',
  'Subject',
  'Message-ID',
  'Date',
  'MIME-Version',
  'Content-Type',
];

const compose = (mail: OutgoingMail) => new MailComposer(toMessage(mail, ORIGIN)).compile();
const namesOf = (lines: readonly string[]) => lines.map((line) => line.slice(0, line.indexOf(':')));

describe('a mail in the folder', () => {
  test('contains the given text and HTML', async () => {
    const folder = await makeFolder();
    await openFolderMail(folder, ORIGIN).send(MAIL);
    const [mail] = await readOutbox(folder);
    expect(namesOf(mail!.lines)).toEqual(HEADERS);
    expect(mail!.header('From')).toBe('音市 <no-reply@site.example>');
    expect(mail!.header('To')).toBe(MAIL.to);
    expect(mail!.header('Reply-To')).toBe(MAIL.replyTo);
    expect(mail!.header('Subject')).toBe(MAIL.subject);
    expect(mail!.header('Auto-Submitted')).toBe('auto-generated');
    expect(mail!.header('Message-ID')).toBe(`<${MAIL.id}@site.example>`);
    expect(mail!.header('Date')).toBe('Wed, 01 Apr 2026 12:30:00 +0000');
    expect(mail!.text).toBe(MAIL.text);
    expect(mail!.html).toBe(MAIL.html);
  });

  test('is readable only by its owner, and its name reveals only the time', async () => {
    const folder = join(await makeFolder(), 'outbox');
    const { note } = await openFolderMail(folder, ORIGIN).send(MAIL);
    expect(note).toBe(join(folder, `2026-04-01T12-30-00-000Z-${MAIL.id}.eml`));
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect((await stat(note!)).mode & 0o777).toBe(0o600);
    expect(await readFile(note!, 'utf8')).toContain(`\r\n${LINK}\r\n`);
  });

  test('sent twice is one file with the same bytes', async () => {
    const folder = await makeFolder();
    const transport = openFolderMail(folder, ORIGIN);
    const { note } = await transport.send(MAIL);
    const first = await readFile(note!);
    await transport.send(MAIL);
    expect(await readdir(folder)).toHaveLength(1);
    expect((await readFile(note!)).equals(first)).toBe(true);
  });

  test('replaces a partial file of a crash, which never had the name of a mail', async () => {
    const folder = await makeFolder();
    await writeFile(join(folder, `.2026-04-01T12-30-00-000Z-${MAIL.id}.eml`), 'x'.repeat(100_000));
    await openFolderMail(folder, ORIGIN).send(MAIL);
    expect(await readdir(folder)).toHaveLength(1);
    expect((await readOutbox(folder))[0]!.text).toBe(MAIL.text);
  });

  test('that cannot be renamed leaves nothing behind', async () => {
    const folder = await makeFolder();
    const name = `2026-04-01T12-30-00-000Z-${MAIL.id}.eml`;
    await mkdir(join(folder, name, 'in-the-way'), { recursive: true });
    await expect(openFolderMail(folder, ORIGIN).send(MAIL)).rejects.toThrow(/EISDIR|ENOTEMPTY|EEXIST/);
    expect(await readdir(folder)).toEqual([name]);
  });
});

describe('an address', () => {
  const accepted = [...NASTY_ADDRESSES, ...ODD_ADDRESSES].filter((address) => v.is(EmailSchema, address));
  test.each(accepted)('%j, which the API accepts, is one recipient', async (address) => {
    const message = compose({ ...MAIL, to: v.parse(EmailSchema, address) });
    const { to } = message.getEnvelope();
    expect(to).toHaveLength(1);
    expect((await message.build()).toString()).toContain(to[0]);
  });

  test.each([
    ['foo.@docomo.ne.jp', '"foo."@docomo.ne.jp', '<"foo."@docomo.ne.jp>'],
    ['foo..bar@docomo.ne.jp', '"foo..bar"@docomo.ne.jp', '<"foo..bar"@docomo.ne.jp>'],
    ['test@日本語.jp', 'test@xn--wgv71a119e.jp', 'test@xn--wgv71a119e.jp'],
    ['a!b@example.com', 'a!b@example.com', 'a!b@example.com'],
    ['a@b.example/x', 'a@b.example/x', 'a@b.example/x'],
  ])('%s goes to %s', async (address, recipient, shown) => {
    const message = compose({ ...MAIL, to: address, replyTo: address });
    expect(message.getEnvelope()).toEqual({ from: ORIGIN.from.address, to: [recipient] });
    const { lines } = readMail(await message.build());
    expect(namesOf(lines)).toEqual(HEADERS);
    expect(lines).toContain(`To: ${shown}`);
    expect(lines).toContain(`Reply-To: ${shown}`);
  });

  test('beyond ASCII is omitted as a reply address, which the recipient’s server might refuse', async () => {
    const { lines } = readMail(await compose({ ...MAIL, replyTo: 'あ@b.example' }).build());
    expect(namesOf(lines)).toEqual(HEADERS.filter((name) => name !== 'Reply-To'));
  });

  test('that is accepted is the only one in the envelope, unchanged', async () => {
    const local = fc.stringMatching(/^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]{1,20}$/);
    const host = fc.stringMatching(/^[a-z0-9]{1,10}(-[a-z0-9]{1,5})?\.[a-z]{2,6}$/);
    await fc.assert(
      fc.asyncProperty(local, host, async (name, domain) => {
        const address = `${name}@${domain}`;
        fc.pre(isEmail(address));
        const message = compose({ ...MAIL, to: address, replyTo: address });
        expect(message.getEnvelope()).toEqual({ from: ORIGIN.from.address, to: [address] });
        const { lines } = readMail(await message.build());
        expect(namesOf(lines)).toEqual(HEADERS);
        expect(lines).toContain(`To: ${address}`);
        expect(lines).toContain(`Reply-To: ${address}`);
      }),
      { numRuns: 200 },
    );
  });
});

describe('a subject', () => {
  test.each([
    '\r\nBcc: x@evil.example',
    '\n',
    '\r',
    '\r\n\r\nbody',
    '\u0000',
    '\u0085x',
    '\u2028x',
    '\u2029x',
    '\t',
  ])('with %j in it is refused', (part) => {
    expect(() => toMessage({ ...MAIL, subject: `a${part}b` }, ORIGIN)).toThrow(UnsendableMail);
  });

  test('of any other characters remains one header', async () => {
    const letters = fc.string({ unit: 'grapheme', maxLength: 200 });
    await fc.assert(
      fc.asyncProperty(letters, async (subject) => {
        fc.pre(!/[\p{Cc}\p{Zl}\p{Zp}]/u.test(subject) && subject.trim() !== '');
        const { lines } = readMail(await compose({ ...MAIL, subject }).build());
        expect(namesOf(lines)).toEqual(HEADERS);
      }),
      { numRuns: 200 },
    );
  });
});

test('neither text nor HTML can make the mailer read a file or fetch an address', async () => {
  const mail = { ...MAIL, text: 'file:///etc/passwd', html: '<img src="file:///etc/passwd">' };
  const read = readMail(await compose(mail).build());
  expect([read.text, read.html]).toEqual([mail.text, mail.html]);
});
