// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from 'vitest';
import { STAFF, callApi, holdCall, useStores } from '../../../support/stores.ts';

vi.mock('#src/api/browser.ts', () => ({ callApi }));
vi.mock('#src/stores/overlays/overlays.ts', () => ({ showToast: () => undefined }));

import { $member, decideOn, openMemberPage } from '#src/islands/console/members/members.ts';
import { forgetSession } from '#src/stores/session/session.ts';

let stop = () => undefined as void;
afterEach(() => stop());
useStores({ member: STAFF });

/** Opens the address of a member. */
async function open(id: string): Promise<void> {
  history.replaceState(null, '', `?id=${id}`);
  openMemberPage();
  await new Promise((done) => setTimeout(done, 1));
}
const listen = () => void (stop = $member.subscribe(() => undefined));

it('shows the member that was opened last', async () => {
  const first = holdCall();
  callApi.mockResolvedValueOnce({ id: 'b' });
  listen();
  await open('a');
  await open('b');
  first.answer({ id: 'a' });
  await expect.poll(() => $member.get().data).toEqual({ id: 'b' });
});

it('shows a member until it is read again after a decision', async () => {
  callApi.mockResolvedValueOnce({ id: 'a', state: 'active' });
  listen();
  await open('a');
  await expect.poll(() => $member.get().data).toMatchObject({ state: 'active' });
  callApi.mockResolvedValueOnce({});
  const { answer } = holdCall();
  expect(await decideOn('a', 'block')).toBe(true);
  expect($member.get()).toMatchObject({ loading: true, data: { state: 'active' } });
  answer({ id: 'a', state: 'blocked' });
  await expect.poll(() => $member.get().data).toMatchObject({ state: 'blocked' });
});

it('shows nothing of a member after a log-out, whatever arrives late', async () => {
  const { answer } = holdCall();
  listen();
  await open('a');
  forgetSession();
  answer({ id: 'a' });
  await new Promise((done) => setTimeout(done, 5));
  expect($member.get().data).toBeUndefined();
});
