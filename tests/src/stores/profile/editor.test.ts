// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { MEMBER, callApi, setExtended, showAlert, showToast, useStores } from '../../support/stores.ts';

vi.mock('#src/api/browser.ts', () => ({ callApi }));
vi.mock('#src/stores/overlays/overlays.ts', () => ({ showToast, showAlert }));

const HOST = 'ofuse.me';
const PROFILE = { ...MEMBER, bio: 'はじめまして', bank_name: '', message_email: '', donation_url: '' };
/** The stored profile: reads return it, and saves change it unless `refusal` is set. */
let kept: Record<string, unknown> = PROFILE;
let refusal: [status: number, body: unknown] | null = null;
let changes: unknown[] = [];

async function open() {
  vi.resetModules();
  const { $profile } = await import('#src/stores/profile/profile.ts');
  const { forgetSession } = await import('#src/stores/session/session.ts');
  const editor = await import('#src/stores/profile/editor.ts');
  $profile.listen(() => undefined);
  editor.$hasUnsaved.listen(() => undefined);
  await vi.waitFor(() => expect($profile.get().data).toBeDefined());
  /** Opens a field and types into it. */
  const write: typeof editor.typeField = (field, text) => {
    editor.openField(field);
    editor.typeField(field, text);
  };
  return { $profile, forgetSession, ...editor, write };
}

useStores({ stored: MEMBER });
beforeEach(() => {
  document.head.innerHTML = '';
  [kept, refusal, changes] = [PROFILE, null, []];
  callApi.mockImplementation(async ({ method }, options) => {
    if (method === 'GET') return kept;
    changes.push(options?.body);
    if (refusal) {
      // The same module instance as the store's.
      const { ApiError } = await import('#contract/calls/errors.ts');
      const { toFieldErrors } = await import('#src/api/field-errors.ts');
      throw new ApiError(refusal[0], toFieldErrors(refusal[1]));
    }
    kept = { ...kept, ...(options?.body as object) };
    return kept;
  });
});

describe('a field that was changed elsewhere since it was read', () => {
  const REFUSAL = 'ほかで変更されています。';
  /** Types a text while another tab saves one; an extended host refuses it. */
  async function collide() {
    setExtended(true);
    [kept, refusal] = [PROFILE, null];
    const editor = await open();
    editor.write('bio', 'わたしの文章');
    kept = { ...PROFILE, bio: '別のタブの文章' };
    refusal = [409, { bio: REFUSAL }];
    await editor.saveField('bio', HOST);
    return editor;
  }

  it('is not replaced: the saved text is there beside what was typed, while the person types', async () => {
    const { $fields, $profile, typeField } = await collide();
    expect(changes).toEqual([{ bio: 'わたしの文章', read: { bio: 'はじめまして' } }]);
    const state = { state: 'editing', text: 'わたしの文章', conflict: REFUSAL, refusal: null };
    expect($fields.get().bio).toMatchObject(state);
    expect($profile.get().data?.bio).toBe('別のタブの文章');
    expect(showToast).not.toHaveBeenCalled();
    typeField('bio', '両方の文章');
    expect($fields.get().bio).toMatchObject({ text: '両方の文章', conflict: REFUSAL });
  });

  it('says why a later save failed, beside the saved text', async () => {
    const { $fields, saveField } = await collide();
    refusal = [400, { bio: '長すぎます。' }];
    await saveField('bio', HOST);
    expect($fields.get().bio).toMatchObject({ refusal: '長すぎます。', conflict: REFUSAL });
  });

  it('is replaced knowingly, or left as it is', async () => {
    const { $fields, keepTypedField } = await collide();
    refusal = null;
    await keepTypedField('bio', HOST);
    expect(changes[1]).toEqual({ bio: 'わたしの文章', read: { bio: '別のタブの文章' } });
    expect($fields.get().bio?.state).toBe('saved');
    const { $fields: other, closeField, $profile } = await collide();
    closeField('bio');
    expect(other.get().bio).toBeUndefined();
    expect($profile.get().data?.bio).toBe('別のタブの文章');
  });

  it('is saved without a word where the host is not extended', async () => {
    const { write, saveField } = await open();
    write('bio', 'わたしの文章');
    await saveField('bio', HOST);
    expect(changes).toEqual([{ bio: 'わたしの文章' }]);
  });
});

