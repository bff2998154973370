import { beforeEach, describe, expect, test } from 'vitest';
import { MESSAGE_LENGTH_MAX } from '#contract/artists/messages.ts';
import { createUser } from '#server/features/accounts/users.ts';
import { createRateLimits } from '#server/platform/limits/counting.ts';
import { expectProblems, expectReply } from '#support/http/replies.ts';
import { useFreshApi } from '#support/http/use-api.ts';
import { from } from '#support/members/accounts.ts';
import { type TestApi, TEST_SITE_URL, createTestApi } from '#support/http/api.ts';
import { deleteRows, listRows, ruleDatabases, updateRows } from '#support/databases/databases.ts';
import { XSS_TEXTS, as, changeUser, patchProfile } from '#support/members/profiles.ts';
import { deliverMails } from '#support/processes/smtp.ts';

const TEXT = 'とても良い曲でした。\n\nまた聴きます。';
const HEADERS = [
  'Auto-Submitted',
  'From',
  'To',
  'Subject',
  'Message-ID',
  'Date',
  'MIME-Version',
  'Content-Type',
];
const EVIL_RECIPIENTS = [
  'evil@evil.test',
  'a@b.example,evil@evil.test',
  'a@b.example\r\nBcc: evil@evil.test',
  '•••@…',
];

