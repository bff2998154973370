import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RECENT_LOGIN_REQUIRED } from '#contract/calls/errors.ts';
import { type Access, type CallerRule, REFUSALS } from '#server/platform/http/access.ts';
import { createRateLimits } from '#server/platform/limits/counting.ts';
import { type RateLimit, type RateLimits, noRateLimits } from '#server/platform/limits/rate-limits.ts';
import { expectReply } from '#support/http/replies.ts';
import { CANARY, DECLARATIONS, ROLES, callAs, createWorld } from '#support/http/calls.ts';
import type { Role, World } from '#support/http/calls.ts';
import { bothDatabases, openTestDatabase } from '#support/databases/databases.ts';

const ROUTES = DECLARATIONS.map((access) => [`${access.method} ${access.path}`, access] as const);

const STAFF = [
  'staff',
  'staff logged in long ago',
  'staff without the second factor',
] as const satisfies readonly Role[];
/** The callers that each rule admits, besides the owner, whom every rule but the staff's admits. */
const ADMITTED: Readonly<Record<CallerRule, readonly Role[]>> = {
  anyone: ['visitor', 'unverified', 'verified', 'blocked', ...STAFF],
  'anyone not blocked': ['visitor', 'unverified', 'verified', ...STAFF],
  member: ['unverified', 'verified', 'blocked', ...STAFF],
  'member not blocked': ['unverified', 'verified', ...STAFF],
  'verified member': ['verified', ...STAFF],
  staff: ['staff', 'staff logged in long ago'],
  'staff without code': STAFF,
  'staff with recent log-in': ['staff'],
};
const isStaffRule = (rule: CallerRule) => rule.startsWith('staff');
const SIGNED_OUT: ReadonlySet<Role> = new Set(['visitor', 'bad token']);
/** Calls of the staff do not exist for others; an invalid token is renewed first. */
const toRefusal = (rule: CallerRule, role: Role) =>
  role === 'bad token'
    ? 401
    : isStaffRule(rule)
      ? STAFF.some((each) => each === role)
        ? 403
        : 404
      : SIGNED_OUT.has(role)
        ? 401
        : 403;
/** What a refused caller reads, except for calls of the staff. */
const REASONS: ReadonlyMap<Role, string> = new Map([
  ['visitor', REFUSALS.visitor],
  ['blocked', REFUSALS.blocked],
  ['unverified', REFUSALS.unverified],
]);
const REFUSED: ReadonlySet<string> = new Set(REASONS.values());

let world: World;

/** Fixtures for one block: the owner's calls change them. */
function openWorld(
  kind: 'sqlite' | 'postgres' = 'sqlite',
  options?: Parameters<typeof createWorld>[1],
): void {
  beforeAll(async () => {
    world = await createWorld(await openTestDatabase(kind), options);
  });
  afterAll(() => world.close());
}

describe('declarations', () => {
  openWorld();

  test('are those of access.tsv, which says who may call each route, and whose private data its path can name', async () => {
    const rows = ROUTES.map(([route, access]) =>
      [route, access.caller, access.owner, world.namesOwned(access) ? 'names private data' : ''].join('\t'),
    );
    const file = await readFile(join(import.meta.dirname, 'access.tsv'), 'utf8');
    expect(rows.map((row) => row.trimEnd()).toSorted()).toEqual(file.trimEnd().split('\n'));
  });

  test('cover each route of the app with caller, owner rule and limit', () => {
    const served = new Set(
      world.api.app.routes.filter(({ path }) => path !== '/*').map(({ method, path }) => `${method} ${path}`),
    );
    const toServed = (path: string) => path.replace(/\{(\w+)\}/g, ':$1').replace(/\/$/, '');
    expect([...served]).toEqual(DECLARATIONS.map(({ method, path }) => `${method} ${toServed(path)}`));
    expect(DECLARATIONS.length).toBeGreaterThan(30);
    for (const { caller, owner, limits } of DECLARATIONS) {
      expect([ADMITTED[caller], owner]).not.toContain(undefined);
      expect(limits.length).toBeGreaterThan(0);
    }
  });

  test('A12 let nobody change the site without a recent log-in', () => {
    const changes = DECLARATIONS.filter(({ owner }) => owner === 'site');
    expect(changes.length).toBeGreaterThan(10);
    expect(new Set(changes.map(({ caller }) => caller))).toEqual(new Set(['staff with recent log-in']));
  });

  test('A12 name every change of the staff that needs no recent log-in', () => {
    const changes = DECLARATIONS.filter(
      ({ caller, method }) =>
        isStaffRule(caller) && caller !== 'staff with recent log-in' && method !== 'GET',
    );
    expect(changes.map(({ path }) => path)).toEqual([
      // Changes nothing.
      '/api/operator/page-preview/',
      // The password and the code are in the call.
      '/api/operator/security/end/',
      '/api/operator/security/code/',
    ]);
  });

  test('name every limit of the server, each with one meaning', async () => {
    const limits = DECLARATIONS.flatMap((access) => access.limits);
    const byName = Map.groupBy(limits, ({ limit }) => limit.name);
    for (const [name, uses] of byName) {
      expect(new Set(uses.map((use) => JSON.stringify(use))).size, name).toBe(1);
    }
    const folder = join(import.meta.dirname, '../../server/features');
    const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith('.ts'));
    const sources = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
    const named = sources.flatMap((source) => [...source.matchAll(/: RateLimit = \{ name: '([\w-]+)'/g)]);
    expect(named.length).toBeGreaterThan(15);
    expect(named.map(([, name]) => name).filter((name) => !byName.has(name ?? ''))).toEqual([]);
  });
});

