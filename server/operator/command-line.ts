import { parseArgs } from 'node:util';
import type { ParseArgsConfig } from 'node:util';
import { REASON_LENGTH_MAX } from '../features/staff/reasons.ts';
import type { BareCommand, Command, Commands, Options } from './command.ts';
import { backup } from './commands/backup.ts';
import { CONSOLE_COMMANDS } from './commands/console.ts';
import { copies } from './commands/copies.ts';
import { credits } from './commands/credits.ts';
import { doctor } from './commands/doctor.ts';
import { ledger } from './commands/ledger.ts';
import { mail } from './commands/mail.ts';
import { members } from './commands/members.ts';
import { personalInfo } from './commands/personal-info.ts';
import { sounds } from './commands/sounds.ts';
import { storage } from './commands/storage.ts';
import { synonyms } from './commands/synonyms.ts';
import { upgrade } from './commands/upgrade.ts';
import { UsageError } from './refusals.ts';

const NOUNS: Readonly<Record<string, Commands>> = {
  ...CONSOLE_COMMANDS,
  'personal-info': { ...CONSOLE_COMMANDS['personal-info'], ...personalInfo },
  members: { ...CONSOLE_COMMANDS.members, ...members },
  credits: { ...CONSOLE_COMMANDS.credits, ...credits },
  sounds,
  copies,
  ledger,
  synonyms,
  mail,
  backup,
  storage,
};
/** Commands without a verb. */
const VERBLESS: Readonly<Record<string, BareCommand>> = { doctor, upgrade };
const NAMED: readonly (readonly [string, Command | BareCommand])[] = [
  ...Object.entries(NOUNS).flatMap(([noun, verbs]) =>
    Object.entries(verbs).map(([verb, command]) => [`${noun} ${verb}`, command] as const),
  ),
  ...Object.entries(VERBLESS),
];
const FLAGS = [...new Set(NAMED.flatMap(([, { flags = [] }]) => flags))];
const NAMES = [...new Set(NAMED.flatMap(([, { takes, needs }]) => Object.keys({ ...takes, ...needs })))];

export interface Invocation {
  readonly command: Command | BareCommand;
  readonly target: string;
  readonly secondTarget: string;
  readonly options: Options;
  /** The acting staff account; '' if not given. */
  readonly actingEmail: string;
  readonly isJson: boolean;
  readonly flags: ReadonlySet<string>;
}

/** Parses the arguments after the program's name. Throws `UsageError`; returns 'help' if that was requested. */
export function parseCommandLine(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Invocation | 'help' {
  const { values, positionals } = parse(args);
  if (values['help']) return 'help';
  const { name, command, words } = findCommand(positionals);
  const [target = '', ...others] = words;
  const [secondTarget = '', ...rest] = command.secondTarget === undefined ? ['', ...others] : others;
  const options = toOptions(name, command, values);
  const flags = FLAGS.filter((flag) => values[flag] === true);
  for (const flag of flags)
    if (!command.flags?.includes(flag)) throw new UsageError(`${name} does not accept --${flag}`);
  if (command.secondTarget !== undefined && secondTarget === '')
    throw new UsageError(`${name} needs ${command.target} and ${command.secondTarget}`);
  if (command.target !== undefined && target === '') throw new UsageError(`${name} needs ${command.target}`);
  if (rest.length > 0 || (command.target === undefined && target !== '')) {
    throw new UsageError(`${name}: too many arguments; quote values that contain spaces`);
  }
  const isJson = values['json'] === true;
  if (isJson && !command.takesJson) throw new UsageError(`${name} does not accept --json`);
  if ([...(options['reason'] ?? '')].length > REASON_LENGTH_MAX) {
    throw new UsageError(`--reason is limited to ${REASON_LENGTH_MAX} characters`);
  }
  const actingEmail = typeof values['as'] === 'string' ? values['as'] : (env['OPERATOR_AS'] ?? '');
  return { command, target, secondTarget, options, actingEmail, isJson, flags: new Set(flags) };
}

/** The command, its name and the words after it. Throws `UsageError`. */
function findCommand(positionals: readonly string[]) {
  const [noun, verb = 'list', ...words] = positionals;
  if (noun === undefined) throw new UsageError('missing command');
  const verbless = Object.hasOwn(VERBLESS, noun) ? VERBLESS[noun] : undefined;
  if (verbless !== undefined) return { name: noun, command: verbless, words: positionals.slice(1) };
  const verbs = Object.hasOwn(NOUNS, noun) ? NOUNS[noun] : undefined;
  if (verbs === undefined) throw new UsageError(`unknown command "${noun}"`);
  const command = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
  if (command === undefined) {
    throw new UsageError(`${noun} has no command "${verb}"; use ${Object.keys(verbs).join(', ')}`);
  }
  return { name: `${noun} ${verb}`, command, words };
}

/** The command's options. Throws `UsageError` for an unknown or missing one. */
function toOptions(
  name: string,
  { takes = {}, needs = {} }: Command | BareCommand,
  values: ReturnType<typeof parse>['values'],
): Options {
  const given = NAMES.flatMap((option) => {
    const value = values[option];
    return typeof value === 'string' ? [[option, value.trim()] as const] : [];
  });
  const accepted = { ...takes, ...needs };
  for (const [option, value] of given) {
    if (!(option in accepted)) throw new UsageError(`${name} does not accept --${option}`);
    if (value === '') throw new UsageError(`--${option} needs ${accepted[option]}`);
  }
  const options = Object.fromEntries(given);
  for (const [option, value] of Object.entries(needs)) {
    if (!(option in options)) throw new UsageError(`${name} needs --${option} ${value}`);
  }
  return options;
}

export function toHelp(): string {
  const lines = NAMED.map(
    ([name, command]) => `  ${[name, ...toUsage(command)].join(' ')}\n      ${command.about}`,
  );
  return [
    'Usage: npm run operator -- COMMAND [--as EMAIL] [--json]',
    '',
    ...lines,
    '',
    '--as EMAIL (or OPERATOR_AS) is the staff account that acts; decisions need one and are recorded.',
    '--json prints lists and details as JSON. Settings are those of npm start, such as DATA_DIR.',
    'Mails of decisions are queued; the running server sends them, otherwise at its next start.',
    'Exit codes: 0 done, 1 refused or failed, 2 usage error.',
  ].join('\n');
}

function toUsage({
  target,
  secondTarget,
  takes = {},
  needs = {},
  flags = [],
}: Command | BareCommand): string[] {
  return [
    ...[target, secondTarget].filter((each) => each !== undefined),
    ...Object.entries(takes).map(([option, value]) => `[--${option} ${value}]`),
    ...Object.entries(needs).map(([option, value]) => `--${option} ${value}`),
    ...flags.map((flag) => `[--${flag}]`),
  ];
}

function parse(args: readonly string[]) {
  const options: NonNullable<ParseArgsConfig['options']> = {
    as: { type: 'string' },
    json: { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
    ...Object.fromEntries(FLAGS.map((name) => [name, { type: 'boolean' }])),
    ...Object.fromEntries(NAMES.map((name) => [name, { type: 'string' }])),
  };
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new UsageError((error instanceof Error ? error.message : String(error)).split('. ', 1)[0]);
  }
}
