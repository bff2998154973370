// @vitest-environment happy-dom
import { expect, it, vi } from 'vitest';

vi.mock('../../../src/api/upload.ts', () => ({ uploadForm: vi.fn<() => Promise<void>>() }));
vi.mock('../../../src/api/browser.ts', () => ({ callApi: vi.fn<() => Promise<unknown>>() }));

it('what one member chose is not there for the next', async () => {
  URL.createObjectURL = () => 'blob:1';
  URL.revokeObjectURL = () => undefined;
  const { personalId, profilePicture } = await import('../../../src/stores/profile-pictures.ts');
  const { forgetSession, rememberUser } = await import('../../../src/stores/session.ts');
  rememberUser({ id: '1', username: '一人目', email: '', profile_picture: null });
  for (const upload of [personalId, profilePicture]) {
    upload.choose(new File(['x'], 'id.jpg'));
    expect(upload.$upload.get().state).toBe('chosen');
  }
  forgetSession();
  for (const upload of [personalId, profilePicture]) expect(upload.$upload.get().state).toBe('empty');
});