// Every call as every caller: a query that one of the databases refuses answers 500.
describe.each(bothDatabases)('each caller on $name of', ({ name }) => {
  openWorld(name);

  test.each(ROUTES)('%s is admitted or refused as declared', async (_, access) => {
    for (const role of ROLES) {
      const response = await callAs(world, access, role, await world.toPath(access, 'missing'));
      const text = await response.text();
      const isOwner = role === 'owner' && !isStaffRule(access.caller);
      const isAdmitted = isOwner || ADMITTED[access.caller].includes(role);
      const refusal = toRefusal(access.caller, role);
      const reason = REASONS.get(role);
      if (!isAdmitted) {
        expect([role, response.status]).toEqual([role, refusal]);
        if (text !== '' && reason !== undefined && !isStaffRule(access.caller))
          expect(text).toContain(reason);
      } else if (text !== '' && response.headers.get('content-type')?.startsWith('application/json')) {
        const { detail } = JSON.parse(text) as { detail?: string };
        expect([role, REFUSED.has(detail ?? '') && detail]).toEqual([role, false]);
      }
      expect(response.status, role).toBeLessThan(500);
    }
  });
});

describe('a refused caller of', () => {
  const taken: string[] = [];
  openWorld('sqlite', { rateLimits: { ...noRateLimits, take: async ({ name }) => void taken.push(name) } });

  test.each(ROUTES.filter(([, { caller }]) => caller !== 'anyone'))(
    '%s has no body read and no limit counted',
    async (_, access) => {
      const role = ADMITTED[access.caller].includes('visitor') ? 'blocked' : 'bad token';
      const body = new ReadableStream(
        { pull: () => expect.unreachable('the body was read') },
        { highWaterMark: 0 },
      );
      const init = { method: access.method, headers: await world.toHeaders(role), duplex: 'half' };
      const path = await world.toPath(access, 'missing');
      const hasBody = !['GET', 'OPTIONS'].includes(access.method);
      const response = await world.api.app.request(path, {
        ...init,
        ...(hasBody && { body }),
      } as RequestInit);
      expect([401, 403]).toContain(response.status);
      expect(taken).toEqual([]);
    },
  );
});

describe('what needs a recent log-in', () => {
  openWorld();

  test.each(ROUTES.filter(([, { caller }]) => caller === 'staff with recent log-in'))(
    'A12 %s asks staff for the password before the call is read',
    async (_, access) => {
      const before = await world.api.json('/api/site-config/');
      const path = await world.toPath(access, 'missing');
      await expectReply(
        callAs(world, access, 'staff logged in long ago', path),
        403,
        expect.objectContaining({ code: RECENT_LOGIN_REQUIRED }),
      );
      expect(await world.api.json('/api/site-config/')).toEqual(before);
      // The same call is carried out after the password, or refused for what it says.
      expect((await callAs(world, access, 'staff', path)).status).not.toBe(403);
    },
  );
});

