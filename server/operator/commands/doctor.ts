import { existsSync } from 'node:fs';
import { FEATURES, FILE_OWNERS } from '../../features.ts';
import { listChecks } from '../../features/doctor/checks.ts';
import { repair, runChecks } from '../../features/doctor/run.ts';
import type { CheckResult, Report } from '../../features/doctor/run.ts';
import type { Finding } from '../../features/doctor/check.ts';
import { createChangeWriter } from '../../platform/concurrency/page-changes.ts';
import { systemClock } from '../../platform/concurrency/clock.ts';
import { openDatabase } from '../../schema/open.ts';
import { randomId } from '../../platform/database/statements/random-id.ts';
import type { Database } from '../../platform/database/open.ts';
import { createLog } from '../../platform/log.ts';
import { openStorage } from '../../platform/storage/open.ts';
import { SettingsError } from '../../settings.ts';
import type { Settings } from '../../settings.ts';
import { toPlain } from '../columns.ts';
import type { BareCall, BareCommand } from '../command.ts';
import { getStaff } from '../members.ts';
import { Refusal, UsageError, toErrorLine } from '../refusals.ts';

export const doctor: BareCommand = {
  flags: ['fix', 'network'],
  about: 'find what is wrong with the site; --fix repairs what is safe; exit code 1 for a problem',
  takesJson: true,
  async runBare(call) {
    if (call.flags.has('fix') && call.actingEmail === '') {
      throw new UsageError('doctor --fix is recorded: use --as EMAIL or set OPERATOR_AS');
    }
    const settings = checkSettings(call);
    if (settings === undefined) return 1;
    if (settings.apiOrigin !== null) throw new Refusal(`the data is on another host: ${settings.apiOrigin}`);
    const opened = openLazily(settings);
    try {
      const { report, repaired, notRepaired } = await examine(call, settings, opened);
      if (call.isJson) call.print(JSON.stringify({ ...toJson(report), repaired, notRepaired }, null, 2));
      else call.print(toSummary(report));
      return report.problems === 0 && notRepaired.length === 0 ? 0 : 1;
    } finally {
      await opened.close();
    }
  },
};

/** The first check: undefined if the settings cannot be read. */
function checkSettings({ readSettings, isJson, print }: BareCall): Settings | undefined {
  try {
    return readSettings();
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    const finding: Finding = {
      kind: 'invalid',
      count: 1,
      examples: [],
      found: error.message,
      meaning: 'The server does not start.',
      remedy: 'Correct the settings; .env.example describes each. The other checks need them.',
    };
    const failed: CheckResult = {
      name: 'settings',
      priority: 'critical',
      state: 'failed',
      findings: [finding],
    };
    const report = { results: [failed], problems: 1 };
    print(isJson ? JSON.stringify(toJson(report), null, 2) : `${toText(failed)}\n${toSummary(report)}`);
    return undefined;
  }
}

/** `notRepaired`: the repairs that failed, each with its reason; the others were made. */
interface Examined {
  readonly report: Report;
  readonly repaired: readonly string[];
  readonly notRepaired: readonly string[];
}

async function examine(
  call: BareCall,
  settings: Settings,
  opened: ReturnType<typeof openLazily>,
): Promise<Examined> {
  const { flags, isJson, print } = call;
  const site = {
    settings,
    files: FILE_OWNERS,
    clock: systemClock,
    nodeVersion: process.versions.node,
    ...opened,
  };
  const options = {
    usesNetwork: flags.has('network'),
    ...(!isJson && { onResult: (result: CheckResult) => print(toText(result)) }),
  };
  const checks = listChecks(FEATURES);
  const report = await runChecks(checks, site, options);
  const broken = report.results.filter(({ findings }) => findings.some(({ fix }) => fix !== undefined));
  if (!flags.has('fix') || broken.length === 0) return { report, repaired: [], notRepaired: [] };
  const done = await repairAll(call, settings, opened, broken);
  // Repaired parts are checked again.
  const names = new Set(broken.map(({ name }) => name));
  const second = await runChecks(
    checks.filter(({ name }) => names.has(name)),
    site,
    options,
  );
  const results = report.results.map((each) => second.results.find(({ name }) => name === each.name) ?? each);
  const isProblem = ({ state, priority }: CheckResult) => state === 'failed' && priority !== 'info';
  return { report: { results, problems: results.filter(isProblem).length }, ...done };
}

