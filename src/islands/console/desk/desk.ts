import { computed } from 'nanostores';
import { ApiError } from '../../../../contract/calls/errors.ts';
import { showToast } from '../../../stores/overlays/overlays.ts';
import { memberAtom, memberSignal } from '../../../stores/shared/member-atom.ts';
import { isCancelled, presentError } from '../../../stores/shared/request-errors.ts';
import { createHeldDecisions } from './held.ts';

/** An entry is read again when it is older than this. */
export const FRESH_MS = 8 * 60_000;

/** An entry of a queue. */
export interface Waiting {
  readonly id: string;
  readonly username: string;
  readonly submitted_at: number;
}

/** An entry with everything that a decision needs. */
interface Item {
  readonly state: string;
  /** What the server allows the caller to do now. */
  readonly allowed: readonly string[];
}

interface DeskState<Entry extends Waiting> {
  readonly state: 'loading' | 'ready' | 'failed';
  readonly error: unknown;
  /** Waiting entries in the order of work. */
  readonly queue: readonly Entry[];
  /** The index of the entry on the screen. */
  readonly index: number;
  /** Decisions of this visit that were sent. */
  readonly decided: number;
}

/** Before the queue is read. */
const LOADING_DESK: DeskState<never> = {
  state: 'loading',
  error: null,
  queue: [],
  index: 0,
  decided: 0,
};

/** An entry that could not be read. */
export interface Unread {
  readonly id: string;
  readonly error: unknown;
}

interface Decision {
  readonly action: 'approve' | 'reject';
  /** '' for an approval. */
  readonly reason: string;
}

/** A decision that can still be taken back. */
interface HeldDecision<Entry extends Waiting> extends Decision {
  readonly entry: Entry;
  /** Its index in the queue. */
  readonly index: number;
  send(): Promise<void>;
}

interface DeskCalls<Entry extends Waiting, Read extends Item> {
  list(signal: AbortSignal): Promise<readonly Entry[]>;
  read(id: string, signal: AbortSignal): Promise<Read>;
  /**
   * Called when a decision is made; returns the call that sends it later, with what it needs from the screen. Null: not
   * possible now.
   */
  prepare(item: Read, entry: Entry, decision: Decision): (() => Promise<void>) | null;
  /** When the entry on the screen is read again, in ms; undefined: never. */
  toRereadMs?(item: Read): number;
}

export type Desk<Entry extends Waiting, Read extends Item> = ReturnType<typeof createDesk<Entry, Read>>;

