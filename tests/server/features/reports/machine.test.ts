import { describe, expect, test } from 'vitest';
import { type ReportState, REPORT_STATES } from '#contract/reports.ts';
import {
  REPORT_EVENTS,
  STAFF_ACTIONS,
  applyEvent,
  isOpen,
  keepsHidden,
  listActions,
} from '#server/features/reports/machine.ts';
import type { ReportEvent } from '#server/features/reports/machine.ts';

/** All allowed transitions as `state event -> state, effect on the sound`. Whatever is not listed is refused. */
const ALLOWED = `
unconfirmed confirm -> waiting none
unconfirmed expire -> lapsed none
unconfirmed gone -> gone none
unconfirmed hide -> hidden hide
unconfirmed delete -> deleted delete
unconfirmed dismiss -> dismissed none
waiting ask -> waiting none
waiting tell -> waiting none
waiting answer -> answered none
waiting expire -> unanswered none
waiting gone -> gone none
waiting hide -> waiting-hidden hide
waiting delete -> deleted delete
waiting dismiss -> dismissed none
waiting-hidden answer -> answered-hidden none
waiting-hidden expire -> unanswered-hidden none
waiting-hidden gone -> gone none
waiting-hidden restore -> waiting show
waiting-hidden delete -> deleted delete
waiting-hidden dismiss -> dismissed show
answered gone -> gone none
answered hide -> hidden hide
answered delete -> deleted delete
answered dismiss -> dismissed none
answered-hidden gone -> gone none
answered-hidden hide -> hidden none
answered-hidden delete -> deleted delete
answered-hidden dismiss -> dismissed show
unanswered answer -> answered none
unanswered gone -> gone none
unanswered hide -> hidden hide
unanswered delete -> deleted delete
unanswered dismiss -> dismissed none
unanswered-hidden answer -> answered-hidden none
unanswered-hidden gone -> gone none
unanswered-hidden hide -> hidden none
unanswered-hidden delete -> deleted delete
unanswered-hidden dismiss -> dismissed show
hidden restore -> restored show
hidden delete -> deleted delete
`;

const expected = new Map(
  ALLOWED.trim()
    .split('\n')
    .map((line) => {
      const [, from = '', state, effect] = /^(\S+ \S+) -> (\S+) (\S+)$/.exec(line) ?? [];
      return [from, { state, effect }] as const;
    }),
);

describe('the state machine of a report', () => {
  const pairs = REPORT_STATES.flatMap((state) => REPORT_EVENTS.map((event) => [state, event] as const));

  test.each(pairs)('%s after %s', (state, event) => {
    expect(applyEvent(state, event)).toEqual(expected.get(`${state} ${event}`));
  });

  test('lists no transition of an unknown state or event', () => {
    const known = new Set(pairs.map(([state, event]) => `${state} ${event}`));
    expect([...expected.keys()].filter((pair) => !known.has(pair))).toEqual([]);
  });

  test('allows the staff exactly the actions that it applies', () => {
    for (const state of REPORT_STATES) {
      const possible = STAFF_ACTIONS.filter((action) => applyEvent(state, action) !== undefined);
      expect([state, listActions(state, 'held')]).toEqual([state, possible]);
      const others = possible.filter((action) => action !== 'ask');
      expect([state, listActions(state, 'asked')]).toEqual([state, others]);
    }
  });

  /** All states that can follow, by any events. */
  function reach(from: ReportState, events: readonly ReportEvent[] = REPORT_EVENTS): Set<ReportState> {
    const found = new Set([from]);
    for (const state of found) {
      for (const event of events) {
        const next = applyEvent(state, event)?.state;
        if (next !== undefined) found.add(next);
      }
    }
    return found;
  }

  test('reaches every state, and from each open state every decision', () => {
    expect([...reach('unconfirmed')].toSorted()).toEqual([...REPORT_STATES].toSorted());
    for (const state of REPORT_STATES.filter(isOpen)) {
      expect([...reach(state)]).toEqual(expect.arrayContaining(['hidden', 'deleted', 'dismissed']));
    }
  });

  test('never changes a sound without the staff', () => {
    const byStaff = new Set<ReportEvent>(STAFF_ACTIONS);
    for (const [state, event] of pairs) {
      const effect = applyEvent(state, event)?.effect;
      if (!byStaff.has(event)) expect([state, event, effect ?? 'none']).toEqual([state, event, 'none']);
    }
  });

  test('changes the sound exactly when a report begins or ceases to keep it hidden', () => {
    for (const [state, event] of pairs) {
      const next = applyEvent(state, event);
      if (next === undefined || next.effect === 'delete' || next.state === 'gone') continue;
      const effects = { true: 'hide', false: 'show' } as const;
      const isChanged = keepsHidden(state) !== keepsHidden(next.state);
      expect([state, event, next.effect]).toEqual([
        state,
        event,
        isChanged ? effects[`${keepsHidden(next.state)}`] : 'none',
      ]);
    }
  });

  test('ends: a closed report takes no answer and has no deadline', () => {
    for (const state of REPORT_STATES.filter((each) => !isOpen(each))) {
      for (const event of ['confirm', 'answer', 'expire', 'gone'] as const) {
        expect(applyEvent(state, event)).toBeUndefined();
      }
    }
  });
});