/** If a repair fails, the others are still tried. */
async function repairAll(
  { actingEmail, isJson, print, printError }: BareCall,
  settings: Settings,
  opened: ReturnType<typeof openLazily>,
  broken: readonly CheckResult[],
): Promise<Omit<Examined, 'report'>> {
  const [repaired, notRepaired]: [string[], string[]] = [[], []];
  const fail = (name: string, error: unknown) => {
    notRepaired.push(`${name}: ${toErrorLine(error, name)}`);
    printError(`not repaired: ${notRepaired.at(-1) ?? ''}`);
  };
  try {
    const database = await openDatabase(settings.database, { access: 'write' });
    const logger = createLog('error', { write: printError });
    const changes = createChangeWriter(database, randomId(), logger);
    try {
      const staff = await getStaff(database, actingEmail);
      const tools = { database, storage: await opened.openStorage(), clock: systemClock, logger };
      for (const { name, findings } of broken) {
        for (const finding of findings) {
          try {
            const done = await repair(tools, staff.id, name, finding);
            if (done === undefined) continue;
            changes.announce();
            repaired.push(`${name}: ${done}`);
            if (!isJson) print(`fix   ${name}: ${done}`);
          } catch (error) {
            fail(name, error);
          }
        }
      }
    } finally {
      await changes.close();
      await database.close();
    }
  } catch (error) {
    fail('--fix', error);
  }
  return { repaired, notRepaired };
}

/** Opened once, when the first check needs them; a missing database is not created. */
function openLazily({ database: location, storage }: Settings) {
  let opening: Promise<Database> | undefined;
  return {
    openDatabase: () =>
      (opening ??=
        location.kind === 'sqlite' && !existsSync(location.file)
          ? Promise.reject(new Refusal(`there is no database at ${location.file}`))
          : openLikeServer(location)),
    openStorage: () => openStorage(storage),
    async close() {
      await (await opening?.catch(() => undefined))?.close();
    },
  };
}

/**
 * For reading only, without limits of time. Through a pooler that does not pass these settings on, as the server connects,
 * if it can: then a check of more than half a minute is reported as not carried out.
 */
async function openLikeServer(location: Settings['database']): Promise<Database> {
  try {
    return await openDatabase(location, { access: 'read' });
  } catch (error) {
    if (!(error instanceof Error && error.name === 'PoolerSettingsError')) throw error;
    return openDatabase(location, { access: 'write' });
  }
}

function toText({ name, priority, state, findings }: CheckResult): string {
  if (state !== 'failed') return `${state === 'passed' ? 'ok   ' : 'skip '} ${name}`;
  const label = priority === 'info' ? 'info ' : 'FAIL ';
  return findings
    .map(({ found, meaning, remedy, examples, count }) =>
      [
        `${label} ${name} (${priority})`,
        ...toIndented(found),
        ...examples.map((example) => `        - ${toPlain(example)}`),
        ...(examples.length > 0 && count > examples.length ? ['        - …'] : []),
        ...toIndented(`Meaning: ${meaning}`),
        ...toIndented(`What to do: ${remedy}`),
      ].join('\n'),
    )
    .join('\n');
}

function toIndented(text: string): string[] {
  return text.split('\n').map((line) => `      ${toPlain(line)}`);
}

function toSummary({ results, problems }: Report): string {
  const countIn = (state: CheckResult['state']) => results.filter((each) => each.state === state).length;
  const counts = `${countIn('passed')} passed, ${countIn('failed')} failed, ${countIn('skipped')} skipped`;
  return problems === 0 ? `Nothing to repair: ${counts}.` : `Problems: ${counts}.`;
}

function toJson({ results, problems }: Report) {
  return {
    problems,
    checks: results.map(({ findings, ...result }) => ({
      ...result,
      findings: findings.map(({ fix, ...finding }) => ({ ...finding, isFixable: fix !== undefined })),
    })),
  };
}
