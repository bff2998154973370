import { parseArgs } from 'node:util';
import { REASON_LENGTH_MAX } from '../features/staff/staff.ts';
import { FLAGS, OPTION_VALUES } from './command.ts';
import type { BareCommand, Chosen, Command, Flag, Option } from './command.ts';
import { backup } from './commands/backup.ts';
import { copies } from './commands/copies.ts';
import { credits } from './commands/credits.ts';
import { doctor } from './commands/doctor.ts';
import { genres, subGenres, types } from './commands/labels.ts';
import { ledger } from './commands/ledger.ts';
import { mail } from './commands/mail.ts';
import { members } from './commands/members.ts';
import { notices } from './commands/notices.ts';
import { pages } from './commands/pages.ts';
import { personalInfo } from './commands/personal-info.ts';
import { qualityChecks } from './commands/quality-checks.ts';
import { reports } from './commands/reports.ts';
import { site } from './commands/site.ts';
import { sounds } from './commands/sounds.ts';
import { storage } from './commands/storage.ts';
import { synonyms } from './commands/synonyms.ts';
import { transfers } from './commands/transfers.ts';
import { upgrade } from './commands/upgrade.ts';
import { UsageError } from './refusals.ts';

const NOUNS: Readonly<Record<string, Readonly<Record<string, Command | BareCommand>>>> = {
  'quality-checks': qualityChecks,
  'personal-info': personalInfo,
  transfers,
  members,
  sounds,
  reports,
  copies,
  credits,
  ledger,
  site,
  pages,
  notices,
  types,
  genres,
  'sub-genres': subGenres,
  synonyms,
  mail,
  backup,
  storage,
};
/** Commands without a verb. */
const VERBLESS: Readonly<Record<string, BareCommand>> = { doctor, upgrade };
const NAMES = Object.keys(OPTION_VALUES) as Option[];
const OPTIONS = {
  as: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  ...(Object.fromEntries(FLAGS.map((name) => [name, { type: 'boolean' }])) as Record<
    Flag,
    { readonly type: 'boolean' }
  >),
  ...(Object.fromEntries(NAMES.map((name) => [name, { type: 'string' }])) as Record<
    Option,
    { readonly type: 'string' }
  >),
} as const;

export interface Invocation {
  readonly command: Command | BareCommand;
  readonly target: string;
  readonly secondTarget: string;
  readonly reason: string;
  readonly to: string;
  readonly chosen: Chosen;
  /** The acting staff account; '' if not given. */
  readonly actingEmail: string;
  readonly isJson: boolean;
  readonly flags: ReadonlySet<Flag>;
}

/** Parses the arguments after the program's name. Throws `UsageError`; returns 'help' if that was requested. */
export function parseCommandLine(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Invocation | 'help' {
  const { values, positionals } = parse(args);
  if (values.help) return 'help';
  const { name, command, words } = findCommand(positionals);
  const [target = '', ...others] = words;
  const [secondTarget = '', ...rest] = command.secondTarget === undefined ? ['', ...others] : others;
  const chosen = toChosen(name, command, values);
  const flags = FLAGS.filter((flag) => values[flag] === true);
  for (const flag of flags)
    if (!command.flags?.includes(flag)) throw new UsageError(`${name} does not accept --${flag}`);
  if (command.secondTarget !== undefined && secondTarget === '')
    throw new UsageError(`${name} needs ${command.target} and ${command.secondTarget}`);
  const isForMany = command.target !== undefined && chosen.artist !== undefined;
  if (command.target !== undefined && target === '' && !isForMany) {
    const orMany = command.takes === undefined ? '' : ', or --artist NAME';
    throw new UsageError(`${name} needs ${command.target}${orMany}`);
  }
  if (isForMany && target !== '')
    throw new UsageError(`${name} accepts either ${command.target} or --artist`);
  if (command.target !== undefined && !isForMany && chosen.day !== undefined) {
    throw new UsageError(`${name} accepts --day only with --artist`);
  }
  if (rest.length > 0 || (command.target === undefined && target !== '')) {
    throw new UsageError(`${name}: too many arguments; quote values that contain spaces`);
  }
  if (values.json && !command.takesJson) throw new UsageError(`${name} does not accept --json`);
  const { reason = '', to = '', ...otherOptions } = chosen;
  if ([...reason].length > REASON_LENGTH_MAX) {
    throw new UsageError(`--reason is limited to ${REASON_LENGTH_MAX} characters`);
  }
  return {
    command,
    target,
    secondTarget,
    reason,
    to,
    chosen: otherOptions,
    actingEmail: values.as ?? env['OPERATOR_AS'] ?? '',
    isJson: values.json ?? false,
    flags: new Set(flags),
  };
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
function toChosen(
  name: string,
  { takes = [], needs = [] }: Pick<Command, 'takes' | 'needs'>,
  values: Chosen,
): Chosen {
  const given = NAMES.filter((option) => values[option] !== undefined);
  for (const option of given) {
    if (!takes.includes(option) && !needs.includes(option))
      throw new UsageError(`${name} does not accept --${option}`);
  }
  for (const option of takes) {
    if (values[option]?.trim() === '') throw new UsageError(`--${option} needs ${OPTION_VALUES[option]}`);
  }
  for (const option of needs) {
    if (!values[option]?.trim()) throw new UsageError(`${name} needs --${option} ${OPTION_VALUES[option]}`);
  }
  return Object.fromEntries(given.map((option) => [option, values[option]?.trim()]));
}

export function toHelp(): string {
  const named = [
    ...Object.entries(NOUNS).flatMap(([noun, verbs]) =>
      Object.entries(verbs).map(([verb, command]) => [`${noun} ${verb}`, command] as const),
    ),
    ...Object.entries(VERBLESS),
  ];
  const lines = named.map(
    ([name, command]) => [[name, ...toUsage(command)].join(' '), command.about] as const,
  );
  const width = Math.max(...lines.map(([usage]) => usage.length));
  return [
    'Usage: npm run operator -- COMMAND [--as EMAIL] [--json]',
    '',
    ...lines.map(([usage, about]) => `  ${usage.padEnd(width)}  ${about}`),
    '',
    '--as EMAIL (or OPERATOR_AS) is the staff account that acts; decisions need one and are recorded.',
    '--json prints lists and details as JSON. Settings are those of npm start, such as DATA_DIR.',
    'Exit codes: 0 done, 1 refused or failed, 2 usage error.',
  ].join('\n');
}

function toUsage({
  target,
  secondTarget,
  takes = [],
  needs = [],
  flags = [],
}: Command | BareCommand): string[] {
  const toOption = (option: Option) => `--${option} ${OPTION_VALUES[option]}`;
  const choices = takes.map((option) =>
    target !== undefined && option === 'artist' ? `| ${toOption(option)}` : `[${toOption(option)}]`,
  );
  const switches = flags.map((flag) => `[--${flag}]`);
  const targets = [target, secondTarget].filter((each) => each !== undefined);
  return [...targets, ...choices, ...needs.map(toOption), ...switches];
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw new UsageError((error instanceof Error ? error.message : String(error)).split('. ', 1)[0]);
  }
}
