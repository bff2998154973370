import { recordAction, requireStaff } from '../staff/actions.ts';
import type { RecordedAction } from '../staff/actions.ts';
import { diagnose } from './check.ts';
import type { Check, Finding, Priority, Site, Tools } from './check.ts';
import type { Handle } from '../../platform/database/handle.ts';

/** - `skipped`: it needs the network, or an earlier check ended the run. */
export type CheckState = 'passed' | 'failed' | 'skipped';

export interface CheckResult {
  readonly name: string;
  readonly priority: Priority;
  readonly state: CheckState;
  readonly findings: readonly Finding[];
}

export interface Report {
  readonly results: readonly CheckResult[];
  /** Failed checks of priority critical or warning. */
  readonly problems: number;
}

export interface RunOptions {
  /** Only checks that may run in the server process every few minutes. */
  readonly forConsole?: boolean;
  readonly usesNetwork?: boolean;
  /** Called after each check. */
  readonly onResult?: (result: CheckResult) => void;
}

/** Runs checks in their order, one at a time. A check that cannot be carried out has failed. Never throws. */
export async function runChecks(
  checks: readonly Check[],
  site: Site,
  { forConsole = false, usesNetwork = false, onResult }: RunOptions = {},
): Promise<Report> {
  const results: CheckResult[] = [];
  let hasEnded = false;
  for (const check of checks) {
    if (forConsole && check.consoleText === null) continue;
    const isSkipped: boolean = hasEnded || (check.needsNetwork === true && !usesNetwork);
    const findings: readonly Finding[] = isSkipped ? [] : await runCheck(check, site);
    const state: CheckState = isSkipped ? 'skipped' : findings.length === 0 ? 'passed' : 'failed';
    hasEnded ||= check.endsRun === true && state === 'failed';
    const result = { name: check.name, priority: check.priority, state, findings } as const;
    results.push(result);
    onResult?.(result);
  }
  const isProblem = ({ state, priority }: CheckResult) => state === 'failed' && priority !== 'info';
  return { results, problems: results.filter(isProblem).length };
}

/**
 * Repairs a finding, after recording that a staff account does so: a repair that is interrupted is on record too.
 * Returns what was done; undefined if the finding has no repair. Throws `Problem` 403 for a caller who is not staff.
 */
export async function repair(
  tools: Tools,
  staffId: string,
  check: string,
  { kind, found, fix }: Finding,
): Promise<string | undefined> {
  if (fix === undefined) return undefined;
  await tools.database.db.transaction().execute(async (transaction: Handle) => {
    await requireStaff(transaction, staffId);
    const action: RecordedAction = {
      staffId,
      action: 'doctor fix',
      subject: `${check}: ${kind}`,
      note: found,
    };
    await recordAction(transaction, action, tools.clock.now());
  });
  return fix(tools);
}

async function runCheck(check: Check, site: Site): Promise<readonly Finding[]> {
  try {
    return await check.run(site);
  } catch (error) {
    const reason = error instanceof Error ? error.message || error.name : String(error);
    return [
      diagnose({
        kind: 'not-checked',
        found: `The check could not be carried out: ${reason}`,
        meaning: 'It is unknown whether this part is in order.',
        remedy: 'Remove the cause and run the doctor again.',
      }),
    ];
  }
}
