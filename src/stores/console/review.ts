import { computed } from 'nanostores';
import { ApiError } from '../../../contract/errors.ts';
import {
  type ReviewedApplication,
  type WaitingApplication,
  getApplication,
  listApplications,
  reviewApplication,
} from '../../../contract/operator.ts';
import { callApi } from '../../api/browser.ts';
import { showToast } from '../overlays/overlays.ts';
import { memberAtom, memberSignal } from '../shared/member-atom.ts';
import { presentError } from '../shared/request-errors.ts';

/** A decision is sent after this time, so that a slip of a finger can be taken back: mails and deletion are final. */
export const UNDO_MS = 5_000;
/** How often an application is read again while its files are being decoded. */
const DECODING_POLL_MS = 2_000;
/** The addresses of its files are valid for ten minutes. */
const FRESH_MS = 8 * 60_000;

export interface Desk {
  readonly state: 'loading' | 'ready' | 'failed';
  readonly error: unknown;
  /** Waiting applications in the order of work. */
  readonly queue: readonly WaitingApplication[];
  /** The place in the queue of the application on the screen. */
  readonly index: number;
  /** Decisions of this visit that were sent. */
  readonly decided: number;
}

/** A decision that can still be taken back. */
export interface HeldDecision {
  readonly application: WaitingApplication;
  /** Its place in the queue. */
  readonly index: number;
  readonly action: 'approve' | 'reject';
  readonly reason: string;
}

/** Before the queue is read. */
export const EMPTY_DESK: Desk = { state: 'loading', error: null, queue: [], index: 0, decided: 0 };

export const $desk = memberAtom<Desk>(EMPTY_DESK);
interface ReadApplication {
  readonly application: ReviewedApplication;
  /** By `performance.now()`. */
  readonly readAtMs: number;
}

/** Applications that were read, by id. */
export const $applications = memberAtom<Readonly<Record<string, ReadApplication>>>({});
export const $held = memberAtom<HeldDecision | null>(null, () => clearTimeout(timer));

/** The application on the screen; undefined while it is read or when the queue is empty. */
export const $current = computed([$desk, $applications], ({ queue, index }, applications) => {
  const waiting = queue[index];
  return waiting && applications[waiting.id]?.application;
});

let timer: ReturnType<typeof setTimeout> | undefined;

/** Reads the queue and shows its first application, or the one with this id. */
export async function openDesk(id = ''): Promise<void> {
  await sendHeld();
  $desk.set({ ...EMPTY_DESK, decided: $desk.get().decided });
  try {
    const { results: queue } = await callApi(listApplications, { signal: memberSignal() });
    const index = Math.max(
      0,
      queue.findIndex((waiting) => waiting.id === id),
    );
    $desk.set({ ...$desk.get(), state: 'ready', queue, index });
    await readAround();
  } catch (error) {
    if (!memberSignal().aborted) $desk.set({ ...$desk.get(), state: 'failed', error });
  }
}

/** Shows another application of the queue; its ends are joined. */
export function move(by: 1 | -1): void {
  const desk = $desk.get();
  const { length } = desk.queue;
  if (length < 2) return;
  $desk.set({ ...desk, index: (desk.index + by + length) % length });
  void readAround();
}

/**
 * Decides on the application on the screen and shows the next one. The decision is sent in `UNDO_MS`, or before the next
 * one. Returns false if the server does not allow the action.
 */
export function decide(action: 'approve' | 'reject', reason = ''): boolean {
  const desk = $desk.get();
  const waiting = desk.queue[desk.index];
  if (waiting === undefined || !$current.get()?.allowed.includes(action)) return false;
  void sendHeld();
  const queue = desk.queue.filter(({ id }) => id !== waiting.id);
  $desk.set({ ...desk, queue, index: desk.index < queue.length ? desk.index : 0 });
  $held.set({ application: waiting, index: desk.index, action, reason });
  timer = setTimeout(() => void sendHeld(), UNDO_MS);
  void readAround();
  return true;
}

