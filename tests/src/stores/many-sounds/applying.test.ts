// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, vi } from 'vitest';
import * as v from 'valibot';
import { ApiError } from '#contract/calls/errors.ts';
import { SoundSchema } from '#contract/sounds/sounds.ts';
import type { Sound } from '#contract/sounds/sounds.ts';
import { lenient } from '#src/api/lenient.ts';
import { MEMBER, callApi, showToast, uploadForm, useStores } from '../../support/stores.ts';

vi.mock('#src/api/browser.ts', () => ({ callApi }));
vi.mock('#src/api/upload.ts', () => ({ uploadForm }));
vi.mock('#src/stores/overlays/overlays.ts', () => ({ showToast }));

import {
  $applying,
  manyRows,
  applyOutcomes,
  chooseRows,
  toOutcome,
  toValues,
  undoChanges,
} from '#src/stores/many-sounds/many-sounds.ts';
import type { Plan } from '#src/stores/many-sounds/many-sounds.ts';
import { forgetSession, rememberUser } from '#src/stores/session/session.ts';
import { ALL_TAB, mySounds } from '#src/stores/my-sounds/my-sounds.ts';
import { enqueueUpload, findUpload } from '#src/stores/uploads/queue.ts';

interface SentRow {
  readonly id: string;
  readonly updated_at?: string;
}

let sounds: Sound[];
/** The rows of each call. */
let sent: SentRow[][];
/** Why the host refuses a sound. */
let reasons: Record<string, string>;

useStores({ member: MEMBER, clock: true });
beforeEach(async () => {
  sounds = Array.from({ length: 3 }, (_, index) => toSound(index));
  sent = [];
  reasons = {};
  callApi.mockImplementation(async ({ path }, { body }) => {
    if (path === '/api/sounds/') return { results: sounds, next: null };
    const { sounds: rows } = body as unknown as { sounds: SentRow[] };
    sent.push(rows);
    return {
      changed: rows
        .filter(({ id }) => !(id in reasons))
        .map(({ id, ...values }) => ({
          ...sounds.find((each) => each.id === id),
          ...values,
          updated_at: `after ${id}`,
        })),
      refused: rows.filter(({ id }) => id in reasons).map(({ id }) => ({ id, reason: reasons[id] })),
    };
  });
  await mySounds.load({ tab: ALL_TAB, username: '音の人' });
});

function toSound(index: number): Sound {
  return v.parse(lenient(SoundSchema), {
    id: `s${index}`,
    title: `曲${index}`,
    filename: `${index}.mp3`,
    is_editable: true,
    sub_genres: index === 0 ? ['1'] : [],
    updated_at: `read s${index}`,
  });
}

const plan = (given: Plan) =>
  manyRows.$list.get().items.map((row) => toOutcome(row, toValues(given, row.saved)));
const done = () => {
  const applying = $applying.get();
  if (applying.state !== 'done') throw new Error(applying.state);
  return applying;
};

