import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { defineEndpoint } from '#contract/endpoint.ts';
import { getSound } from '#contract/sounds.ts';
import { createUser } from '#server/features/accounts/users.ts';
import { startScheduledJobs } from '#server/platform/concurrency/scheduled-jobs.ts';
import { READS, byMember } from '#server/platform/http/access.ts';
import type { Module } from '#server/platform/http/module.ts';
import { route } from '#server/platform/http/route.ts';
import { createRateLimits } from '#server/platform/limits/counting.ts';
import { createLog } from '#server/platform/log.ts';
import { useApiOnce } from '#support/http/use-api.ts';
import { createTestApi } from '#support/http/api.ts';
import { openTestDatabase } from '#support/databases/databases.ts';

const GREETINGS = { name: 'greetings', points: 2, perSec: 60 };
const getGreeting = defineEndpoint({
  method: 'GET',
  path: '/api/greetings/{username}/',
  reply: v.object({ text: v.string() }),
});

/** A feature unknown to the server; `greeting` is its own parameter. */
function createGreetingsModule({ greeting, done }: { greeting: string; done: string[] }): Module {
  return {
    name: 'greetings',
    routes: [
      route(
        getGreeting,
        { caller: 'member not blocked', owner: 'public', limits: [byMember(GREETINGS)] },
        async ({ params }, { siteName }) => ({ text: `${greeting}${params.username} ${siteName}` }),
      ),
    ],
    middleware: async (context, next) => {
      context.header('x-greeting', context.get('caller') === undefined ? 'before the caller' : 'after');
      await next();
    },
    corsHeaders: { sent: ['x-language'], answered: ['x-greeting'] },
    scheduledJobs: ({ clock }) => [{ name: 'greetings', run: async () => void done.push(`${clock.now()}`) }],
  };
}

describe('a module of one more feature', () => {
  const { database, api, useMember } = useApiOnce(
    () => openTestDatabase('sqlite'),
    (database) => ({
      rateLimits: createRateLimits(database),
      webOrigin: 'https://web.example',
      moreModules: [createGreetingsModule({ greeting: 'こんにちは、', done })],
    }),
  );
  const memberId = useMember({ username: 'member' });
  const done: string[] = [];
  const path = '/api/greetings/yume/';

  test('has its route served with its own parameter, beside the routes of the others', async () => {
    expect(await api.json(path, memberId)).toEqual({ text: 'こんにちは、yume Otoichi' });
    expect(await api.json('/api/account/artists/')).toEqual([]);
  });

  test('has its caller rule enforced', async () => {
    const blocked = { username: 'blocked', email: 'blocked@example.test', is_blocked: true };
    const blockedId = await createUser(database, blocked);
    expect((await api.get(path)).status).toBe(401);
    expect((await api.get(path, blockedId)).status).toBe(403);
  });

  test('has its limit enforced', async () => {
    const id = await createUser(database, { username: 'eager', email: 'eager@example.test' });
    const statuses: number[] = [];
    for (let i = 0; i < 3; i += 1) statuses.push((await api.get(path, id)).status);
    expect(statuses).toEqual([200, 200, 429]);
  });

  test('has its middleware run before authentication, for calls of other modules too', async () => {
    const response = await api.get('/api/account/artists/', memberId);
    expect(response.headers.get('x-greeting')).toBe('before the caller');
  });

  test('has its headers allowed for a web client on another origin', async () => {
    const origin = { origin: 'https://web.example' };
    const asked = { ...origin, 'access-control-request-method': 'GET' };
    const preflight = await api.app.request(path, { method: 'OPTIONS', headers: asked });
    expect(preflight.headers.get('access-control-allow-headers')).toContain('x-language');
    const answer = await api.app.request('/api/account/artists/', { headers: origin });
    expect(answer.headers.get('access-control-expose-headers')).toContain('x-greeting');
  });

  test('has its scheduled job run with those of the others, in the order of the modules', async () => {
    const module = createGreetingsModule({ greeting: '', done });
    const { scheduledJobs, clock } = createTestApi(database, { moreModules: [module] });
    const names = scheduledJobs.map(({ name }) => name);
    expect(names.slice(0, 3)).toEqual([
      'half-written files',
      'overwritten data',
      'old announcements and leases of processes',
    ]);
    expect(names.slice(-2)).toEqual(['drill', 'greetings']);
    const failures: string[] = [];
    const log = createLog('warn', { write: (line) => void failures.push(line) });
    await startScheduledJobs(scheduledJobs, log).close();
    expect(failures).toEqual([]);
    expect(done).toEqual([String(clock.now())]);
  });

  test('stops the start when it serves a route of another module', () => {
    const again = route(getSound, { caller: 'anyone', owner: 'nothing', limits: [READS] }, () =>
      Promise.reject(new Error('was called')),
    );
    const start = () => createTestApi(database, { moreModules: [{ name: 'sounds', routes: [again] }] });
    expect(start).toThrow('GET /api/sounds/:id is served twice');
  });
});