/** Takes the last decision back and shows its application again. */
export function undo(): void {
  const held = $held.get();
  if (held === null) return;
  clearTimeout(timer);
  $held.set(null);
  putBack(held);
}

/** Sends the held decision now, for example because the page is left. Never throws. */
export async function sendHeld(): Promise<void> {
  const held = $held.get();
  if (held === null) return;
  clearTimeout(timer);
  $held.set(null);
  const { application, action, reason } = held;
  try {
    await callApi(reviewApplication, {
      params: { id: application.id },
      body: { action, reason },
      keepalive: true,
    });
    $desk.set({ ...$desk.get(), decided: $desk.get().decided + 1 });
  } catch (error) {
    const isDecided = error instanceof ApiError && (error.status === 409 || error.status === 404);
    presentError(error, { toasts: 'each' });
    if (!isDecided) putBack(held);
  }
}

/**
 * Puts the application on the screen aside and shows the next one, or puts it back into the queue, where it stays on the
 * screen.
 */
export async function togglePark(): Promise<void> {
  const desk = $desk.get();
  const waiting = desk.queue[desk.index];
  const allowed = $current.get()?.allowed ?? [];
  const action = allowed.find((each) => each === 'park' || each === 'unpark');
  if (waiting === undefined || action === undefined) return;
  const isParking = action === 'park';
  // At once, so that the next key is about the application that the person sees.
  if (isParking) place({ ...waiting, is_parked: true }, desk.queue.length - 1);
  try {
    await callApi(reviewApplication, { params: { id: waiting.id }, body: { action } });
  } catch (error) {
    presentError(error, { toasts: 'each' });
    if (isParking) place(waiting, desk.index);
    return;
  }
  if (!isParking) place({ ...waiting, is_parked: false });
  showToast('success', isParking ? `${waiting.username} さんをあとに回しました` : '順番に戻しました');
  // What the server allows has changed.
  await read(waiting.id);
}

/** Replaces an application of the queue, and moves it if `to` is given. The screen shows the same place as before. */
function place(application: WaitingApplication, to?: number): void {
  const desk = $desk.get();
  const from = desk.queue.findIndex(({ id }) => id === application.id);
  if (from === -1) return;
  $desk.set({ ...desk, queue: desk.queue.toSpliced(from, 1).toSpliced(to ?? from, 0, application) });
  void readAround();
}

function putBack({ application, index }: HeldDecision): void {
  const desk = $desk.get();
  if (desk.queue.some(({ id }) => id === application.id)) return;
  $desk.set({ ...desk, queue: desk.queue.toSpliced(index, 0, application), index });
  void readAround();
}

/** Reads the application on the screen, and the next one ahead of time. */
async function readAround(): Promise<void> {
  const { queue, index } = $desk.get();
  const ahead = queue[(index + 1) % queue.length];
  for (const waiting of [queue[index], ahead]) {
    if (waiting && !isFresh(waiting.id)) await read(waiting.id);
  }
}

async function read(id: string): Promise<void> {
  if (memberSignal().aborted) return;
  try {
    const application = await callApi(getApplication, { params: { id }, signal: memberSignal() });
    const read = { application, readAtMs: performance.now() };
    $applications.set({ ...$applications.get(), [id]: read });
    const isDecoding = application.files.some(({ analysis }) => analysis === null);
    if (application.state === 'pending')
      setTimeout(() => void readAgain(id), isDecoding ? DECODING_POLL_MS : FRESH_MS);
  } catch (error) {
    if (!memberSignal().aborted) presentError(error, { toasts: 'each' });
  }
}

function isFresh(id: string): boolean {
  const known = $applications.get()[id];
  return known !== undefined && performance.now() - known.readAtMs < FRESH_MS;
}

/** While it is still on the screen. */
async function readAgain(id: string): Promise<void> {
  const { queue, index } = $desk.get();
  if (queue[index]?.id === id) await read(id);
}