describe('a field of the own profile', () => {
  it('opens with its value, sends only what changed, shows it at once and marks it for 1.2 s', async () => {
    const { $fields, $profile, openField, typeField, saveField } = await open();
    openField('bio');
    expect($fields.get().bio).toMatchObject({ state: 'editing', text: 'はじめまして', refusal: null });
    typeField('bio', '  音を作ります。 ');
    vi.useFakeTimers();
    const saving = saveField('bio', HOST);
    expect($fields.get().bio?.state).toBe('saving');
    await saving;
    expect(changes).toEqual([{ bio: '音を作ります。' }]);
    expect($profile.get().data?.bio).toBe('音を作ります。');
    expect(showToast.mock.calls).toEqual([['success', 'Profile updated successfully']]);
    expect($fields.get().bio?.state).toBe('saved');
    vi.advanceTimersByTime(1_199);
    expect($fields.get().bio?.state).toBe('saved');
    vi.advanceTimersByTime(1);
    expect($fields.get().bio).toBeUndefined();
  });

  it('is not sent while it is unchanged, invalid, or already being sent', async () => {
    const { write, openField, typeField, saveField } = await open();
    openField('bio');
    await saveField('bio', HOST);
    typeField('bio', ' はじめまして ');
    await saveField('bio', HOST);
    write('email', 'no address');
    await saveField('email', HOST);
    write('donation_url', 'https://elsewhere.example/me');
    await saveField('donation_url', HOST);
    expect(changes).toEqual([]);
    typeField('bio', '二度押し');
    await Promise.all([saveField('bio', HOST), saveField('bio', HOST)]);
    expect(changes).toEqual([{ bio: '二度押し' }]);
  });

  it('keeps a refused text as typed and shows each key of the reply (spec §8)', async () => {
    const { $fields, $hasUnsaved, write, typeField, saveField } = await open();
    refusal = [400, { username: ['すでに使われています。', '短すぎます。'], detail: 'だめです。' }];
    write('username', '別の人');
    await saveField('username', HOST);
    const refused = { state: 'editing', text: '別の人', refusal: 'すでに使われています。' };
    expect($fields.get().username).toMatchObject(refused);
    expect(showToast.mock.calls).toEqual([
      ['error', 'username: すでに使われています。 短すぎます。'],
      ['error', 'detail: だめです。'],
    ]);
    expect($hasUnsaved.get()).toBe(true);
    typeField('username', '別の人々');
    expect($fields.get().username).toMatchObject({ refusal: null });
  });

  it.each([
    ['message_email', 'x@example.test', [400, { message_email: ['使えません。'] }], '使えません。'],
    ['message_email', 'x@example.test', [500, ''], '保存に失敗しました'],
    ['donation_url', 'ofuse.me/otonohito', [0, ''], '保存に失敗しました'],
  ] as const)('%s shows its failure with an alert (spec §8)', async (field, text, reply, message) => {
    const { write, saveField } = await open();
    refusal = [...reply];
    write(field, text);
    await saveField(field, HOST);
    expect(showAlert.mock.calls).toEqual([[message]]);
    expect(showToast).not.toHaveBeenCalled();
  });

  it('saves a donation link as an https address', async () => {
    const { write, saveField } = await open();
    write('donation_url', 'www.ofuse.me/otonohito');
    await saveField('donation_url', HOST);
    expect(changes).toEqual([{ donation_url: 'https://www.ofuse.me/otonohito' }]);
  });

  it('that is an address is pending until confirmed and says so, on an extended host', async () => {
    setExtended(true);
    const { $fields, $profile, write, saveField } = await open();
    let answer: (profile: unknown) => void = () => undefined;
    callApi.mockImplementation(({ method }) =>
      method === 'GET' ? new Promise((resolve) => (answer = resolve)) : Promise.resolve({}),
    );
    write('email', 'new@example.test');
    await saveField('email', HOST);
    // At once, before the profile has been read.
    const pending = { email: 'a@example.test', pending_email: 'new@example.test' };
    expect($profile.get().data).toMatchObject(pending);
    expect($fields.get().email).toBeUndefined();
    expect(showToast.mock.calls).toEqual([['blank', expect.stringContaining('確認のメール')]]);
    answer({ ...PROFILE, pending_email: 'new@example.test' });
    await vi.waitFor(() => expect($profile.get().loading).toBe(false));
    expect($profile.get().data?.email).toBe('a@example.test');
  });

  it.each(['email', 'message_email'] as const)(
    'that is an address is updated at once on a host without confirmation: %s',
    async (field) => {
      const { $fields, $profile, write, saveField } = await open();
      write(field, 'new@example.test');
      await saveField(field, HOST);
      expect($profile.get().data).toMatchObject({ [field]: 'new@example.test' });
      expect($fields.get()[field]?.state).toBe('saved');
      expect(showToast.mock.calls).toEqual([['success', 'Profile updated successfully']]);
    },
  );

  it('that is an address for messages is pending where the host requires confirmation', async () => {
    const { $fields, $profile, write, saveField } = await open();
    const pending = { message_email: '', pending_message_email: 'b@example.test' };
    callApi.mockImplementation(async ({ method }) => {
      if (method === 'PATCH') kept = { ...PROFILE, ...pending };
      return kept;
    });
    write('message_email', 'b@example.test');
    await saveField('message_email', HOST);
    expect($profile.get().data).toMatchObject(pending);
    expect($fields.get().message_email).toBeUndefined();
    expect(showToast.mock.calls.map(([kind]) => kind)).toEqual(['blank']);
  });
});

