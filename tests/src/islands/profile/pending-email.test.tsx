// @vitest-environment happy-dom
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { Profile } from '#contract/accounts/profile.ts';
import { PendingMessageEmail } from '#src/islands/profile/PendingEmail.tsx';

const sent: PromiseWithResolvers<boolean>[] = [];
vi.mock('#src/stores/profile/profile.ts', () => ({
  resendMessageEmail() {
    const mail = Promise.withResolvers<boolean>();
    sent.push(mail);
    return mail.promise;
  },
}));

it('a mail is sent again once, however often its button is pressed meanwhile', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  const root = createRoot(document.body.appendChild(document.createElement('div')));
  onTestFinished(() => act(() => root.unmount()));
  const profile = { pending_message_email: 'letters@example.test', message_email: '' } as Profile;
  await act(() => root.render(<PendingMessageEmail profile={profile} />));
  const button = document.querySelector('button') ?? expect.unreachable('no button');
  const press = () => act(() => button.click());

  await press();
  await press();
  expect(sent).toHaveLength(1);
  expect([button.textContent, button.getAttribute('aria-busy'), button.disabled]).toEqual([
    '処理中...',
    'true',
    false,
  ]);
  await act(() => sent[0]?.resolve(false));
  expect([button.textContent, button.getAttribute('aria-busy')]).toEqual(['メールを再送する', null]);
  await press();
  expect(sent).toHaveLength(2);
});
