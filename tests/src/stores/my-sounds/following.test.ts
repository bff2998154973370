// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { callApi, holdCall, useStores } from '../../support/stores.ts';

vi.mock('#src/api/browser.ts', () => ({ callApi }));

const asked: Record<string, unknown>[] = [];
let findings: object | undefined;
let createdAt = '';
const { FAVORITES_TAB, showTab } = await import('#src/stores/my-sounds/my-sounds.ts');
const { followNewSounds } = await import('#src/stores/my-sounds/following.ts');

let stop: () => void;
useStores({ isExtended: true, clock: { now: Date.UTC(2026, 3, 1) } });
beforeEach(async () => {
  asked.length = 0;
  callApi.mockImplementation(async (_, options) => {
    asked.push({ ...options?.query });
    const sound = { id: 'a', created_at: createdAt, findings, peaks: 'i' };
    return { results: [sound], next: null, previous: null, count: 1 };
  });
  findings = undefined;
  createdAt = new Date(Date.now() - 1_000).toISOString();
  stop = followNewSounds();
  await vi.advanceTimersByTimeAsync(0);
});
afterEach(() => stop());

let user = 0;
const show = () => showTab('7', `user-${(user += 1)}`);

it('reloads a list until all of it is measured', async () => {
  show();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(asked).toHaveLength(2);
  findings = {};
  await vi.advanceTimersByTimeAsync(4_000);
  expect(asked).toHaveLength(3);
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(asked).toHaveLength(3);
});

it('waits for a read that is under way', async () => {
  show();
  await vi.advanceTimersByTimeAsync(0);
  const { answer } = holdCall();
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(callApi).toHaveBeenCalledTimes(2);
  answer({ results: [{ id: 'a', created_at: createdAt }], next: null });
  await vi.advanceTimersByTimeAsync(4_000);
  expect(callApi).toHaveBeenCalledTimes(3);
});

it('stops for sounds that are never measured', async () => {
  show();
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(asked).toHaveLength(8);
});

it('does not poll a list without new sounds, nor any list once it is stopped', async () => {
  createdAt = new Date(Date.now() - 2 * 86_400_000).toISOString();
  show();
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(asked).toHaveLength(1);
  createdAt = new Date(Date.now()).toISOString();
  show();
  await vi.advanceTimersByTimeAsync(0);
  stop();
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(asked).toHaveLength(2);
});

it('does not poll favourites, which have no measurements, nor a list that was left for them', async () => {
  show();
  await vi.advanceTimersByTimeAsync(0);
  expect(asked).toHaveLength(1);
  showTab(FAVORITES_TAB, `user-${user}`);
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(asked.slice(1)).toEqual([{ favorite: true }]);
  createdAt = new Date(Date.now()).toISOString();
  show();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(asked).toHaveLength(4);
});