describe('unsaved text', () => {
  it('is text that differs from the saved value', async () => {
    const { $hasUnsaved, openField, typeField, closeField } = await open();
    openField('bio');
    expect($hasUnsaved.get()).toBe(false);
    typeField('bio', '書きかけ');
    expect($hasUnsaved.get()).toBe(true);
    closeField('bio');
    expect($hasUnsaved.get()).toBe(false);
  });

  it('is discarded with the member who typed it', async () => {
    const { $fields, write, forgetSession } = await open();
    write('bank_name', '秘密銀行');
    forgetSession();
    expect($fields.get()).toEqual({});
  });

  it.each([null, [400, { bank_name: 'だめ' }] as [number, unknown]])(
    'that is being saved when its member logs out is not restored (%j)',
    async (reply) => {
      const { $fields, $profile, write, saveField, forgetSession } = await open();
      write('bank_name', '秘密銀行');
      refusal = reply;
      const saving = saveField('bank_name', HOST);
      forgetSession();
      await saving;
      expect($fields.get()).toEqual({});
      expect(JSON.stringify($profile.get())).not.toContain('秘密銀行');
      expect(showToast).not.toHaveBeenCalled();
    },
  );
});

describe('a field for which the host requires the password', () => {
  it.each(['bank_name', 'message_email'] as const)(
    'keeps the typed value, without a message, when it is not given: %s',
    async (field) => {
      const { $fields, write, saveField } = await open();
      callApi.mockImplementation(async ({ method }) => {
        if (method === 'GET') return kept;
        const { ApiError } = await import('#contract/calls/errors.ts');
        throw new ApiError(403, [], { kind: 'cancelled' });
      });
      write(field, 'b@example.test');
      await saveField(field, HOST);
      expect($fields.get()[field]).toMatchObject({ state: 'editing', text: 'b@example.test', refusal: null });
      expect(showToast).not.toHaveBeenCalled();
      expect(showAlert).not.toHaveBeenCalled();
    },
  );
});
