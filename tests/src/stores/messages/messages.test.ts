// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '#contract/calls/errors.ts';
import { sendMessage } from '#contract/artists/messages.ts';
import { callApi, holdCall, showToast, useStores } from '../../support/stores.ts';

vi.mock('#src/api/browser.ts', () => ({ callApi }));
vi.mock('#src/stores/overlays/overlays.ts', () => ({ showToast }));

import { createMessage } from '#src/stores/messages/messages.ts';
import { rememberUser } from '#src/stores/session/session.ts';

const ARTIST = { username: '音の人', email: 'o•••@example.test' };
const FAILURE = '送信に失敗しました。時間をおいて再度お試しください。';
const bodies = () => callApi.mock.calls.map(([, { body }]) => body);

function open(recipient = ARTIST) {
  const message = createMessage(recipient);
  const close = message.open();
  const { $form, $values, $isValid } = message.form;
  /** Types a text and presses the button. */
  const send = (text: string, isEmailShared = false) => {
    write(text);
    return message.form.submit({ text, share_email: isEmailShared });
  };
  const write = (text: string) => {
    message.form.touch('text');
    message.form.setValues({ text });
    message.form.keep({ text });
  };
  return { ...message, $form, $values, $isValid, close, send, write };
}

/** Opened, written, and being sent. */
function sendAndWait() {
  const { answer, refuse } = holdCall();
  const message = open();
  return { message, sending: message.send('素敵な曲でした'), answer, refuse };
}

useStores({ member: null, isExtended: true });
beforeEach(() => void callApi.mockResolvedValue({}));

describe('a message', () => {
  it('is sent as written, trimmed, to the recipient named by the profile', async () => {
    const { $form, send } = open();
    await send('\n素敵な曲でした。\nありがとう。  ');
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
    expect($form.get()).toMatchObject({ state: 'done' });
    expect(showToast).not.toHaveBeenCalled();
  });

  it.each(['', '   ', '　\n\t', '\u0007\u0000', 'あ'.repeat(10_001), '👩‍🎤'.repeat(3_334)])(
    'is not sent when it is empty, invisible or too long (%#)',
    async (text) => {
      const { $form, $isValid, send } = open();
      await send(text);
      expect($isValid.get()).toBe(false);
      expect(callApi).not.toHaveBeenCalled();
      expect($form.get()).toMatchObject({ state: 'editing', errors: { text: expect.any(String) } });
    },
  );

  it('may have 10,000 characters, with a surrogate pair counted once', async () => {
    const text = '🎵'.repeat(10_000);
    const { $isValid, send, write } = open();
    write(text);
    expect($isValid.get()).toBe(true);
    await send(text);
    expect(bodies()).toMatchObject([{ text }]);
  });

  it('is sent once, however often send is pressed', async () => {
    const { message, sending, answer } = sendAndWait();
    await message.send('素敵な曲でした');
    expect(message.$form.get()).toEqual({ state: 'sending' });
    answer();
    await sending;
    await message.send('素敵な曲でした');
    expect(callApi).toHaveBeenCalledOnce();
  });

  it('shows the text of a refusal, and keeps the message', async () => {
    callApi.mockRejectedValueOnce(new ApiError(429, [{ key: 'detail', message: '1時間後に。' }]));
    const { $form, $values, send, write } = open();
    await send('こんにちは');
    expect($form.get()).toMatchObject({ state: 'editing', problems: ['1時間後に。'] });
    expect($values.get()).toMatchObject({ text: 'こんにちは' });
    write('こんにちは！');
    expect($form.get()).toMatchObject({ problems: [] });
    await send('こんにちは！');
    expect($form.get()).toMatchObject({ state: 'done' });
  });

  it.each([new ApiError(0, [{ key: 'detail', message: 'x' }]), new ApiError(503, []), new TypeError('x')])(
    'shows the specification’s sentence for an error without text (%s)',
    async (error) => {
      callApi.mockRejectedValueOnce(error);
      const { $form, send } = open();
      await send('こんにちは');
      expect($form.get()).toMatchObject({ problems: [FAILURE] });
      expect(showToast).not.toHaveBeenCalled();
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
    await open().send('こんにちは', isEmailShared);
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
    message.open();
    expect(message.$values.get()).toEqual({ text: '書きかけ' });
    expect(open().$values.get()).toEqual({ text: '書きかけ' });
    expect(open({ ...ARTIST, username: '別の人' }).$values.get()).toEqual({});
  });

  it('survives a failure and the page, and is cleared on success', async () => {
    callApi.mockRejectedValueOnce(new ApiError(500, []));
    const message = open();
    await message.send('書きかけ');
    expect(open().$values.get()).toEqual({ text: '書きかけ' });
    await message.send('書きかけ');
    expect(open().$values.get()).toEqual({});
    expect(sessionStorage).toHaveLength(0);
    message.close();
    message.open();
    expect(message.$form.get()).toMatchObject({ state: 'editing', problems: [] });
    expect(message.$values.get()).toEqual({});
  });
});

describe('a dialog that was closed while it was being sent', () => {
  it('still shows that it is being sent when it is reopened, and does not send twice', async () => {
    const { message, sending, answer } = sendAndWait();
    message.close();
    message.open();
    expect(message.$form.get()).toEqual({ state: 'sending' });
    await message.send('素敵な曲でした');
    answer();
    await sending;
    expect(message.$form.get()).toMatchObject({ state: 'done' });
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
    expect(message.$form.get()).toMatchObject({ state: 'editing' });
    expect(message.$values.get()).toEqual({});
  });

  it('reports failure by a toast, and has text and reason when it is reopened', async () => {
    const { message, sending, refuse } = sendAndWait();
    message.close();
    refuse(new ApiError(503, []));
    await sending;
    expect(showToast.mock.calls).toEqual([['error', FAILURE]]);
    message.open();
    expect(message.$form.get()).toMatchObject({ state: 'editing', problems: [FAILURE] });
    expect(message.$values.get()).toEqual({ text: '素敵な曲でした' });
  });
});
