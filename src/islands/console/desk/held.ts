import { beforeLogOut } from '../../../browser/before-log-out.ts';
import { showToast } from '../../../stores/overlays/overlays.ts';
import { memberAtom, memberSignal } from '../../../stores/shared/member-atom.ts';

/** A decision is sent after this time, so that a slip of a finger can be taken back: mails and deletion are final. */
export const UNDO_MS = 5_000;

/** Names that one message lists. */
const NAMED_MAX = 3;

/** A decision that waits; it can be taken back until it is sent. */
interface Held {
  readonly entry: { readonly id: string; readonly username: string };
  send(): Promise<void>;
}

/**
 * Decisions that wait, each for its own time. `settle` sends one; it never throws. A log-out sends all of them first;
 * if that is no longer possible, it says so. For module-level stores only.
 */
export function createHeldDecisions<Decision extends Held>(settle: (decision: Decision) => Promise<void>) {
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  const sending = new Map<string, { readonly decision: Decision; readonly isSettled: Promise<void> }>();
  /** Oldest first. Each one leaves when it is sent or taken back. */
  const $held = memberAtom<readonly Decision[]>([], (held) => {
    for (const timer of timers.values()) clearTimeout(timer);
    const unsent = [...[...sending.values()].map(({ decision }) => decision), ...held];
    tellUnsent(unsent.map(({ entry }) => entry.username));
    timers.clear();
    sending.clear();
  });

  /** Sends a decision in `UNDO_MS`, however many follow. */
  function hold(decision: Decision): void {
    const { id } = decision.entry;
    $held.set([...$held.get(), decision]);
    timers.set(
      id,
      setTimeout(() => void sendNow(id), UNDO_MS),
    );
  }

  /** Takes back the decision on this entry, or the newest one. Returns it; undefined if none waits. */
  function release(id = $held.get().at(-1)?.entry.id): Decision | undefined {
    const decision = $held.get().find(({ entry }) => entry.id === id);
    if (decision === undefined) return undefined;
    clearTimeout(timers.get(decision.entry.id));
    timers.delete(decision.entry.id);
    $held.set($held.get().filter((each) => each !== decision));
    return decision;
  }

  /** Sends the decision on this entry now, or all that wait. Never throws. */
  async function sendNow(id?: string): Promise<void> {
    const ids = id === undefined ? $held.get().map(({ entry }) => entry.id) : [id];
    await Promise.all(ids.map(send));
  }

  async function send(id: string): Promise<void> {
    const decision = release(id);
    if (decision === undefined) return;
    const signal = memberSignal();
    const isSettled = settle(decision);
    sending.set(id, { decision, isSettled });
    await isSettled;
    // After a log-out, the next member may be sending one with the same id.
    if (!signal.aborted) sending.delete(id);
  }

  beforeLogOut(async () => {
    void sendNow();
    await Promise.all([...sending.values()].map(({ isSettled }) => isSettled));
  });
  /** Whether the decision on this entry waits or is being sent. */
  const isUnderWay = (id: string) => timers.has(id) || sending.has(id);
  return { $held, hold, release, sendNow, isUnderWay };
}

/** The session ended in another tab or by the host, or a log-out did not wait any longer. */
function tellUnsent(usernames: readonly string[]): void {
  if (usernames.length === 0) return;
  const others = usernames.length - NAMED_MAX;
  const names = usernames
    .slice(0, NAMED_MAX)
    .map((name) => `${name} さん`)
    .join('、');
  const whose = others > 0 ? `${names}、ほか${others}人` : names;
  showToast(
    'error',
    `ログアウトしたため、${whose}についての判断は確定していないことがあります。次にログインしたときに確かめてください。`,
  );
}
