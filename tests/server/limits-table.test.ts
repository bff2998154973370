import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { ADDRESS_TIERS } from '#server/platform/http/address-limits.ts';
import type { Access, DeclaredLimit } from '#server/platform/http/access.ts';
import { MAILS, MAILS_TO_STRANGERS } from '#server/platform/http/mail-budget.ts';
import type { RateLimit } from '#server/platform/limits/rate-limits.ts';
import { openTestDatabase } from '#support/databases/databases.ts';
import { DECLARATIONS, callAs, createWorld } from '#support/http/calls.ts';

/**
 * The table of docs/limits.md that says what each call may do a day. The columns `one call` and `stored at most` are
 * written by hand; the others follow from the declarations of the routes, and UPDATE_LIMITS=1 writes them.
 */

const FILE = join(import.meta.dirname, '../../docs/limits.md');
const HEADING = '## What each call may do a day';
const UPDATE = 'UPDATE_LIMITS=1 npx vitest run --project api tests/server/limits-table.test.ts';
const COLUMNS = [
  'call',
  'limits',
  'one call',
  'stored at most',
  'calls a day',
  'rows a day',
  'MB a day',
  'mails a day',
  'processor s a day',
];
const DAY_SEC = 86_400;
/** Processor time of a call that is refused before it is carried out. */
const REFUSED_MS = 2;
/** An address, its network, its provider and the site; or one member. */
type Scope = 'address' | 'network' | 'provider' | 'site' | 'member';
const OF_ADDRESS = ['address', 'network', 'provider', 'site'] as const;
/** How many times the limit of an address each scope has; the site has any number of addresses. */
const MULTIPLES: Readonly<Record<string, number>> = Object.fromEntries(
  ADDRESS_TIERS.map(({ tier, multiple }) => [tier, multiple]),
);
/** Calls of the staff are listed together: they are not counted by address, and everyone of the staff is known. */
const isStaff = ({ caller }: Pick<Access, 'caller'>) => caller.startsWith('staff');

const toDaily = ({ points, perSec }: RateLimit, multiple = 1) => (points * multiple * DAY_SEC) / perSec;

/** The uses a day that a limit allows a scope; undefined where it does not bound it. */
function boundOf(
  { limit, by, countedBy }: Pick<DeclaredLimit, 'limit' | 'by' | 'countedBy'>,
  scope: Scope,
): number | undefined {
  // A service counts what a member does with some of the calls.
  if (by === 'member') return scope === 'member' && countedBy === 'api' ? toDaily(limit) : undefined;
  if (by !== 'address' && by !== 'network') return undefined;
  const multiple = MULTIPLES[scope];
  if (multiple === undefined) return undefined;
  // A limit of a network also bounds each of its addresses.
  return toDaily(limit, Math.max(1, multiple / (MULTIPLES[by] ?? 1)));
}