/** A queue of which one entry is on the screen and decided at a time. For module-level stores only. */
export function createDesk<Entry extends Waiting, Read extends Item>(calls: DeskCalls<Entry, Read>) {
  const $desk = memberAtom<DeskState<Entry>>(LOADING_DESK);
  /** Entries that were read, by id, and when by `performance.now()`. */
  const $items = memberAtom<Readonly<Record<string, { readonly item: Read; readonly readAtMs: number }>>>({});
  /** Entries whose last reading failed, by id. */
  const $failures = memberAtom<Readonly<Record<string, Unread>>>({});
  const $reasons = memberAtom<Readonly<Record<string, string>>>({});
  /** Ids of decided entries, which an older list still contains. */
  const $decided = memberAtom<ReadonlySet<string>>(new Set());
  const held = createHeldDecisions<HeldDecision<Entry>>(settle);
  /** The entry on the screen; undefined while it is read, when that failed, or when the queue is empty. */
  const $current = computed([$desk, $items], ({ queue, index }, items) => {
    const entry = queue[index];
    return entry && items[entry.id]?.item;
  });
  /** Why the entry on the screen could not be read; undefined otherwise. */
  const $failure = computed([$desk, $items, $failures], ({ queue, index }, items, failures) => {
    const entry = queue[index];
    return entry && items[entry.id] === undefined ? failures[entry.id] : undefined;
  });
  /** The reason of the last rejection of the entry on the screen that was taken back or not sent; ''. */
  const $reason = computed([$desk, $reasons], ({ queue, index }, reasons) => {
    const entry = queue[index];
    return (entry && reasons[entry.id]) ?? '';
  });

  /** Reads the queue and shows its first entry, or the one with this id. */
  async function open(id = ''): Promise<void> {
    const signal = memberSignal();
    $desk.set({ ...LOADING_DESK, decided: $desk.get().decided });
    try {
      const listed = await calls.list(signal);
      signal.throwIfAborted();
      const queue = listed.filter((entry) => !held.isUnderWay(entry.id) && !$decided.get().has(entry.id));
      const index = Math.max(
        0,
        queue.findIndex((entry) => entry.id === id),
      );
      $desk.set({ ...$desk.get(), state: 'ready', queue, index });
      await readAround();
    } catch (error) {
      if (!signal.aborted) $desk.set({ ...$desk.get(), state: 'failed', error });
    }
  }

  /** Shows another entry of the queue; wraps around at both ends. */
  function move(by: 1 | -1): void {
    const desk = $desk.get();
    const { length } = desk.queue;
    if (length < 2) return;
    $desk.set({ ...desk, index: (desk.index + by + length) % length });
    void readAround();
  }

  /** Decides on the entry on the screen and shows the next. Sent in `UNDO_MS`. False: not possible now. */
  function decide(action: Decision['action'], reason = ''): boolean {
    const desk = $desk.get();
    const entry = desk.queue[desk.index];
    const item = $current.get();
    if (entry === undefined || !item?.allowed.includes(action)) return false;
    const send = calls.prepare(item, entry, { action, reason });
    if (send === null) return false;
    const queue = desk.queue.filter(({ id }) => id !== entry.id);
    $desk.set({ ...desk, queue, index: desk.index < queue.length ? desk.index : 0 });
    held.hold({ entry, index: desk.index, action, reason, send });
    void readAround();
    return true;
  }

  /** Takes back the decision on this entry, or the newest one, and shows its entry again. */
  function undo(id?: string): void {
    const decision = held.release(id);
    if (decision === undefined) return;
    putBack(decision);
    $desk.set({ ...$desk.get(), index: findIndex(decision.entry.id) });
    void readAround();
  }

  /** Sends a decision. Its entry returns to the queue if it is still to be decided. */
  async function settle(decision: HeldDecision<Entry>): Promise<void> {
    const signal = memberSignal();
    const { id, username } = decision.entry;
    try {
      await decision.send();
      if (signal.aborted) return;
      $decided.set(new Set([...$decided.get(), id]));
      $desk.set({ ...$desk.get(), decided: $desk.get().decided + 1 });
    } catch (error) {
      if (signal.aborted) return;
      const { problems } = presentError(error, { toasts: 'none' });
      // The entry on the screen is another one by now.
      if (isCancelled(error)) showToast('error', `${username} さん：判断を送っていません。`);
      for (const problem of problems) showToast('error', `${username} さん：${problem}`);
      const isOver = await isDecided(error, id);
      if (signal.aborted) return;
      if (isOver) $decided.set(new Set([...$decided.get(), id]));
      else putBack(decision);
    }
  }

  /** Whether a refused decision shows that someone else has decided; a 409 can have other reasons. */
  async function isDecided(error: unknown, id: string): Promise<boolean> {
    const status = error instanceof ApiError ? error.status : 0;
    if (status === 409) await read(id);
    return status === 404 || (status === 409 && $items.get()[id]?.item.state !== 'pending');
  }

  /** Replaces an entry of the queue, and moves it if `to` is given. The index on the screen stays. */
  function replace(entry: Entry, to?: number): void {
    const desk = $desk.get();
    const from = findIndex(entry.id);
    if (from === -1) return;
    $desk.set({ ...desk, queue: desk.queue.toSpliced(from, 1).toSpliced(to ?? from, 0, entry) });
    void readAround();
  }

  /** Returns an entry to its index in the queue. The screen keeps its entry, to which the next key applies. */
  function putBack({ entry, index, reason }: HeldDecision<Entry>): void {
    if (reason !== '') $reasons.set({ ...$reasons.get(), [entry.id]: reason });
    const desk = $desk.get();
    if (desk.queue.some(({ id }) => id === entry.id)) return;
    const queue = desk.queue.toSpliced(index, 0, entry);
    const isBefore = queue.length > 1 && queue.indexOf(entry) <= desk.index;
    $desk.set({ ...desk, queue, index: isBefore ? desk.index + 1 : desk.index });
    void readAround();
  }

  function findIndex(wanted: string): number {
    return $desk.get().queue.findIndex(({ id }) => id === wanted);
  }

  /** Reads the entry on the screen, and the next one ahead of time. */
  async function readAround(): Promise<void> {
    const signal = memberSignal();
    const { queue, index } = $desk.get();
    const ahead = queue[(index + 1) % queue.length];
    for (const entry of [queue[index], ahead]) {
      if (entry && !isFresh(entry.id)) await read(entry.id);
      // The next one would fail too, or ask for the password that was not given.
      if (signal.aborted || $failure.get() !== undefined) return;
    }
  }

  /** Reads an entry again. */
  async function read(id: string): Promise<void> {
    const signal = memberSignal();
    const { [id]: _, ...failures } = $failures.get();
    $failures.set(failures);
    try {
      const item = await calls.read(id, signal);
      signal.throwIfAborted();
      $items.set({ ...$items.get(), [id]: { item, readAtMs: performance.now() } });
      const rereadMs = calls.toRereadMs?.(item);
      if (rereadMs !== undefined && item.state === 'pending') setTimeout(() => void readAgain(id), rereadMs);
    } catch (error) {
      if (signal.aborted) return;
      // What was read earlier stays on the screen.
      if ($items.get()[id] !== undefined) presentError(error, { toasts: 'each' });
      $failures.set({ ...$failures.get(), [id]: { id, error } });
    }
  }

  function isFresh(id: string): boolean {
    const cached = $items.get()[id];
    return cached !== undefined && performance.now() - cached.readAtMs < FRESH_MS;
  }

  /** While it is still on the screen. */
  async function readAgain(id: string): Promise<void> {
    const { queue, index } = $desk.get();
    if (queue[index]?.id === id) await read(id);
  }

  const { $held } = held;
  /** Sends the decisions that wait now, for example because the page is left. Never throws. */
  const sendHeld = () => held.sendNow();
  return { $desk, $current, $failure, $held, $reason, open, move, decide, undo, sendHeld, read, replace };
}
