// @vitest-environment happy-dom
import { expect, it, vi } from 'vitest';
import { PAYOUT_DETAILS } from '#support/members/payouts.ts';
import { callApi, setExtended, showAlert, showToast, uploadForm, useStores } from '../../support/stores.ts';

vi.mock('#src/api/browser.ts', () => ({ callApi }));
vi.mock('#src/api/upload.ts', () => ({ uploadForm }));
vi.mock('#src/stores/overlays/overlays.ts', () => ({ showAlert, showToast }));

useStores();

it('the choice of one member is not kept for the next', async () => {
  URL.createObjectURL = () => 'blob:1';
  URL.revokeObjectURL = () => undefined;
  const { personalId, profilePicture } = await import('#src/stores/profile/pictures.ts');
  const { forgetSession, rememberUser } = await import('#src/stores/session/session.ts');
  rememberUser({ id: '1', username: '一人目', email: '', profile_picture: null });
  for (const upload of [personalId, profilePicture]) {
    upload.choose(new File(['x'], 'id.jpg'));
    expect(upload.$upload.get().state).toBe('chosen');
  }
  forgetSession();
  for (const upload of [personalId, profilePicture]) expect(upload.$upload.get().state).toBe('empty');
});

it('an ID requires every field that a payout needs; furigana only where the host says so', async () => {
  const { saveTokens } = await import('#src/api/tokens.ts');
  const { canSendId } = await import('#src/stores/profile/pictures.ts');
  const { $profile, reloadProfile } = await import('#src/stores/profile/profile.ts');
  const { rememberUser } = await import('#src/stores/session/session.ts');
  const filled = { ...PAYOUT_DETAILS, id: '1', username: '一人目', email: 'one@example.test' };
  let profile: object = filled;
  callApi.mockImplementation(async () => profile);
  saveTokens({ access: 'a', refresh: 'r' });
  const unbind = $profile.listen(() => undefined);
  rememberUser({ id: '1', username: '一人目', email: '', profile_picture: null });
  const show = async (next: object) => {
    profile = next;
    reloadProfile();
    await vi.waitFor(() => expect($profile.get().data).toEqual(next));
    showAlert.mockClear();
  };

  await show({ ...filled, bio: 'complete' });
  expect(canSendId()).toBe(true);
  for (const [field, label] of [
    ['name', '氏名'],
    ['bank_name', '金融機関名'],
    ['phone_number', '電話番号'],
    ['email', 'メールアドレス'],
  ] as const) {
    await show({ ...filled, [field]: ' ' });
    expect(canSendId()).toBe(false);
    expect(showAlert.mock.lastCall?.[0]).toMatch(new RegExp(`最後に.*\n.*：${label}$`));
  }

  await show({ ...filled, furigana: '' });
  expect(canSendId()).toBe(true);
  setExtended(true);
  expect(canSendId()).toBe(false);
  expect(showAlert.mock.lastCall?.[0]).toMatch(/：ふりがな$/);
  setExtended(false);
  unbind();
});

it('a refused profile picture shows each key of the reply (spec §8); a refused ID only in its dialog', async () => {
  URL.createObjectURL = () => 'blob:1';
  const { ApiError } = await import('#contract/calls/errors.ts');
  const { personalId, profileBackground } = await import('#src/stores/profile/pictures.ts');
  const refuse = (key: string) =>
    uploadForm.mockRejectedValueOnce(new ApiError(400, [{ key, message: '画像ではありません。' }]));
  profileBackground.choose(new File(['x'], 'b.jpg'));
  refuse('profile_background');
  await profileBackground.send();
  expect(showToast.mock.calls).toEqual([['error', 'profile_background: 画像ではありません。']]);
  personalId.choose(new File(['x'], 'id.jpg'));
  refuse('personal_id_image');
  await personalId.send();
  expect(personalId.$upload.get()).toMatchObject({ problem: '画像ではありません。' });
  expect(showToast).toHaveBeenCalledOnce();
});
