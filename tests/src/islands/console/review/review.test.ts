// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '#contract/calls/errors.ts';
import { type Call, STAFF, callApi, showToast, useStores } from '../../../support/stores.ts';

vi.mock('#src/api/browser.ts', () => ({ callApi }));
vi.mock('#src/stores/overlays/overlays.ts', () => ({ showToast }));

import { reviewDesk, togglePark } from '#src/islands/console/review/review.ts';
import { sendWaiting } from '#src/browser/before-log-out.ts';
import { forgetSession, rememberUser } from '#src/stores/session/session.ts';

const { $current, $desk, $failure, $held, $reason, decide, move, open, sendHeld, undo } = reviewDesk;

/** The server's state: which applications wait, and which are put aside. */
let ids: string;
let parked: Set<string>;
/** Decisions and other actions, as the server received them. */
let sent: string[];
/** The state of every application. */
let state: 'pending' | 'approved';
/** Decided applications, which the list no longer names. */
let gone: Set<string>;
/** While set, actions are answered when it is resolved. */
let answering: PromiseWithResolvers<void> | null;
/** The status with which actions are refused. */
let refusal: number | null;

const settle = () => vi.advanceTimersByTimeAsync(0);
const shown = () => $desk.get().queue[$desk.get().index]?.id;
const order = () => $desk.get().queue.map(({ id }) => id);
const toWaiting = (id: string) => {
  return { id, username: id, submitted_at: 0, files: 3, is_parked: parked.has(id) };
};

useStores({ member: STAFF, clock: true });
beforeEach(async () => {
  ids = 'abc';
  parked = new Set();
  sent = [];
  state = 'pending';
  gone = new Set();
  answering = null;
  refusal = null;
  callApi.mockImplementation(async ({ method, path }, { params, body }) => {
    if (body) {
      await answering?.promise;
      if (refusal !== null) throw new ApiError(refusal, []);
      sent.push(`${params.id} ${body.action}`);
      if (body.action === 'park') parked.add(params.id);
      if (body.action === 'unpark') parked.delete(params.id);
      if (body.action === 'approve' || body.action === 'reject') gone.add(params.id);
      return { state: 'pending' };
    }
    if (method === 'GET' && path.endsWith('{id}/')) {
      const allowed = ['approve', 'reject', parked.has(params.id) ? 'unpark' : 'park'];
      return { id: params.id, state, files: [], allowed };
    }
    return { results: [...ids].filter((id) => !gone.has(id)).map(toWaiting) };
  });
  await reviewDesk.open();
});

