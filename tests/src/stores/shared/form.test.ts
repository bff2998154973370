// @vitest-environment happy-dom
import * as v from 'valibot';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { RegistrationSchema } from '#contract/accounts.ts';
import { ApiError } from '#contract/errors.ts';
import { showToast, useStores } from '../../support/stores.ts';

vi.mock('#src/stores/overlays/overlays.ts', () => ({ showToast }));

import { createForm } from '#src/stores/shared/form.ts';

const schema = v.object({
  ...RegistrationSchema.entries,
  terms: v.pipe(v.optional(v.string(), ''), v.nonEmpty('You must accept the terms and conditions')),
});
const FILLED = { username: '音の人', email: 'a@example.test', password: 'otoichi-demo', terms: 'on' };

const send = vi.fn<(values: v.InferOutput<typeof schema>) => Promise<void>>();
const open = (draft?: string) => createForm({ schema, send, ...(draft !== undefined && { draft }) });
const toasts = () => showToast.mock.calls.map(([kind, message]) => `${kind}: ${message}`);

useStores();
beforeEach(() => void send.mockReset().mockResolvedValue(undefined));

describe('a form', () => {
  it('is untouched at first', () => {
    expect(open().$form.get()).toEqual({ state: 'editing', errors: {}, problems: [], status: 0, attempt: 0 });
  });

  it('shows the message of spec §5 for each empty field, without a call or a toast', async () => {
    const form = open();
    await form.submit({});
    expect(form.$form.get()).toMatchObject({
      state: 'editing',
      attempt: 1,
      errors: {
        username: 'Username is required',
        email: 'Email is required',
        password: 'Password is required',
        terms: 'You must accept the terms and conditions',
      },
    });
    expect(send).not.toHaveBeenCalled();
    expect(toasts()).toEqual([]);
  });

  it('shows the errors of the typed values', async () => {
    const form = open();
    await form.submit({ ...FILLED, email: 'a@b', password: '1234567' });
    expect(form.$form.get()).toMatchObject({
      errors: {
        email: 'Invalid email format',
        password: 'Password must be at least 8 characters long',
      },
    });
  });

  it('sends the values parsed by the schema, and is done', async () => {
    const form = open();
    await form.submit({ ...FILLED, username: '　音の人 ', email: 'Ａ@Example.TEST' });
    expect(send).toHaveBeenCalledWith({ ...FILLED, email: 'A@example.test' });
    expect(form.$form.get()).toEqual({ state: 'done' });
  });

  it('sends once, however often it is submitted, and not again when it is done', async () => {
    const form = open();
    await Promise.all([form.submit(FILLED), form.submit(FILLED), form.submit(FILLED)]);
    await form.submit(FILLED);
    expect(send).toHaveBeenCalledOnce();
  });

  it('shows each value of an error reply as a toast, and the first at its field', async () => {
    const form = open();
    send.mockRejectedValue(
      new ApiError(400, [
        { key: 'username', message: '使われています。' },
        { key: 'username', message: '短すぎます。' },
        { key: 'detail', message: 'もう一度どうぞ。' },
      ]),
    );
    await form.submit(FILLED);
    expect(toasts()).toEqual(['error: 使われています。', 'error: 短すぎます。', 'error: もう一度どうぞ。']);
    expect(form.$form.get()).toEqual({
      state: 'editing',
      errors: { username: '使われています。' },
      problems: ['もう一度どうぞ。'],
      status: 400,
      attempt: 1,
    });
  });

  it('says what to do when there was no answer', async () => {
    const form = open();
    send.mockRejectedValue(new ApiError(0, []));
    await form.submit(FILLED);
    const message = 'サーバーに接続できませんでした。通信の状態を確かめて、もう一度お試しください。';
    expect(toasts()).toEqual([`error: ${message}`]);
    expect(form.$form.get()).toMatchObject({ errors: {}, problems: [message], status: 0 });
  });

  it('can be resent after a failure, and counts the refusals', async () => {
    const form = open();
    send.mockRejectedValueOnce(new ApiError(503, []));
    await form.submit(FILLED);
    await form.submit({});
    expect(form.$form.get()).toMatchObject({ attempt: 2, problems: [] });
    await form.submit(FILLED);
    expect(form.$form.get()).toEqual({ state: 'done' });
  });

  it('clears the error of a field that is being edited', async () => {
    const form = open();
    await form.submit({ ...FILLED, username: '', email: '' });
    form.touch('username');
    expect(form.$form.get()).toMatchObject({ errors: { email: 'Email is required' }, attempt: 1 });
    const before = form.$form.get();
    form.touch('password');
    expect(form.$form.get()).toBe(before);
  });

  it('clears the error of the form once a value changes', async () => {
    const form = open();
    send.mockRejectedValue(new ApiError(400, [{ key: 'detail', message: '違います。' }]));
    await form.submit(FILLED);
    form.touch('password');
    expect(form.$form.get()).toMatchObject({ problems: [] });
  });
});

describe('a draft', () => {
  it('is restored in a form of the same name, and in no other', () => {
    open('register').keep({ username: '音の人', email: '' });
    expect(open('register').recall()).toEqual({ username: '音の人' });
    expect(open('contact').recall()).toEqual({});
    expect(open().recall()).toEqual({});
  });

  it('survives a refusal and is removed on success', async () => {
    const form = open('register');
    form.keep({ username: '音の人' });
    send.mockRejectedValueOnce(new ApiError(400, []));
    await form.submit(FILLED);
    expect(form.recall()).toEqual({ username: '音の人' });
    await form.submit(FILLED);
    expect(form.recall()).toEqual({});
    expect(sessionStorage.length).toBe(0);
  });

  it('is removed when all fields are emptied', () => {
    const form = open('register');
    form.keep({ username: '音' });
    form.keep({ username: '' });
    expect(sessionStorage.length).toBe(0);
  });

  it.each(['', 'null', '3', '[', '{"username":3}'])('is empty where %j was stored', (text) => {
    sessionStorage.setItem('draft:register', text);
    expect(open('register').recall()).toEqual({});
  });

  it('is skipped where storage is forbidden', async () => {
    const deny = () => {
      throw new DOMException('denied', 'SecurityError');
    };
    vi.stubGlobal('sessionStorage', { getItem: deny, setItem: deny, removeItem: deny });
    const form = open('register');
    form.keep({ username: '音' });
    expect(form.recall()).toEqual({});
    await form.submit(FILLED);
    expect(form.$form.get()).toEqual({ state: 'done' });
    vi.unstubAllGlobals();
  });
});
