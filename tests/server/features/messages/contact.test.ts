import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { CONTACT_LENGTH_MAX, CONTACT_NAME_LENGTH_MAX } from '#contract/site/contact.ts';
import { CONTACT_OF_VISITORS } from '#server/features/messages/limits.ts';
import { createMemoryRateLimits } from '#server/platform/limits/counting.ts';
import { expectReply } from '#support/http/replies.ts';
import { type TestApi, createTestApi } from '#support/http/api.ts';
import { useApiOnce } from '#support/http/use-api.ts';
import { from } from '#support/members/accounts.ts';
import { fillCatalogue } from '#support/sounds/catalogue.ts';
import { deleteRows, listRows, ruleDatabases } from '#support/databases/databases.ts';
import { deliverMails } from '#support/processes/smtp.ts';
import { everyTable } from '#server/platform/database/schema.ts';

const MESSAGE = {
  name: '山田 花子',
  email: 'hanako@example.test',
  message: 'ダウンロードできません。\n\n教えてください。',
};
const OPERATOR = 'operator@example.test';

describe.each(ruleDatabases)('the contact call on $name', ({ open }) => {
  const { database, api } = useApiOnce(open);

  beforeAll(async () => {
    await fillCatalogue(database, [{ key: 'a', title: '朝' }]);
  });
  beforeEach(async () => {
    await deleteRows(database, 'mail_outbox');
    await deleteRows(database, 'contact_messages');
  });

  const send = (body: object, headers: Record<string, string> = {}, to = api) =>
    to.post('/api/contact/', body, headers);
  const getMessages = () => listRows(database, 'contact_messages');
  const getMails = () => listRows(database, 'mail_outbox');

  test('stores a message and mails it to the operator, who can answer', async () => {
    await expectReply(send(MESSAGE), 200, { detail: 'お問い合わせを受け付けました。' });
    const [kept] = await getMessages();
    expect(kept).toMatchObject({ ...MESSAGE, user_id: null, created_at: api.clock.now() });
    const [delivered] = await deliverMails(api.deps);
    expect(delivered!.to).toEqual([OPERATOR]);
    const { mail } = delivered!;
    expect(mail.header('Reply-To')).toBe(MESSAGE.email);
    expect(mail.header('Subject')).toBe('【Otoichi】お問い合わせ');
    for (const part of [mail.text, mail.html]) {
      expect(part).toContain('お名前: 山田 花子');
      expect(part).toContain(MESSAGE.message);
      expect(part).toContain('会員: ログインしていない訪問者');
      expect(part).toContain(kept!.id);
    }
  });

  test('accepts a non-ASCII address, and asks the operator to enter it by hand to answer', async () => {
    expect((await send({ ...MESSAGE, email: 'はな@日本語.example' })).status).toBe(200);
    const [delivered] = await deliverMails(api.deps);
    expect(delivered!.to).toEqual([OPERATOR]);
    const { mail } = delivered!;
    expect(() => mail.header('Reply-To')).toThrow();
    expect(mail.text).toContain('メールアドレス: はな@日本語.example');
    expect(mail.text).toContain('送信者のメールアドレスを宛先に入力');
  });

  test('records which member has written', async () => {
    const user = await everyTable(database.db)
      .selectFrom('users')
      .select(['id', 'username'])
      .executeTakeFirstOrThrow();
    const token = await api.logIn(user.id);
    expect((await send(MESSAGE, { authorization: `Bearer ${token}` })).status).toBe(200);
    expect(await getMessages()).toMatchObject([{ user_id: user.id }]);
    expect((await getMails())[0]!.text).toContain(`会員: ${user.username}`);
  });

  test('stores nothing when the mail cannot be queued', async () => {
    await everyTable(database.db).schema.alterTable('mail_outbox').renameTo('away').execute();
    const { status } = await send(MESSAGE);
    await everyTable(database.db).schema.alterTable('away').renameTo('mail_outbox').execute();
    expect(status).toBe(500);
    expect(await getMessages()).toEqual([]);
  });

  test.each<[what: string, change: object, wrong: Record<string, string>]>([
    ['no name', { name: undefined }, { name: 'お名前を入力してください。' }],
    ['a blank name', { name: ' 　' }, { name: 'お名前を入力してください。' }],
    ['a name that is a list', { name: ['a'] }, { name: 'お名前を入力してください。' }],
    [
      'a long name',
      { name: 'あ'.repeat(CONTACT_NAME_LENGTH_MAX + 1) },
      { name: 'お名前は100文字以内で入力してください。' },
    ],
    ['a name of nothing to see', { name: '\u3164\u200b' }, { name: 'お名前を入力してください。' }],
    ['no address', { email: '' }, { email: 'メールアドレスを入力してください。' }],
    ['half an address', { email: 'hanako@example' }, { email: 'メールアドレスの形式が正しくありません。' }],
    [
      'an address of two lines',
      { email: 'a@b.example\r\nBcc: x@evil.example' },
      { email: 'メールアドレスの形式が正しくありません。' },
    ],
    [
      'two addresses',
      { email: 'a@b.example,x@evil.example' },
      { email: 'メールアドレスの形式が正しくありません。' },
    ],
    [
      'an address that is an object',
      { email: { address: 'a@b.example' } },
      { email: 'メールアドレスの形式が正しくありません。' },
    ],
    ['no message', { message: '' }, { message: 'お問い合わせの内容を入力してください。' }],
    [
      'a message of nothing to see',
      { message: '\u0000 \n\u0007' },
      { message: 'お問い合わせの内容を入力してください。' },
    ],
    ['a message that is a number', { message: 5 }, { message: 'お問い合わせの内容を入力してください。' }],
    [
      'a message too long',
      { message: '𠮷'.repeat(CONTACT_LENGTH_MAX + 1) },
      { message: 'お問い合わせは10,000文字以内で入力してください。' },
    ],
    [
      'nothing at all',
      { name: '', email: '', message: '' },
      {
        name: 'お名前を入力してください。',
        email: 'メールアドレスを入力してください。',
        message: 'お問い合わせの内容を入力してください。',
      },
    ],
  ])('refuses %s, naming the field', async (_what, change, wrong) => {
    await expectReply(send({ ...MESSAGE, ...change }), 400, wrong);
    expect(await getMessages()).toEqual([]);
    expect(await getMails()).toEqual([]);
  });

  test('accepts the stated number of characters of any width, and delivers all of them', async () => {
    const message = `${'𠮷'.repeat(CONTACT_LENGTH_MAX - 2)}\n終`;
    expect((await send({ ...MESSAGE, message })).status).toBe(200);
    expect((await getMessages())[0]!.message).toBe(message);
    const [delivered] = await deliverMails(api.deps);
    expect(delivered!.mail.text).toContain(message);
  });

  test('removes characters that a database or a mail cannot hold', async () => {
    await send({ ...MESSAGE, message: 'a\u0000b\u001b[31m\r\nc\rd\te\u0085\ud800' });
    const [kept] = await getMessages();
    expect(kept!.message).toMatch(/^ab\[31m\nc\nd\te/);
    expect(kept!.message).not.toMatch(/[\0\r\u001b\u0085]/);
    expect(await deliverMails(api.deps)).toHaveLength(1);
  });

  test('shows markup as it was written', async () => {
    const markup = `<script>alert("1")</script><img src=x onerror='a'>&amp;</div></body>`;
    await send({ ...MESSAGE, name: `<b>"花"</b>`, message: markup });
    const { mail } = (await deliverMails(api.deps))[0]!;
    expect(mail.text).toContain(markup);
    expect(mail.html).toContain(
      '&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&lt;img src=x onerror=&#39;a&#39;&gt;&amp;amp;&lt;/div&gt;&lt;/body&gt;',
    );
    expect(mail.html).toContain('お名前: &lt;b&gt;&quot;花&quot;&lt;/b&gt;');
    expect(mail.html).not.toMatch(/<script|<img|<b>/);
  });

  test('puts nothing of the sender into a header except the address', async () => {
    const name = 'Bcc: x@evil.example\u2028会員: operator =?UTF-8?B?Qg==?=';
    await send({ ...MESSAGE, name, message: 'Bcc: x@evil.example\r\n\r\n.\r\nMAIL FROM:<x@evil.example>' });
    const delivered = await deliverMails(api.deps);
    expect(delivered).toHaveLength(1);
    const { to, mail } = delivered[0]!;
    expect(to).toEqual([OPERATOR]);
    expect(mail.lines.map((line) => line.split(':')[0])).toEqual([
      'Auto-Submitted',
      'From',
      'To',
      'Reply-To',
      'Subject',
      'Message-ID',
      'Date',
      'MIME-Version',
      'Content-Type',
    ]);
    expect(mail.lines.join('\n')).not.toMatch(/evil|Bcc/);
    expect(mail.text.match(/^会員: .*/gm)).toEqual(['会員: ログインしていない訪問者']);
  });

  describe('when many come', () => {
    const createLimited = () => createTestApi(database, { rateLimits: createMemoryRateLimits() });
    /** A message from a provider of its own. */
    const sendFrom = (index: number, to: TestApi, more: Record<string, string> = {}) =>
      send({ ...MESSAGE, name: `${index}人目` }, { ...from(`${index + 1}.0.0.1`), ...more }, to);
    const runDigest = async (on: TestApi) =>
      on.scheduledJobs.find(({ name }) => name === 'messages for the operator')!.run();

    test('W17 mails ten of an hour one by one, and the others together, each once', async () => {
      const limited = createLimited();
      for (let index = 0; index < 35; index += 1) expect((await sendFrom(index, limited)).status).toBe(200);
      expect(await getMessages()).toHaveLength(35);
      expect(await getMails()).toHaveLength(10);
      await Promise.all([runDigest(limited), runDigest(limited)]);
      await runDigest(limited);
      const mails = await getMails();
      expect(mails).toHaveLength(12);
      const delivered = (await deliverMails(limited.deps)).map(({ mail }) => mail);
      for (let index = 0; index < 35; index += 1) {
        const naming = delivered.filter(({ text }) => text.includes(`お名前: ${index}人目\n`));
        expect([index, naming.length]).toEqual([index, 1]);
        expect(naming[0]!.html).toContain(`お名前: ${index}人目<br>`);
        expect(naming[0]!.text).toContain(MESSAGE.message);
        expect(naming[0]!.text).toContain(MESSAGE.email);
      }
    });

    test('W17 refuses visitors beyond the day’s room of the site, and still takes those of members', async () => {
      const limited = createLimited();
      for (let index = 0; index < CONTACT_OF_VISITORS.points; index += 1)
        await limited.deps.rateLimits.take(CONTACT_OF_VISITORS, '');
      const refused = await sendFrom(1, limited);
      await expectReply(refused, 429, {
        detail:
          'お問い合わせがとても多いため、いまは受け付けられません。約24時間後にもう一度お試しください。',
      });
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(80_000);
      expect(await getMessages()).toEqual([]);
      const user = await everyTable(database.db).selectFrom('users').select('id').executeTakeFirstOrThrow();
      const authorization = `Bearer ${await limited.logIn(user.id)}`;
      expect((await sendFrom(1, limited, { authorization })).status).toBe(200);
    });

    test('W17 takes 30 messages of a network a day', async () => {
      const limited = createLimited();
      const statuses: number[] = [];
      for (let index = 0; index < 60; index += 1) {
        const address = `2001:db8:7:${index.toString(16)}::1`;
        statuses.push((await send(MESSAGE, from(address), limited)).status);
      }
      expect(statuses.filter((status) => status === 200)).toHaveLength(30);
      expect((await send(MESSAGE, from('2001:db8:8::1'), limited)).status).toBe(200);
    });
  });

  test('does not log senders', async () => {
    await send(MESSAGE);
    await send({ ...MESSAGE, email: 'wrong' });
    expect(JSON.stringify(api.logged)).not.toMatch(/hanako|花子|教えて/);
  });
});
