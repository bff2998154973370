import { parseSettings, SettingsError } from '../settings.ts';
import { toPlain } from './columns.ts';
import { parseCommandLine, toHelp } from './command-line.ts';
import type { Invocation } from './command-line.ts';
import { openCommandContext } from './context.ts';
import { getStaff } from './members.ts';
import { UsageError, toErrorLine } from './refusals.ts';

export interface Terminal {
  print(text: string): void;
  printError(line: string): void;
}

/** Runs one command and returns the exit code: 0 done, 1 refused or failed, 2 usage error. */
export async function runOperator(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  { print, printError }: Terminal,
): Promise<number> {
  let subject = '';
  const report = (line: string) => printError(`operator: ${line}`);
  try {
    const invocation = parseCommandLine(args, env);
    if (invocation === 'help') {
      print(toHelp());
      return 0;
    }
    subject = invocation.target;
    return await execute(invocation, env, { print, printError: report });
  } catch (error) {
    const isUsage = error instanceof UsageError;
    report(toPlain(toErrorLine(error, subject)));
    if (isUsage) printError('See npm run operator -- --help');
    return isUsage || error instanceof SettingsError ? 2 : 1;
  }
}

async function execute(
  { command, actingEmail, ...given }: Invocation,
  env: Readonly<Record<string, string | undefined>>,
  { print, printError }: Terminal,
): Promise<number> {
  const readSettings = () => parseSettings(env);
  if ('runBare' in command) {
    return (await command.runBare({ ...given, actingEmail, readSettings, print, printError })) ?? 0;
  }
  const context = await openCommandContext(readSettings(), printError, command.reads ? 'read' : 'write');
  try {
    const code = await command.run({
      ...given,
      context,
      print,
      async requireStaff() {
        if (actingEmail === '')
          throw new UsageError('a staff account is required: use --as EMAIL or set OPERATOR_AS');
        return getStaff(context.database, actingEmail);
      },
    });
    return code ?? 0;
  } finally {
    await context.close();
  }
}
