// @vitest-environment happy-dom
import * as v from 'valibot';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { RegistrationSchema } from '#contract/accounts/accounts.ts';
import { ApiError } from '#contract/calls/errors.ts';
import { showToast, useStores } from '../../support/stores.ts';

vi.mock('#src/stores/overlays/overlays.ts', () => ({ showToast }));

import { createForm } from '#src/stores/shared/form.ts';

const schema = v.object({
  ...RegistrationSchema.entries,
  terms: v.literal(true, 'You must accept the terms and conditions'),
});
const FILLED = {
  username: '音の人',
  email: 'a@example.test',
  password: 'otoichi-demo',
  terms: true,
} as const;

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
    await form.submit({ terms: false });
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
      errors: { email: 'Invalid email format', password: 'Password must be at least 8 characters long' },
    });
  });

  it('sends the values parsed by the schema, and is done', async () => {
    const form = open();
    await form.submit({ ...FILLED, username: '　音の人 ', email: 'Ａ@Example.TEST' });
    expect(send).toHaveBeenCalledWith({ ...FILLED, email: 'A@example.test' });
    expect(form.$form.get()).toMatchObject({ state: 'done' });
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
    expect(form.$form.get()).toMatchObject({ state: 'done' });
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

describe('a form of something saved', () => {
  const saved = { slug: 'about', title: '案内', is_listed: true };
  const listed = v.object({
    slug: v.string(),
    title: v.pipe(v.string(), v.nonEmpty('空です。')),
    is_listed: v.boolean(),
    file: v.optional(v.file()),
  });
  const sendPage = vi.fn<(values: v.InferOutput<typeof listed>) => Promise<void>>();
  const edit = (afterSave?: 'keep' | 'clear') =>
    createForm({ schema: listed, initial: saved, send: sendPage, ...(afterSave && { afterSave }) });

  beforeEach(() => void sendPage.mockReset().mockResolvedValue(undefined));

  it('is dirty while a field differs from the saved values', () => {
    const form = edit();
    expect(form.$isDirty.get()).toBe(false);
    form.setValues({ title: '案内', is_listed: true, file: undefined });
    expect(form.$isDirty.get()).toBe(false);
    form.setValues({ title: '案内', is_listed: false });
    expect(form.$isDirty.get()).toBe(true);
    form.setValues({ title: '案内', is_listed: true, file: new File(['x'], 'x.png') });
    expect(form.$isDirty.get()).toBe(true);
  });

  it('sends its fields with the saved values that have no field', async () => {
    const file = new File(['x'], 'x.png');
    await edit().submit({ title: 'ご案内', is_listed: false, file });
    expect(sendPage).toHaveBeenCalledWith({ slug: 'about', title: 'ご案内', is_listed: false, file });
  });

  it('is open again once it is sent, and keeps what was typed meanwhile', async () => {
    const form = edit('keep');
    form.setValues({ title: 'ご案内' });
    const sending = form.submit({ title: 'ご案内' });
    form.setValues({ title: 'ご案内など' });
    await sending;
    expect(form.$form.get()).toMatchObject({ state: 'editing', attempt: 0 });
    expect(form.$values.get()).toEqual({ ...saved, title: 'ご案内など' });
    expect(form.$isDirty.get()).toBe(true);
    form.setValues({ title: 'ご案内' });
    expect(form.$isDirty.get()).toBe(false);
  });

  it('can be empty once it is sent', async () => {
    const form = edit('clear');
    await form.submit({ title: 'ご案内' });
    expect(form.$form.get()).toMatchObject({ state: 'editing' });
    expect(form.$values.get()).toEqual({});
  });

  it('can start again with other values', async () => {
    const form = edit();
    await form.submit({ title: '' });
    form.reset({ slug: 'about', title: '他の人の案内' });
    expect(form.$form.get()).toMatchObject({ state: 'editing', errors: {} });
    expect(form.$values.get()).toEqual({ slug: 'about', title: '他の人の案内' });
    expect(form.$isDirty.get()).toBe(false);
  });

  it('can explain a refusal itself, without toasts', async () => {
    const form = createForm({
      schema: listed,
      initial: saved,
      explain: ({ problems, status }) => [`${status}: ${problems.join()}`],
      send: sendPage,
    });
    sendPage.mockRejectedValue(
      new ApiError(409, [
        { key: 'detail', message: '変わりました。' },
        { key: 'title', message: '使われています。' },
      ]),
    );
    await form.submit({});
    expect(form.$form.get()).toMatchObject({
      errors: { title: '使われています。' },
      problems: ['409: 変わりました。'],
    });
    expect(toasts()).toEqual([]);
  });
});

describe('a draft', () => {
  const recall = (draft?: string) => open(draft).$values.get();

  it('is restored in a form of the same name, and in no other', () => {
    open('register').keep({ username: '音の人', email: '' });
    expect(recall('register')).toEqual({ username: '音の人' });
    expect(recall('contact')).toEqual({});
    expect(recall()).toEqual({});
  });

  it('survives a refusal and is removed on success', async () => {
    const form = open('register');
    form.keep({ username: '音の人' });
    send.mockRejectedValueOnce(new ApiError(400, []));
    await form.submit(FILLED);
    expect(recall('register')).toEqual({ username: '音の人' });
    await form.submit(FILLED);
    expect(recall('register')).toEqual({});
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
    expect(recall('register')).toEqual({});
  });

  it('is skipped where storage is forbidden', async () => {
    const deny = () => {
      throw new DOMException('denied', 'SecurityError');
    };
    vi.stubGlobal('sessionStorage', { getItem: deny, setItem: deny, removeItem: deny });
    const form = open('register');
    form.keep({ username: '音' });
    expect(recall('register')).toEqual({});
    await form.submit(FILLED);
    expect(form.$form.get()).toMatchObject({ state: 'done' });
    vi.unstubAllGlobals();
  });
});
