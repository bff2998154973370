import { countOf } from './check.ts';
import type { Check, Diagnosis } from './check.ts';

/** A check to which several features contribute parts. */
type Shared = Omit<Check, 'run'>;

/** The files of `DATA_DIR/secrets` that a start makes, and what was sealed with an earlier one. */
export const SECRETS: Shared = {
  name: 'secrets',
  priority: 'critical',
  stage: 'quick',
  consoleText: '署名の鍵に問題があります',
};

/** What the hourly jobs should have done a day ago. */
export const OVERDUE: Shared = {
  name: 'overdue work',
  priority: 'warning',
  stage: 'quick',
  consoleText: '期限を過ぎた処理が残っています',
};

/** The one kind of `OVERDUE`. */
export const UNDONE: Diagnosis = {
  kind: 'undone',
  found: (count) => `${countOf(count, 'task')} should have been done more than a day ago.`,
  meaning: 'The hourly jobs of the server do not run, or fail. People were promised these times.',
  remedy:
    'Start the server; if it is running, look for "could not be" and "a scheduled job failed" in its log.',
};

/** What rows store twice, and values that no call writes. Each statement sees one moment. */
export const RECORDS: Shared = { name: 'records', priority: 'critical', stage: 'rows', consoleText: null };

/**
 * Rights, takedowns and pages that are not as the last action of the staff left them. The record of actions is
 * append-only, so that it proves what a row can only state.
 */
export const DECISIONS: Shared = {
  name: 'decisions',
  priority: 'critical',
  stage: 'rows',
  skipsCopies: true,
  consoleText: null,
};

/** Values that no call of the site writes. */
export const VALUES: Shared = { name: 'values', priority: 'critical', stage: 'rows', consoleText: null };