describe('putting an application aside', () => {
  it('shows the next one at once, so that the next key is not about the one put aside', async () => {
    answering = Promise.withResolvers();
    void togglePark();
    expect(shown()).toBe('b');
    decide('approve');
    expect($held.get().map(({ entry }) => entry.id)).toEqual(['b']);
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

describe('an application that cannot be read', () => {
  /** Readings of these applications fail. */
  let broken: string;
  beforeEach(async () => {
    const answer = callApi.getMockImplementation() as Call;
    callApi.mockImplementation(async (endpoint, options) => {
      if (endpoint.path.endsWith('{id}/') && broken.includes(options.params.id)) throw new ApiError(503, []);
      return answer(endpoint, options);
    });
  });

  it('says so in its place, and can be read again', async () => {
    broken = 'c';
    // Reads it ahead of time.
    move(1);
    await settle();
    expect([$failure.get(), $current.get()?.id]).toEqual([undefined, 'b']);
    move(1);
    await settle();
    expect([$failure.get()?.id, $current.get()]).toEqual(['c', undefined]);
    expect(decide('approve')).toBe(false);
    expect(showToast).not.toHaveBeenCalled();
    broken = '';
    const reading = reviewDesk.read('c');
    expect($failure.get()).toBeUndefined();
    await reading;
    expect($current.get()?.id).toBe('c');
  });

  it('is not followed by an attempt to read the next one', async () => {
    [ids, broken] = ['abcde', 'd'];
    callApi.mockClear();
    await open('d');
    expect(callApi.mock.calls.slice(1).map(([, { params }]) => params.id)).toEqual(['d']);
  });

  it('again stays on the screen as it was read before', async () => {
    broken = 'a';
    await reviewDesk.read('a');
    expect([$failure.get(), $current.get()?.id]).toEqual([undefined, 'a']);
    expect(showToast).toHaveBeenCalledTimes(1);
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

  it('that could not be sent leaves the screen as it is, names its applicant, and keeps the reason', async () => {
    decide('reject', '雑音が入っています。');
    expect(shown()).toBe('b');
    refusal = 503;
    await vi.advanceTimersByTimeAsync(5_000);
    expect(order()).toEqual(['a', 'b', 'c']);
    expect(shown()).toBe('b');
    expect(showToast).toHaveBeenCalledWith('error', expect.stringMatching(/^a さん：/));
    move(-1);
    expect($reason.get()).toBe('雑音が入っています。');
  });
});

describe('decisions in quick succession', () => {
  async function decideAll(count: number): Promise<void> {
    for (let number = 0; number < count; number += 1) {
      decide('approve');
      await settle();
    }
  }

  it('are each sent five seconds after they were made', async () => {
    const countAfter = async (ms: number) => {
      await vi.advanceTimersByTimeAsync(ms);
      return sent.length;
    };
    decide('approve');
    expect(await countAfter(2_000)).toBe(0);
    decide('approve');
    expect(await countAfter(2_000)).toBe(0);
    decide('approve');
    expect([await countAfter(999), $held.get().length]).toEqual([0, 3]);
    expect([await countAfter(1), await countAfter(1_999), await countAfter(1)]).toEqual([1, 1, 2]);
    expect(await countAfter(2_000)).toBe(3);
    expect(sent).toEqual(['a approve', 'b approve', 'c approve']);
  });

  it('are taken back one by one, the newest first, or by name', async () => {
    await decideAll(3);
    expect(shown()).toBeUndefined();
    undo('b');
    expect([order(), shown()]).toEqual([['b'], 'b']);
    undo();
    expect([order(), shown()]).toEqual([['c', 'b'], 'c']);
    await vi.advanceTimersByTimeAsync(6_000);
    expect(sent).toEqual(['a approve']);
    undo();
    expect(order()).toEqual(['c', 'b']);
  });

  it('are all sent when the page is left', async () => {
    decide('approve');
    decide('reject', '雑音が入っています。');
    await sendHeld();
    expect(sent).toEqual(['a approve', 'b reject']);
    expect($held.get()).toEqual([]);
    await vi.advanceTimersByTimeAsync(6_000);
    expect(sent).toHaveLength(2);
  });

  it('wait on while the list is read again, which does not show them', async () => {
    decide('approve');
    await vi.advanceTimersByTimeAsync(1_000);
    await open();
    expect([sent, order()]).toEqual([[], ['b', 'c']]);
    await vi.advanceTimersByTimeAsync(3_999);
    answering = Promise.withResolvers();
    await vi.advanceTimersByTimeAsync(1);
    await open();
    expect([sent, order()]).toEqual([[], ['b', 'c']]);
    answering.resolve();
    await settle();
    expect(sent).toEqual(['a approve']);
  });

  it('are sent before a log-out', async () => {
    decide('approve');
    decide('approve');
    await sendWaiting();
    expect(sent).toEqual(['a approve', 'b approve']);
    forgetSession();
    rememberUser({ ...STAFF, id: '2' });
    expect(showToast).not.toHaveBeenCalledWith('error', expect.any(String));
  });

  it('delay a log-out by five seconds at most, and what is uncertain then is said', async () => {
    answering = Promise.withResolvers();
    decide('approve');
    const isOver = vi.fn<() => void>();
    void sendWaiting()?.then(isOver);
    await vi.advanceTimersByTimeAsync(4_999);
    expect(isOver).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(isOver).toHaveBeenCalledOnce();
    forgetSession();
    rememberUser({ ...STAFF, id: '2' });
    expect(showToast).toHaveBeenCalledWith('error', expect.stringContaining('a さんについての判断は'));
    answering.resolve();
    await settle();
    expect($desk.get().queue).toEqual([]);
  });

  it('that wait when the session ends elsewhere are named, and not sent for the next member', async () => {
    ids = 'abcdef';
    await open();
    await decideAll(5);
    forgetSession();
    rememberUser({ ...STAFF, id: '2' });
    expect(showToast).toHaveBeenCalledWith(
      'error',
      'ログアウトしたため、a さん、b さん、c さん、ほか2人についての判断は確定していないことがあります。次にログインしたときに確かめてください。',
    );
    await vi.advanceTimersByTimeAsync(6_000);
    expect(sent).toEqual([]);
  });
});
