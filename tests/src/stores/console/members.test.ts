// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

const { callApi } = vi.hoisted(() => ({ callApi: vi.fn<() => Promise<unknown>>() }));
vi.mock('#src/api/browser.ts', () => ({ callApi }));
vi.mock('#src/stores/overlays/overlays.ts', () => ({ showToast: () => undefined }));

import { createDeferred } from '#src/lib/deferred.ts';
import { $memberPage, decideOn, openMember } from '#src/stores/console/console.ts';
import { forgetSession, rememberUser } from '#src/stores/session/session.ts';

beforeEach(() => {
  rememberUser({ id: '1', username: '運営', email: 'staff@example.test', profile_picture: null });
  callApi.mockReset();
});
afterEach(() => forgetSession());

it('shows the member that was opened last', async () => {
  const first = createDeferred<unknown>();
  callApi.mockReturnValueOnce(first.promise).mockResolvedValueOnce({ id: 'b' });
  const opening = openMember('a');
  await openMember('b');
  first.resolve({ id: 'a' });
  await opening;
  expect($memberPage.get()).toMatchObject({ view: 'member', id: 'b', member: { id: 'b' } });
});

it('shows what was read last of the same member', async () => {
  callApi.mockResolvedValueOnce({ state: 'first' });
  await openMember('a');
  const late = createDeferred<unknown>();
  callApi.mockReturnValueOnce(late.promise).mockResolvedValueOnce({ state: 'third' });
  const reading = openMember('a');
  expect($memberPage.get()).toMatchObject({ view: 'member', member: { state: 'first' } });
  await openMember('a');
  late.resolve({ state: 'second' });
  await reading;
  expect($memberPage.get()).toMatchObject({ view: 'member', member: { state: 'third' } });
});

it('does not return to a member whose decision is made after another was opened', async () => {
  callApi.mockResolvedValueOnce({ id: 'a' });
  await openMember('a');
  const decision = createDeferred<unknown>();
  callApi.mockReturnValueOnce(decision.promise).mockResolvedValueOnce({ id: 'b' });
  const deciding = decideOn('a', 'block');
  await openMember('b');
  decision.resolve({});
  await deciding;
  expect($memberPage.get()).toMatchObject({ view: 'member', id: 'b' });
});
