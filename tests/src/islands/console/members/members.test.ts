// @vitest-environment happy-dom
import { expect, it, vi } from 'vitest';
import { STAFF, callApi, holdCall, useStores } from '../../../support/stores.ts';

vi.mock('#src/api/browser.ts', () => ({ callApi }));
vi.mock('#src/stores/overlays/overlays.ts', () => ({ showToast: () => undefined }));

import { $memberPage, decideOn, openMember } from '../../../../../src/islands/console/members/members.ts';

useStores({ member: STAFF });

it('shows the member that was opened last', async () => {
  const first = holdCall();
  callApi.mockResolvedValueOnce({ id: 'b' });
  const opening = openMember('a');
  await openMember('b');
  first.answer({ id: 'a' });
  await opening;
  expect($memberPage.get()).toMatchObject({ view: 'member', id: 'b', member: { id: 'b' } });
});

it('shows what was read last of the same member', async () => {
  callApi.mockResolvedValueOnce({ state: 'first' });
  await openMember('a');
  const late = holdCall();
  callApi.mockResolvedValueOnce({ state: 'third' });
  const reading = openMember('a');
  expect($memberPage.get()).toMatchObject({ view: 'member', member: { state: 'first' } });
  await openMember('a');
  late.answer({ state: 'second' });
  await reading;
  expect($memberPage.get()).toMatchObject({ view: 'member', member: { state: 'third' } });
});

it('does not return to a member whose decision is made after another was opened', async () => {
  callApi.mockResolvedValueOnce({ id: 'a' });
  await openMember('a');
  const decision = holdCall();
  callApi.mockResolvedValueOnce({ id: 'b' });
  const deciding = decideOn('a', 'block');
  await openMember('b');
  decision.answer({});
  await deciding;
  expect($memberPage.get()).toMatchObject({ view: 'member', id: 'b' });
});
