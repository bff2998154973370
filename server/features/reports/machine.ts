import { REPORT_ACTIONS as STAFF_ACTIONS } from '../../../contract/operator/reports.ts';
import type { Asking, ReportAction as StaffAction } from '../../../contract/operator/reports.ts';
import type { ReportState } from '../../../contract/reports.ts';

export { STAFF_ACTIONS };
export type { StaffAction };

/**
 * Everything that changes a report. `confirm`: the reporter opened the mailed link. `tell`: the artist was mailed.
 * `answer`: the artist answered. `expire`: the current deadline passed. `gone`: the sound no longer exists. `ask`: the
 * staff wants the artist to be notified of a held report.
 */
export const REPORT_EVENTS = ['confirm', 'tell', 'answer', 'expire', 'gone', ...STAFF_ACTIONS] as const;
export type ReportEvent = (typeof REPORT_EVENTS)[number];

/** The state after each event. An event that a state does not list is refused (decision 089 has the diagram). */
const TRANSITIONS: Readonly<Record<ReportState, Partial<Readonly<Record<ReportEvent, ReportState>>>>> = {
  unconfirmed: {
    confirm: 'waiting',
    expire: 'lapsed',
    gone: 'gone',
    hide: 'hidden',
    delete: 'deleted',
    dismiss: 'dismissed',
  },
  waiting: {
    ask: 'waiting',
    tell: 'waiting',
    answer: 'answered',
    expire: 'unanswered',
    gone: 'gone',
    // The artist can still answer: the decision follows.
    hide: 'waiting-hidden',
    delete: 'deleted',
    dismiss: 'dismissed',
  },
  'waiting-hidden': {
    answer: 'answered-hidden',
    expire: 'unanswered-hidden',
    gone: 'gone',
    restore: 'waiting',
    delete: 'deleted',
    dismiss: 'dismissed',
  },
  answered: { gone: 'gone', hide: 'hidden', delete: 'deleted', dismiss: 'dismissed' },
  'answered-hidden': { gone: 'gone', hide: 'hidden', delete: 'deleted', dismiss: 'dismissed' },
  // An answer after the deadline counts until the decision.
  unanswered: { answer: 'answered', gone: 'gone', hide: 'hidden', delete: 'deleted', dismiss: 'dismissed' },
  'unanswered-hidden': {
    answer: 'answered-hidden',
    gone: 'gone',
    hide: 'hidden',
    delete: 'deleted',
    dismiss: 'dismissed',
  },
  hidden: { restore: 'restored', delete: 'deleted' },
  deleted: {},
  dismissed: {},
  restored: {},
  lapsed: {},
  gone: {},
};

/** What a transition does to the sound. */
export type SoundEffect = 'none' | 'hide' | 'show' | 'delete';

export interface Transition {
  readonly state: ReportState;
  readonly effect: SoundEffect;
}

/** The result of an event; undefined if the state does not allow it. */
export function applyEvent(state: ReportState, event: ReportEvent): Transition | undefined {
  const next = TRANSITIONS[state][event];
  return next && { state: next, effect: toEffect(state, next) };
}

/** The staff's possible actions, in a fixed order; a page draws a button for each. Only a held report can be asked. */
export function listActions(state: ReportState, asking: Asking): StaffAction[] {
  return STAFF_ACTIONS.filter(
    (action) => TRANSITIONS[state][action] !== undefined && (action !== 'ask' || asking === 'held'),
  );
}

/** Whether the report keeps its sound hidden. */
export function keepsHidden(state: ReportState): boolean {
  return state === 'hidden' || state.endsWith('-hidden');
}

/** Whether a decision is due. `hidden` is decided, although it can still be changed. */
export function isOpen(state: ReportState): boolean {
  return TRANSITIONS[state].gone !== undefined;
}

function toEffect(before: ReportState, after: ReportState): SoundEffect {
  if (after === 'deleted') return 'delete';
  if (after === 'gone' || keepsHidden(before) === keepsHidden(after)) return 'none';
  return keepsHidden(after) ? 'hide' : 'show';
}