describe.each(ruleDatabases)('a message on $name', ({ open }) => {
  const { database, api } = useFreshApi(open);
  let serial = 0;
  let artist: string;
  let contact: string;
  let artistId: string;
  let memberId: string;
  let memberEmail: string;

  beforeEach(async () => {
    await deleteRows(database, 'mail_outbox');
    serial += 1;
    artist = `作家 ${serial}番`;
    contact = `contact-${serial}@example.test`;
    memberEmail = `listener-${serial}@example.test`;
    const email = `artist-${serial}@example.test`;
    artistId = await createUser(database, {
      username: artist,
      email,
      message_email: contact,
      is_verified: true,
    });
    memberId = await createUser(database, { username: `聴き手 ${serial}番`, email: memberEmail });
  });

  const send = (body: object, headers: Record<string, string> = {}, to = api) =>
    to.post(
      '/api/messages/send/',
      { artist_username: artist, text: TEXT, recipient_email: '', ...body },
      headers,
    );
  const queued = () => listRows(database, 'mail_outbox');

  test('of a visitor reaches the artist, and says that it cannot be answered', async () => {
    await expectReply(send({ share_email: true }), 200, { detail: 'メッセージを送信しました。' });
    const [delivered] = await deliverMails(api.deps);
    expect(delivered?.to).toEqual([contact]);
    expect(delivered?.mail.lines.map((line) => line.split(':')[0])).toEqual(HEADERS);
    for (const part of [delivered?.mail.text, delivered?.mail.html]) {
      expect(part).toContain('差出人: 訪問者');
      expect(part).toContain(TEXT);
      expect(part).toContain('返信しても、差出人には届きません');
    }
  });

  test('of a member names them, and their address only with their consent', async () => {
    const headers = await as(api, memberId);
    await send({}, headers);
    await send({ share_email: false }, headers);
    const closed = await deliverMails(api.deps);
    expect(closed).toHaveLength(2);
    for (const { mail } of closed) {
      expect(mail.text).toContain(`差出人: 聴き手 ${serial}番 さん（会員）`);
      expect(JSON.stringify(mail)).not.toContain(memberEmail);
      expect(mail.lines.map((line) => line.split(':')[0])).toEqual(HEADERS);
    }
    await send({ share_email: true }, headers);
    const [open] = await deliverMails(api.deps);
    expect(open?.mail.header('Reply-To')).toBe(memberEmail);
    expect(open?.mail.text).toContain(`差出人（${memberEmail}）に届きます`);
  });

  test('of an artist contains their message page', async () => {
    await changeUser(database, memberId, { is_verified: 1, message_email: memberEmail });
    await send({}, await as(api, memberId));
    const [mail] = await queued();
    expect(mail?.text).toContain(`${TEST_SITE_URL}/artist/${encodeURIComponent(`聴き手 ${serial}番`)}`);
    expect(JSON.stringify(mail)).not.toContain(memberEmail);
  });

  test('goes to the address in the profile, whatever the request contains', async () => {
    for (const recipient_email of EVIL_RECIPIENTS) expect((await send({ recipient_email })).status).toBe(200);
    const delivered = await deliverMails(api.deps);
    expect(delivered.map(({ to }) => to)).toEqual(EVIL_RECIPIENTS.map(() => [contact]));
    expect(JSON.stringify(delivered)).not.toContain('evil');
  });

  test('finds an artist by any spelling, and by a former name', async () => {
    expect((await send({ artist_username: ` ${artist.normalize('NFKC').toUpperCase()} ` })).status).toBe(200);
    expect((await patchProfile(api, artistId, { username: `改名 ${serial}番` })).status).toBe(200);
    expect((await send({ artist_username: artist })).status).toBe(200);
    const sent = (await queued()).filter(({ to_address }) => to_address === contact);
    expect(sent).toHaveLength(2);
  });

  test('is not stored after it is sent', async () => {
    await send({ text: 'ひみつの文面' }, await as(api, memberId));
    await deliverMails(api.deps);
    expect(JSON.stringify(await queued())).not.toContain('ひみつ');
    expect(await listRows(database, 'contact_messages')).toEqual([]);
    expect(JSON.stringify(api.logged)).not.toMatch(/ひみつ|contact-|listener-/);
  });

  test.each<[what: string, body: object, status: number, problems: Record<string, string>]>([
    ['no text', { text: '' }, 400, { text: 'メッセージを入力してください。' }],
    ['a blank text', { text: ' \n　\t\u0000' }, 400, { text: 'メッセージを入力してください。' }],
    ['a text that is a list', { text: ['a'] }, 400, { text: 'メッセージを入力してください。' }],
    [
      'a text too long',
      { text: '𠮷'.repeat(MESSAGE_LENGTH_MAX + 1) },
      400,
      { text: 'メッセージは10,000文字以内で入力してください。' },
    ],
    [
      'a yes that is a word',
      { share_email: 'true' },
      400,
      { share_email: 'true か false を指定してください。' },
    ],
    [
      'an endless name',
      { artist_username: 'a'.repeat(151) },
      400,
      { artist_username: '宛先が正しくありません。' },
    ],
    ['nobody', { artist_username: '' }, 404, { detail: '見つかりませんでした。' }],
    ['an unknown artist', { artist_username: 'だれでもない' }, 404, { detail: '見つかりませんでした。' }],
    ['a name with a NUL', { artist_username: '\u0000' }, 404, { detail: '見つかりませんでした。' }],
  ])('with or to %s is refused', async (_what, body, status, problems) => {
    await expectReply(send(body), status, problems);
    expect(await queued()).toEqual([]);
  });

  test('to oneself, a member who is not an artist, or an artist without messages is refused with reason', async () => {
    await changeUser(database, memberId, { message_email: memberEmail });
    expect((await send({ artist_username: `聴き手 ${serial}番` })).status).toBe(404);
    await expectReply(send({}, await as(api, artistId)), 400, {
      artist_username: 'ご自身にメッセージを送ることはできません。',
    });
    await updateRows(database, 'users', { message_email: '' }, { id: artistId });
    await expectProblems(send({ recipient_email: contact }), 400, ['recipient_email']);
    expect(await queued()).toEqual([]);
  });

  test('of the maximum length arrives whole', async () => {
    const text = `${'𠮷'.repeat(MESSAGE_LENGTH_MAX - 2)}\n終`;
    expect((await send({ text })).status).toBe(200);
    expect((await deliverMails(api.deps))[0]?.mail.text).toContain(text);
  });

  test('W1: shows markup as it was written', async () => {
    await send({ text: XSS_TEXTS.join('\n') });
    const { mail } = (await deliverMails(api.deps))[0] ?? {};
    expect(mail?.text).toContain(XSS_TEXTS.join('\n'));
    const body = mail?.html.slice(mail.html.indexOf('<div'), mail.html.indexOf('</div>')) ?? '';
    expect(body).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(body.replace(/^<div style="[^"<>]*">/, '')).not.toMatch(/[<>"']/);
  });

  test('W13: puts nothing of the sender into a header, and does not resemble text of the site', async () => {
    const text = 'Bcc: x@evil.example\r\n\r\n.\r\nMAIL FROM:<x@evil.example>\r\n差出人: 運営\u2028Subject: x';
    await send({ text, artist_username: artist }, await as(api, memberId));
    const delivered = await deliverMails(api.deps);
    expect(delivered).toHaveLength(1);
    const { to, mail } = delivered[0] ?? {};
    expect(to).toEqual([contact]);
    expect(mail?.lines.map((line) => line.split(':')[0])).toEqual(HEADERS);
    expect(mail?.lines.join('\n')).not.toMatch(/evil|Bcc|聴き手/);
    const [ours = ''] = mail?.text.split('----------') ?? [];
    expect(ours).not.toMatch(/evil|運営/);
  });

  describe('is limited', () => {
    let limited: TestApi;
    beforeEach(() => {
      limited = createTestApi(database, { rateLimits: createRateLimits(database) });
    });

    test('for a visitor, to five an hour; refused messages do not count', async () => {
      const address = from(`198.51.100.${serial}`);
      for (let index = 0; index < 6; index += 1) {
        expect((await send({ text: '' }, address, limited)).status).toBe(400);
        expect((await send({ artist_username: 'だれでもない' }, address, limited)).status).toBe(404);
      }
      for (let index = 0; index < 5; index += 1) expect((await send({}, address, limited)).status).toBe(200);
      const refused = await send({}, address, limited);
      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_000);
      expect((await send({}, from('203.0.113.1'), limited)).status).toBe(200);
    });

    test('for a mailbox, across the artists that use it; visitors do not use up the share of members', async () => {
      const second = `別の作家 ${serial}番`;
      const email = `second-${serial}@example.test`;
      await createUser(database, {
        username: second,
        email,
        message_email: contact.toUpperCase(),
        is_verified: true,
      });
      for (let index = 0; index < 20; index += 1) {
        const to = { artist_username: index % 2 === 0 ? artist : second };
        expect((await send(to, from(`192.0.2.${index}`), limited)).status).toBe(200);
      }
      const refused = await send({}, from('192.0.2.99'), limited);
      expect([refused.status, refused.headers.has('retry-after')]).toEqual([429, true]);
      expect((await send({}, await as(limited, memberId), limited)).status).toBe(200);
      expect(await queued()).toHaveLength(21);
    });
  });
});