function least(bounds: readonly (number | undefined)[]): number | undefined {
  const known = bounds.filter((bound) => bound !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}

/** The calls a day of a scope that are answered, and those of them that are carried out. */
function countCalls({ limits, mails }: Pick<Access, 'limits' | 'mails'>, scope: Scope) {
  const visible = limits.filter(({ isSilent, countedBy }) => !isSilent && countedBy !== 'read admission');
  const all = least(
    visible.filter(({ isAcceptedOnly }) => !isAcceptedOnly).map((each) => boundOf(each, scope)),
  );
  const lanes = visible.filter(({ by }) => by === 'site');
  const ofSite =
    scope === 'site' && lanes.length > 0
      ? lanes.reduce((sum, { limit }) => sum + toDaily(limit), 0)
      : undefined;
  const accepted = least([
    ...visible.map((each) => boundOf(each, scope)),
    ofSite,
    mails?.countedBy === 'api' ? mailedCalls(mails, scope) : undefined,
  ]);
  return { all, accepted };
}

function mailedCalls({ max, isToStranger }: NonNullable<Access['mails']>, scope: Scope): number | undefined {
  if (scope === 'site') return isToStranger ? toDaily(MAILS_TO_STRANGERS) : undefined;
  const mails = boundOf({ limit: MAILS, by: 'network', countedBy: 'api' }, scope);
  return mails === undefined ? undefined : Math.floor(mails / max);
}

interface Cost {
  readonly rows: number;
  readonly kilobytes: number;
  readonly ms: number;
}
type Caps = Readonly<Partial<Record<Scope, { readonly rows?: number; readonly megabytes?: number }>>>;

const toNumber = (text: string) => Number(text.replaceAll(',', ''));

/** `2 rows, 0.5 KB, 8 ms` */
function parseCost(cell: string): Cost {
  const [, rows = '', kilobytes = '', ms = ''] =
    /^([\d,]+) rows?, ([\d.,]+) KB, ([\d.,]+) ms$/.exec(cell) ?? expect.unreachable(`one call: “${cell}”`);
  return { rows: toNumber(rows), kilobytes: toNumber(kilobytes), ms: toNumber(ms) };
}

/** `6,000 / 50,000 / 500,000 rows` of a network, a provider and the site; or `20 rows, 500 MB` of a member; or nothing. */
function parseCaps(cell: string): Caps {
  if (cell === '') return {};
  const shared = /^([\d,]+) \/ ([\d,]+) \/ ([\d,]+) rows$/.exec(cell);
  if (shared !== null) {
    const [, network = '', provider = '', site = ''] = shared;
    const rows = (text: string) => ({ rows: toNumber(text) });
    return { address: rows(network), network: rows(network), provider: rows(provider), site: rows(site) };
  }
  const [, rows = '', megabytes = ''] =
    /^([\d,]+) rows, ([\d.,]+) MB$/.exec(cell) ?? expect.unreachable(`stored at most: “${cell}”`);
  return { member: { rows: toNumber(rows), megabytes: toNumber(megabytes) } };
}

const show = (value: number | undefined) =>
  value === undefined ? '–' : value.toLocaleString('en-US', { maximumSignificantDigits: 3 });

/** The limits as they are declared, and the mails that are counted. */
function describeLimits({ limits, mails }: Pick<Access, 'limits' | 'mails'>): string {
  const UNITS: Readonly<Record<number, string>> = {
    60: 'min',
    600: '10 min',
    900: '15 min',
    3_600: 'h',
    86_400: 'd',
  };
  const counted = limits
    .filter(({ countedBy }) => countedBy !== 'read admission')
    .map(
      ({ limit, by, isAcceptedOnly }) =>
        `${by} ${show(limit.points)}/${UNITS[limit.perSec] ?? `${limit.perSec} s`}${isAcceptedOnly ? ' accepted' : ''}`,
    );
  const mailed = mails === undefined ? [] : [`${mails.max} ${mails.max === 1 ? 'mail' : 'mails'}`];
  return [...new Set([...counted, ...mailed])].join('; ');
}

/** The cells that follow from the declarations and from what one call costs. */
function derive(access: Pick<Access, 'limits' | 'mails'>, cost: Cost, caps: Caps): string[] {
  const { mails } = access;
  const hasMember = countCalls(access, 'member').all !== undefined;
  const hasAddress = countCalls(access, 'address').all !== undefined;
  const each = (toValue: (scope: Scope) => number | undefined) =>
    [
      ...(hasAddress ? [OF_ADDRESS.map((scope) => show(toValue(scope))).join(' / ')] : []),
      ...(hasMember ? [`member ${show(toValue('member'))}`] : []),
    ].join('; ');
  const times = (scope: Scope, one: number, cap?: number) => {
    const { accepted } = countCalls(access, scope);
    return least([accepted === undefined ? undefined : accepted * one, cap]);
  };
  const toRows = (scope: Scope) => times(scope, cost.rows, caps[scope]?.rows);
  return [
    each((scope) => countCalls(access, scope).accepted),
    each(toRows),
    each((scope) => {
      const ofRows =
        caps[scope]?.rows === undefined ? undefined : (caps[scope].rows * cost.kilobytes) / (cost.rows || 1);
      const megabytes = least([times(scope, cost.kilobytes), ofRows]);
      return least([megabytes === undefined ? undefined : megabytes / 1_000, caps[scope]?.megabytes]);
    }),
    mails === undefined
      ? ''
      : each((scope) => least([times(scope, mails.max), mailedCalls({ ...mails, max: 1 }, scope)])),
    each((scope) => {
      const { all, accepted } = countCalls(access, scope);
      if (all === undefined || accepted === undefined) return undefined;
      return (accepted * cost.ms + (all - accepted) * REFUSED_MS) / 1_000;
    }),
  ];
}

/** A line of the table: a call, or all calls of the staff with one limit. */
interface Line {
  readonly name: string;
  readonly access: Pick<Access, 'limits' | 'mails'>;
}

/** Every call that is not a plain read. */
function listLines(): Line[] {
  const calls = DECLARATIONS.filter(
    ({ method, limits }) =>
      method !== 'GET' || limits.some(({ countedBy }) => countedBy !== 'read admission'),
  );
  const ofStaff = Map.groupBy(calls.filter(isStaff), ({ limits }) => limits[0].limit.name);
  return [
    ...calls
      .filter((access) => !isStaff(access))
      .map((access) => ({ name: `\`${access.method} ${access.path}\``, access })),
    ...[...ofStaff].map(([name, routes]) => ({
      name: `${routes.length} calls of the staff (\`${name}\`)`,
      access: routes[0]!,
    })),
  ];
}

async function readTable() {
  const text = await readFile(FILE, 'utf8');
  const start = text.indexOf('\n|', text.indexOf(HEADING)) + 1;
  const end = text.indexOf('\n\n', start);
  const rows = text
    .slice(start, end)
    .split('\n')
    .map((row) =>
      row
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  return { text, start, end, header: rows[0], rows: rows.slice(2) };
}

describe('docs/limits.md', () => {
  test('says what each call may do a day, with the limits that are declared', async () => {
    const { text, start, end, header, rows } = await readTable();
    expect(header).toEqual(COLUMNS);
    const lines = listLines();
    // A group of the staff may have grown.
    const byKey = new Map(rows.map((row) => [toKey(row[0] ?? ''), row]));
    expect([...byKey.keys()].toSorted()).toEqual(lines.map(({ name }) => toKey(name)).toSorted());
    const expected = lines.map(({ name, access }) => {
      const [, , cost = '', caps = ''] = byKey.get(toKey(name)) ?? [];
      return [name, describeLimits(access), cost, caps, ...derive(access, parseCost(cost), parseCaps(caps))];
    });
    if (process.env['UPDATE_LIMITS'] === '1') {
      const table = [COLUMNS, COLUMNS.map(() => '-'), ...expected].map((row) => `| ${row.join(' | ')} |`);
      const written = text.slice(0, start) + table.join('\n') + text.slice(end);
      await writeFile(FILE, await format(written, { ...(await resolveConfig(FILE)), filepath: FILE }));
      return;
    }
    expect(rows, `limits have changed: ${UPDATE}`).toEqual(expected);
  });

  test('states no fewer rows and mails than a call leaves', async () => {
    const { rows } = await readTable();
    const costs = new Map(rows.map(([name = '', , cost = '']) => [name, cost]));
    const database = await openTestDatabase('sqlite');
    const world = await createWorld(database);
    const tables = await sql<{ name: string }>`
      select name from sqlite_schema
      where type = 'table' and name not like 'sqlite_%' and name not in ('mail_outbox') and sql not like '%virtual%'
    `.execute(database.db);
    const count = async (table: string) => {
      const found = await sql<{ rows: number }>`select count(*) as rows from ${sql.table(table)}`.execute(
        database.db,
      );
      return Number(found.rows[0]?.rows);
    };
    const countAll = async () => {
      let total = 0;
      for (const { name } of tables.rows) total += await count(name);
      return total;
    };
    for (const access of DECLARATIONS.filter((each) => !isStaff(each))) {
      const cost = costs.get(`\`${access.method} ${access.path}\``);
      if (cost === undefined) continue;
      const path = await world.toPath(access, 'visible');
      const role = access.caller.startsWith('anyone') ? 'visitor' : 'verified';
      const before = { all: await countAll(), mails: await count('mail_outbox') };
      await callAs(world, access, role, path);
      // The session in which the call is made.
      const added = (await countAll()) - before.all - (role === 'visitor' ? 0 : 1);
      const mailed = (await count('mail_outbox')) - before.mails;
      const stated = { path, rows: parseCost(cost).rows, mails: access.mails?.max ?? 0 };
      const most = { path, rows: Math.max(stated.rows, added), mails: Math.max(stated.mails, mailed) };
      expect(most).toEqual(stated);
    }
    await world.close();
  });
});

const toKey = (name: string) => name.replace(/^\d+ calls/, 'calls');
