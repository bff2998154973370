// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '../../../../contract/errors.ts';

type Call = (
  endpoint: { readonly method: string; readonly path: string },
  options: { readonly params: { readonly id: string }; readonly body?: { readonly action: string } },
) => Promise<unknown>;
const { callApi, showToast } = vi.hoisted(() => ({ callApi: vi.fn<Call>(), showToast: vi.fn<() => void>() }));
vi.mock('../../../../src/api/browser.ts', () => ({ callApi }));
vi.mock('../../../../src/stores/overlays/overlays.ts', () => ({ showToast }));

import { reviewDesk, togglePark } from '../../../../src/stores/console/console.ts';
import { forgetSession, rememberUser } from '../../../../src/stores/session/session.ts';

const { $current, $desk, $held, decide, move, undo } = reviewDesk;

/** The server's state: which applications wait, and which are put aside. */
let parked: Set<string>;
/** Decisions and other actions, as the server received them. */
let sent: string[];
/** The state of every application. */
let state: 'pending' | 'approved';
/** While set, actions are answered when it is resolved. */
let answering: PromiseWithResolvers<void> | null;
/** The status with which actions are refused. */
let refusal: number | null;

const settle = () => vi.advanceTimersByTimeAsync(0);
const shown = () => $desk.get().queue[$desk.get().index]?.id;
const order = () => $desk.get().queue.map(({ id }) => id);
const toWaiting = (id: string) => ({
  id,
  username: id,
  submitted_at: 0,
  files: 3,
  is_parked: parked.has(id),
});

beforeEach(async () => {
  vi.useFakeTimers();
  rememberUser({ id: '1', username: '運営', email: 'staff@example.test', profile_picture: null });
  parked = new Set();
  sent = [];
  state = 'pending';
  answering = null;
  refusal = null;
  callApi.mockReset().mockImplementation(async ({ method, path }, { params, body }) => {
    if (body) {
      await answering?.promise;
      if (refusal !== null) throw new ApiError(refusal, []);
      sent.push(`${params.id} ${body.action}`);
      if (body.action === 'park') parked.add(params.id);
      if (body.action === 'unpark') parked.delete(params.id);
      return { state: 'pending' };
    }
    if (method === 'GET' && path.endsWith('{id}/')) {
      const allowed = ['approve', 'reject', parked.has(params.id) ? 'unpark' : 'park'];
      return { id: params.id, state, files: [], allowed };
    }
    return { results: ['a', 'b', 'c'].map(toWaiting) };
  });
  await reviewDesk.open();
});
afterEach(() => {
  forgetSession();
  vi.useRealTimers();
});

describe('putting an application aside', () => {
  it('shows the next one at once, so that the next key is not about the one put aside', async () => {
    answering = Promise.withResolvers();
    void togglePark();
    expect(shown()).toBe('b');
    decide('approve');
    expect($held.get()?.entry.id).toBe('b');
    answering.resolve();
    await settle();
    expect(order()).toEqual(['c', 'a']);
    expect(sent).toEqual(['a park']);
  });

  it('offers the way back once the server allows it', async () => {
    await togglePark();
    move(-1);
    expect(shown()).toBe('a');
    expect($current.get()?.allowed).toContain('unpark');
    await togglePark();
    expect(sent).toEqual(['a park', 'a unpark']);
    expect(shown()).toBe('a');
    expect($current.get()?.allowed).toContain('park');
  });

  it('that fails leaves it in its place', async () => {
    refusal = 503;
    await togglePark();
    expect(order()).toEqual(['a', 'b', 'c']);
    expect(showToast).toHaveBeenCalledWith('error', expect.any(String));
  });
});

describe('a decision', () => {
  it('is sent after five seconds, and can be taken back before', async () => {
    decide('approve');
    expect(shown()).toBe('b');
    undo();
    expect(shown()).toBe('a');
    await vi.advanceTimersByTimeAsync(6_000);
    expect(sent).toEqual([]);
    decide('reject', '雑音が入っています。');
    await vi.advanceTimersByTimeAsync(5_000);
    expect(sent).toEqual(['a reject']);
    expect($desk.get().decided).toBe(1);
  });

  it('of another member of staff is told, and its application does not return', async () => {
    decide('approve');
    [refusal, state] = [409, 'approved'];
    await vi.advanceTimersByTimeAsync(5_000);
    expect(order()).toEqual(['b', 'c']);
    expect(showToast).toHaveBeenCalledWith('error', expect.any(String));
  });

  it('refused for another reason than a decision of someone else returns its application', async () => {
    decide('approve');
    refusal = 409;
    await vi.advanceTimersByTimeAsync(5_000);
    expect(order()).toEqual(['a', 'b', 'c']);
  });

  it('that could not be sent brings its application back', async () => {
    decide('approve');
    refusal = 503;
    await vi.advanceTimersByTimeAsync(5_000);
    expect(order()).toEqual(['a', 'b', 'c']);
  });
});