describe('a change of several sounds', () => {
  it('sends only what differs, with the time at which each was read', async () => {
    await applyOutcomes(plan({ sub_genres: { mode: 'add', value: ['1'] } }));
    expect(sent).toEqual([
      [
        { id: 's1', updated_at: 'read s1', sub_genres: ['1'] },
        { id: 's2', updated_at: 'read s2', sub_genres: ['1'] },
      ],
    ]);
    expect(done()).toMatchObject({ kind: 'change', changed: 2, refused: [] });
    expect(mySounds.$list.get().items.map(({ sub_genres }) => sub_genres)).toEqual([['1'], ['1'], ['1']]);
  });

  it('names what the host refuses and what breaks our own rules, and sends the rest', async () => {
    reasons = { s1: 'ほかで変更されたため、そのままにしました。' };
    const moods = { mode: 'add', value: ['calm', 'sad'] } as const;
    sounds[2] = { ...toSound(2), moods: ['bright', 'cool'] };
    await mySounds.reload();
    await applyOutcomes(plan({ moods }));
    expect(sent[0]?.map(({ id }) => id)).toEqual(['s0', 's1']);
    expect(done().changed).toBe(1);
    expect(done().refused).toEqual([
      { id: 's2', title: '曲2', reason: '雰囲気は3つまで選べます。' },
      { id: 's1', title: '曲1', reason: 'ほかで変更されたため、そのままにしました。' },
    ]);
  });

  it('is undone with the old values and the times of the change, once, within ten seconds', async () => {
    await applyOutcomes(plan({ description: { mode: 'set', value: '新しい' } }));
    await undoChanges();
    expect(sent[1]).toEqual(
      ['s0', 's1', 's2'].map((id) => ({ id, updated_at: `after ${id}`, description: '' })),
    );
    expect(done()).toMatchObject({ kind: 'undo', changed: 3, undo: null });
    await undoChanges();
    expect(sent).toHaveLength(2);

    await applyOutcomes(plan({ description: { mode: 'set', value: 'また' } }));
    vi.advanceTimersByTime(9_999);
    expect(done().undo).not.toBeNull();
    vi.advanceTimersByTime(1);
    expect(done()).toMatchObject({ changed: 3, undo: null });
  });

  it('goes in calls of a hundred; after a failure the rest is named', async () => {
    sounds = Array.from({ length: 230 }, (_, index) => toSound(index));
    await mySounds.reload();
    const answer = callApi.getMockImplementation();
    callApi.mockImplementation((endpoint, options) =>
      sent.length === 1
        ? Promise.reject(new ApiError(503, [{ key: 'detail', message: '混んでいます。' }]))
        : answer!(endpoint, options),
    );
    await applyOutcomes(plan({ is_ai_generated: { mode: 'set', value: 'true' } }));
    expect(sent.map((rows) => rows.length)).toEqual([100]);
    expect([done().changed, done().refused.length]).toEqual([100, 130]);
    expect(showToast.mock.calls).toEqual([['error', '混んでいます。']]);
  });

  it('waits in an upload until that is a sound, and undo takes it out again', async () => {
    enqueueUpload({ id: 'u1', name: '雨.mp3', sizeBytes: 1, typeId: '1' }, { state: 'waiting' });
    await applyOutcomes(
      plan({ is_published: { mode: 'set', value: 'true' } }).filter(({ row }) => row.id === 'u1'),
    );
    expect(sent).toEqual([]);
    expect(findUpload('u1')?.prepared).toEqual({ is_published: 'true' });
    await undoChanges();
    expect(findUpload('u1')?.prepared).toEqual({ is_published: 'false' });
  });

  it('never publishes what the staff hid', async () => {
    sounds = [{ ...toSound(0), is_published: false, hidden_reason: '申し立て' }];
    await mySounds.reload();
    chooseRows(['s0']);
    await applyOutcomes(plan({ is_published: { mode: 'set', value: 'true' } }));
    expect(sent).toEqual([]);
    expect(done().refused[0]?.reason).toMatch('運営により');
  });

  it('sends a picture to each that changed, and undo knows the time of that', async () => {
    const picture = new File(['pixels'], '絵.png');
    reasons = { s1: 'ほかで変更されたため、そのままにしました。' };
    const pictured: string[] = [];
    uploadForm.mockImplementation((_, form, { params }) => {
      pictured.push(`${params['id']} ${[...form.keys()].join()}`);
      const sound = { ...sounds[0], id: params['id'], updated_at: `pictured ${params['id']}` };
      return Promise.resolve({ sound }) as unknown as Promise<void>;
    });
    await applyOutcomes(plan({ content_id: { mode: 'set', value: 'none' } }), picture);
    expect(pictured).toEqual(['s0 thumbnail', 's2 thumbnail']);
    expect(done()).toMatchObject({ changed: 2, refused: [{ id: 's1' }] });
    reasons = {};
    await undoChanges();
    expect(sent[1]?.map(({ updated_at }) => updated_at)).toEqual(['pictured s0', 'pictured s2']);
    expect(pictured).toHaveLength(2);
  });

  it.each([
    ['the values', 0],
    ['a picture', 1],
  ])('sends and shows nothing more once the member has left during %s', async (_, answered) => {
    const picture = new File(['pixels'], '絵.png');
    const answer = callApi.getMockImplementation()!;
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    callApi.mockImplementation(async (endpoint, options) => {
      if (answered === 0) await held;
      return answer(endpoint, options);
    });
    uploadForm.mockImplementation(async () => {
      await held;
      return { sound: { ...sounds[0], title: '遅い' } } as unknown as undefined;
    });
    const running = applyOutcomes(plan({ content_id: { mode: 'set', value: 'none' } }), picture);
    await vi.waitFor(() => expect(answered === 0 ? callApi : uploadForm).toHaveBeenCalled());
    forgetSession();
    rememberUser({ ...MEMBER, id: '2' });
    const left = [$applying.get(), mySounds.$list.get()];
    release();
    await running;
    expect($applying.get()).toEqual({ state: 'idle' });
    expect([$applying.get(), mySounds.$list.get()]).toEqual(left);
    expect(uploadForm).toHaveBeenCalledTimes(answered);
    expect(uploadForm.mock.calls.every(([, , { signal }]) => signal.aborted)).toBe(true);
    expect(showToast).not.toHaveBeenCalled();
  });
});