describe('what is the owner’s', () => {
  openWorld();
  const others = ROLES.filter((role) => role !== 'owner');
  const isStaffOwned = ({ owner }: Access) => owner === 'staff' || owner === 'site';
  const toOthers = (access: Access) =>
    others.filter((role) => !isStaffOwned(access) || !(STAFF as readonly Role[]).includes(role));

  test.each(ROUTES)('%s does not show or change it for other callers', async (_, access) => {
    const before = await world.snapshot();
    for (const role of toOthers(access)) {
      for (const which of ['visible', 'missing'] as const) {
        const response = await callAs(world, access, role, await world.toPath(access, which));
        const reply = JSON.stringify([[...response.headers], await response.text()]);
        expect(reply, `${role}, ${which}`).not.toContain(CANARY);
      }
    }
    const isCounted = (text: string) =>
      text.replace(/"(?:favorite_count|popularity|updated_at)":[\d.e-]+/g, '');
    expect(isCounted(await world.snapshot())).toBe(isCounted(before));
  });

  test.each(ROUTES.filter(([, { path }]) => path.includes('{')))(
    'A1: %s answers others as if it did not exist',
    async (_, access) => {
      if (!world.namesOwned(access)) return; // so access.tsv says
      const owned = await world.toPath(access, 'owned');
      const missing = await world.toPath(access, 'missing');
      const before = await world.snapshot();
      const ask = async (role: Role, path: string) => {
        const response = await callAs(world, access, role, path);
        return [response.status, await response.text()];
      };
      for (const role of toOthers(access)) {
        expect([role, ...(await ask(role, owned))]).toEqual([role, ...(await ask(role, missing))]);
      }
      expect(await world.snapshot()).toBe(before);
      if (access.owner !== 'secret') {
        const owner = isStaffOwned(access) ? 'staff' : 'owner';
        expect(await ask(owner, owned)).not.toEqual(await ask(owner, missing));
      }
    },
  );

  test('is visible to the owner', async () => {
    const profile = await world.api.get('/api/account/profile/', world.memberIds.owner);
    expect(await profile.text()).toContain(CANARY);
    const own = '/api/sounds/?user=owner&include_private=true';
    expect(await (await world.api.get(own, world.memberIds.owner)).text()).toContain(CANARY);
  });
});

describe('the limit', () => {
  /**
   * Counted in a separate table, only for an unconfirmed registration, for a token that is used twice, for codes of six
   * digits, or for several members. features/accounts/{login,registration,sessions}.test.ts,
   * features/console/security.test.ts and features/reviews/quality-check.test.ts test their bounds.
   */
  const UNREACHED: ReadonlySet<string> = new Set([
    'log-in-failure',
    'device-failure',
    'provider-failure',
    'confirm-mail',
    'session-ended-mail',
    'code-failure',
    'code-warning',
    'quality-checks-of-network',
  ]);
  const LIMITS = DECLARATIONS.flatMap((access) =>
    access.limits
      .filter(({ countedBy, limit }) => countedBy !== 'read admission' && !UNREACHED.has(limit.name))
      .map((declared) => [declared.limit.name, `${access.method} ${access.path}`, declared, access] as const),
  );

  test.each(LIMITS)('%s of %s applies at its bound and not before', async (name, _, declared, access) => {
    const database = await openTestDatabase('sqlite');
    const counting = createRateLimits(database);
    const taken: [limit: RateLimit, key: string][] = [];
    const rateLimits: RateLimits = {
      ...counting,
      take: async (limit, key) => {
        if (limit.name !== name) return; // another limit of the route is reached first
        taken.push([limit, key]);
        await counting.take(limit, key);
      },
    };
    const limited = await createWorld(database, { rateLimits });
    const isVisitor = name.includes('visitor') || declared.by === 'browser';
    const role: Role = isVisitor ? 'visitor' : isStaffRule(access.caller) ? 'staff' : 'verified';
    const path = await limited.toPath(access, 'visible');
    const ask = async () => callAs(limited, access, role, path);

    const first = await ask();
    expect(first.status).not.toBe(429);
    const [limit, key] = taken[0] ?? expect.unreachable(`${name} was not counted: ${await first.text()}`);
    expect(limit).toEqual(declared.limit);
    for (let time = 2; time < limit.points; time += 1) await counting.take(limit, key);
    const last = await ask();
    expect(last.status).not.toBe(429);
    const refused = await ask();
    if (declared.isSilent) expect(refused.status).toBe(last.status);
    else {
      expect(refused.status).toBe(429);
      const wait = Number(refused.headers.get('retry-after'));
      expect(wait).toBeGreaterThan(0);
      expect(wait).toBeLessThanOrEqual(limit.perSec);
      const text = await refused.text();
      const reason = declared.by === 'site' ? 'いまは受け付けられません' : '回数が多すぎます';
      if (access.method !== 'GET') expect(text).toContain(reason);
    }
    await limited.close();
  });
});
