// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '#contract/errors.ts';
import { sendMessage } from '#contract/messages.ts';
import { callApi, holdCall, showToast, useStores } from '../../support/stores.ts';

vi.mock('#src/api/browser.ts', () => ({ callApi }));
vi.mock('#src/stores/overlays/overlays.ts', () => ({ showToast }));

import { canSend, countCharacters, createMessage } from '#src/stores/messages/messages.ts';
import { rememberUser } from '#src/stores/session/session.ts';

const ARTIST = { username: '音の人', email: 'o•••@example.test' };
const FAILURE = '送信に失敗しました。時間をおいて再度お試しください。';
const bodies = () => callApi.mock.calls.map(([, { body }]) => body);
const plain = { isEmailShared: false };

function open(recipient = ARTIST) {
  const message = createMessage(recipient);
  message.open();
  return message;
}

/** Opened, written, and being sent. */
function sendAndWait() {
  const { answer, refuse } = holdCall();
  const message = open();
  message.write('素敵な曲でした');
  return { message, sending: message.send(plain), answer, refuse };
}

useStores({ member: null, isExtended: true });
beforeEach(() => void callApi.mockResolvedValue({}));

describe('a message', () => {
  it('is sent as written, trimmed, to the recipient named by the profile', async () => {
    const { $message, write, send } = open();
    write('\n素敵な曲でした。\nありがとう。  ');
    await send(plain);
    expect(callApi.mock.calls).toEqual([
      [
        sendMessage,
        {
          body: {
            artist_username: '音の人',
            text: '素敵な曲でした。\nありがとう。',
            recipient_email: ARTIST.email,
          },
        },
      ],
    ]);
    expect($message.get()).toEqual({ state: 'sent', text: '', problems: [] });
    expect(showToast).not.toHaveBeenCalled();
  });

  it.each(['', '   ', '　\n\t', 'あ'.repeat(10_001), '👩‍🎤'.repeat(3_334)])(
    'is not sent when it is empty or too long (%#)',
    async (text) => {
      const { $message, write, send } = open();
      write(text);
      expect(canSend(text)).toBe(false);
      await send(plain);
      expect(callApi).not.toHaveBeenCalled();
      expect($message.get()).toMatchObject({ state: 'editing', text });
    },
  );

  it('may have 10,000 characters, with a surrogate pair counted once', async () => {
    const text = '🎵'.repeat(10_000);
    expect([countCharacters(text), canSend(text)]).toEqual([10_000, true]);
    const { write, send } = open();
    write(text);
    await send(plain);
    expect(bodies()).toMatchObject([{ text }]);
  });

  it('reports invisible characters', async () => {
    const { $message, write, send } = open();
    write('\u0007\u0000');
    await send(plain);
    expect(callApi).not.toHaveBeenCalled();
    expect($message.get()).toMatchObject({
      state: 'editing',
      problems: ['メッセージを入力してください。'],
    });
  });

  it('is sent once, however often send is pressed, and cannot be changed during sending', async () => {
    const { message, sending, answer } = sendAndWait();
    await message.send(plain);
    message.write('別の文');
    expect(message.$message.get()).toMatchObject({ state: 'sending', text: '素敵な曲でした' });
    answer();
    await sending;
    await message.send(plain);
    expect(callApi).toHaveBeenCalledOnce();
  });

  it('shows the text of a refusal, and keeps the message', async () => {
    callApi.mockRejectedValueOnce(new ApiError(429, [{ key: 'detail', message: '1時間後に。' }]));
    const { $message, write, send } = open();
    write('こんにちは');
    await send(plain);
    expect($message.get()).toEqual({ state: 'editing', text: 'こんにちは', problems: ['1時間後に。'] });
    write('こんにちは！');
    expect($message.get().problems).toEqual([]);
    await send(plain);
    expect($message.get().state).toBe('sent');
  });

  it.each([new ApiError(0, [{ key: 'detail', message: 'x' }]), new ApiError(503, []), new TypeError('x')])(
    'shows the specification’s sentence for an error without text (%s)',
    async (error) => {
      callApi.mockRejectedValueOnce(error);
      const { $message, write, send } = open();
      write('こんにちは');
      await send(plain);
      expect($message.get().problems).toEqual([FAILURE]);
    },
  );
});

describe('the sender’s address', () => {
  const user = { id: 'u', username: '聴く人', email: 'me@example.test', profile_picture: null };

  it.each([
    ['a member who agrees', true, true, { share_email: true }],
    ['a member who does not', true, false, {}],
    ['a visitor', false, true, {}],
  ])('is shared only by a member who agrees: %s', async (_, isMember, isEmailShared, told) => {
    if (isMember) rememberUser(user);
    const { write, send } = open();
    write('こんにちは');
    await send({ isEmailShared });
    expect(bodies()).toEqual([
      { artist_username: '音の人', text: 'こんにちは', recipient_email: ARTIST.email, ...told },
    ]);
  });
});

describe('the text', () => {
  it('survives the dialog and the page, for this artist only', () => {
    const message = open();
    message.write('書きかけ');
    message.close();
    expect(message.$message.get().state).toBe('closed');
    message.open();
    expect(message.$message.get()).toMatchObject({ state: 'editing', text: '書きかけ' });
    expect(open().$message.get().text).toBe('書きかけ');
    expect(open({ ...ARTIST, username: '別の人' }).$message.get().text).toBe('');
  });

  it('survives a failure and the page, and is cleared on success', async () => {
    callApi.mockRejectedValueOnce(new ApiError(500, []));
    const message = open();
    message.write('書きかけ');
    await message.send(plain);
    expect(open().$message.get().text).toBe('書きかけ');
    await message.send(plain);
    expect(open().$message.get().text).toBe('');
    expect(sessionStorage).toHaveLength(0);
    message.close();
    message.open();
    expect(message.$message.get()).toEqual({ state: 'editing', text: '', problems: [] });
  });

  it('cannot be changed while the dialog is closed', () => {
    const message = createMessage(ARTIST);
    message.write('x');
    expect(message.$message.get().text).toBe('');
    expect(sessionStorage).toHaveLength(0);
  });
});

describe('a dialog that was closed while it was being sent', () => {
  it('still shows that it is being sent when it is reopened, and does not send twice', async () => {
    const { message, sending, answer } = sendAndWait();
    message.close();
    message.open();
    expect(message.$message.get().state).toBe('sending');
    await message.send(plain);
    answer();
    await sending;
    expect(message.$message.get().state).toBe('sent');
    expect(callApi).toHaveBeenCalledOnce();
    expect(showToast).not.toHaveBeenCalled();
  });

  it('reports success by a toast, and is empty when it is reopened', async () => {
    const { message, sending, answer } = sendAndWait();
    message.close();
    answer();
    await sending;
    expect(showToast.mock.calls).toEqual([['success', 'メッセージを送信しました。']]);
    message.open();
    expect(message.$message.get()).toEqual({ state: 'editing', text: '', problems: [] });
  });

  it('reports failure by a toast, and has text and reason when it is reopened', async () => {
    const { message, sending, refuse } = sendAndWait();
    message.close();
    refuse(new ApiError(503, []));
    await sending;
    expect(showToast.mock.calls).toEqual([['error', FAILURE]]);
    message.open();
    expect(message.$message.get()).toEqual({
      state: 'editing',
      text: '素敵な曲でした',
      problems: [FAILURE],
    });
  });
});
