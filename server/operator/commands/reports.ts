import { REPORT_STATES } from '../../../contract/reports.ts';
import { STAFF_ACTIONS, decideReport, getReport, listReports } from '../../features/reports/reports.ts';
import type { ReportPage, StaffAction, StaffReport } from '../../features/reports/reports.ts';
import { toColumns, toFacts, toTime } from '../columns.ts';
import type { Command, CommandCall } from '../command.ts';
import { Refusal, UsageError } from '../refusals.ts';

/** Pages that the list reads; a console pages without an end. */
const PAGES_MAX = 5;

const ABOUT: Readonly<Record<StaffAction, string>> = {
  ask: 'tell the artist of a held report, and ask for an answer',
  hide: 'hide the sound of a report; before the deadline, the artist can still answer',
  restore: 'show the sound of a report again',
  delete: 'delete the sound of a report permanently',
  dismiss: 'close a report and show its sound again; both sides see the reason',
};

export const reports: Readonly<Record<string, Command>> = {
  list: {
    reads: true,
    takes: ['state'],
    about: 'list the open reports of sounds, or those of a state, overdue ones first',
    takesJson: true,
    async run({ context, chosen, isJson, print }) {
      const state = toState(chosen.state);
      const found: StaffReport[] = [];
      let cursor: ReportPage['nextCursor'] = null;
      for (let page = 0; page < PAGES_MAX && (page === 0 || cursor !== null); page += 1) {
        const { reports: more, nextCursor }: ReportPage = await listReports(context, { state, cursor });
        found.push(...more);
        cursor = nextCursor;
      }
      if (isJson) return print(JSON.stringify(found, null, 2));
      if (found.length === 0) return print('There are no such reports.');
      print(
        toColumns(
          ['ID', 'SINCE', 'STATE', 'DUE', 'REASON', 'SOUND', 'ARTIST', 'TITLE'],
          found.map((each) => [
            each.id,
            toTime(each.created_at),
            toStateText(each),
            toTime(each.due_at),
            each.reason,
            each.sound_id,
            each.artist ?? '(deleted)',
            each.sound_title || 'Untitled',
          ]),
        ),
      );
      if (cursor !== null) print(`The list is limited to ${found.length} rows.`);
    },
  },
  show: {
    reads: true,
    target: 'ID',
    about: 'show a report: what the reporter and the artist wrote, and what happened',
    takesJson: true,
    async run({ context, target, isJson, print }) {
      const report = await getReport(context, target);
      if (isJson) return print(JSON.stringify(report, null, 2));
      const isConfirmed = report.is_confirmed === 1;
      print(
        toFacts({
          ID: report.id,
          State: toStateText(report),
          ...(report.due_at !== null && { Due: toTime(report.due_at) }),
          Actions: report.allowedActions.join(', ') || 'none',
          Sound: `${report.sound_title || 'Untitled'} ${context.siteUrl}/sounds/${report.sound_id}`,
          Artist: report.artist ?? '(deleted)',
          Reason: report.reason,
          Reporter: `${report.name} <${report.email}>${isConfirmed ? '' : ' (address not confirmed)'}`,
          ...(report.relation !== '' && { Relation: report.relation }),
          'Name for artist': report.shares_name === 1 ? 'may be told' : 'must not be told',
          Explanation: report.explanation,
          ...(report.answer !== '' && { Answer: report.answer }),
        }),
      );
      for (const { event, state, at, reason } of report.history) {
        print(toFacts({ [toTime(at)]: [event, `-> ${state}`, reason].filter(Boolean).join(' ') }));
      }
    },
  },
  ...Object.fromEntries(STAFF_ACTIONS.map((action) => [action, toDecision(action)])),
};

function toStateText({ state, asking, isOverdue, isOpen }: StaffReport): string {
  if (isOverdue) return `${state} (overdue)`;
  return isOpen && asking === 'held' ? `${state} (held)` : state;
}

function toDecision(action: StaffAction): Command {
  return {
    target: 'ID',
    needs: ['reason'],
    about: ABOUT[action],
    run: (call) => decide(call, action),
  };
}

async function decide(call: CommandCall, action: StaffAction): Promise<void> {
  const { context, target, reason, print } = call;
  const staff = await call.requireStaff();
  const { state: before, version, allowedActions } = await getReport(context, target);
  if (!allowedActions.includes(action)) {
    throw new Refusal(`${target} is ${before}, which allows: ${allowedActions.join(', ') || 'nothing'}`);
  }
  const decision = { action, reason, version };
  const { report, sound } = await decideReport(context, target, staff.id, decision);
  print(`${report.id}: ${report.state}.`);
  if (sound === 'other-reason') print('The sound stays hidden for another reason.');
  print('Queued the mails. The running server sends them within seconds, otherwise at its next start.');
}

function toState(text: string | undefined): (typeof REPORT_STATES)[number] | 'open' {
  const state = [...REPORT_STATES, 'open' as const].find((known) => known === (text ?? 'open'));
  if (state === undefined) throw new UsageError(`--state must be open or one of ${REPORT_STATES.join(', ')}`);
  return state;
}
