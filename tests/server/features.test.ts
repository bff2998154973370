import { type Kysely, sql } from 'kysely';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { describeUndo } from '#contract/accounts/accounts.ts';
import { defineEndpoint } from '#contract/calls/endpoint.ts';
import { getSound } from '#contract/sounds/sounds.ts';
import { createUser } from '#server/features/accounts/users.ts';
import { hashToken, makeToken } from '#server/features/accounts/tokens.ts';
import { reply, text } from '#server/features/api-docs/field.ts';
import { toClass, toFolderClasses } from '#server/features/backups/folders.ts';
import { type Site, diagnose } from '#server/features/doctor/check.ts';
import { listChecks } from '#server/features/doctor/checks.ts';
import { runChecks } from '#server/features/doctor/run.ts';
import { type Feature, listFileOwners } from '#server/features/feature.ts';
import { memberFile } from '#server/features/member-export.ts';
import { eraseDueAccounts } from '#server/features/own-data/erasure.ts';
import { exportOwnData } from '#server/features/own-data/export.ts';
import { READING } from '#server/features/staff/rules.ts';
import { findReferenced } from '#server/features/stored-files/in-use.ts';
import { FEATURES } from '#server/features.ts';
import { parseSettings } from '#server/settings.ts';
import { startScheduledJobs } from '#server/platform/concurrency/scheduled-jobs.ts';
import { READS, byMember } from '#server/platform/http/access.ts';
import { route } from '#server/platform/http/route.ts';
import { createRateLimits } from '#server/platform/limits/counting.ts';
import { createLog } from '#server/platform/log.ts';
import { useApiOnce } from '#support/http/use-api.ts';
import { createTestApi } from '#support/http/api.ts';
import { insertRow, openTestDatabase, updateRows } from '#support/databases/databases.ts';

const GREETINGS = { name: 'greetings', points: 2, perSec: 60 };
const getGreeting = defineEndpoint({
  method: 'GET',
  path: '/api/greetings/{username}/',
  reply: v.object({ text: v.string() }),
});

const listGreetings = defineEndpoint({
  method: 'GET',
  path: '/api/operator/greetings/',
  reply: v.object({ results: v.array(v.string()) }),
});
interface GreetingsTable {
  readonly user_id: string;
  readonly text: string;
  readonly voice_key: string | null;
}
/** What the queries of the feature see. */
type Db = Kysely<{ greetings: GreetingsTable }>;

/** A feature unknown to the server, with every part. `done` takes what its job and its undo do. */
function createGreetingsFeature(greeting: string, done: string[]): Feature {
  const selectTexts = (db: Db, userId: string) =>
    db.selectFrom('greetings').select('text').where('user_id', '=', userId).execute();
  return {
    name: 'greetings',
    createModule: () => ({
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
      scheduledJobs: ({ clock }) => [
        { name: 'greetings', run: async () => void done.push(`${clock.now()}`) },
      ],
    }),
    desk: [
      route(listGreetings, READING, async (_, { database }) => {
        const db: Db = database.db;
        return { results: (await db.selectFrom('greetings').selectAll().execute()).map((row) => row.text) };
      }),
    ],
    apiTexts: () =>
      Promise.resolve({
        API_TEXTS: {
          area: { tag: 'greetings', title: 'あいさつ', position: 99 },
          calls: {
            'GET /api/greetings/{username}/': {
              id: 'getGreeting',
              summary: 'あいさつ',
              isExtension: true,
              fields: { username: text('ユーザー名', 'yume') },
            },
          },
          components: { Greeting: reply('あいさつ', getGreeting.reply, { text: text('文', 'こんにちは') }) },
        },
      }),
    erasure: {
      rows: async (db: Db, { id }) => {
        await db.deleteFrom('greetings').where('user_id', '=', id).execute();
      },
    },
    exports: [memberFile(999, 'あいさつ', selectTexts, [['文', (row) => row.text]])],
    undo: [
      {
        stage: 'profile',
        find: async (db: Db, { user_id }) => ({
          changes: (await selectTexts(db, user_id)).map((row) => row.text),
        }),
        undo: () => Promise.resolve({ changes: ['あいさつ'] }),
      },
    ],
    checks: [
      {
        name: 'greetings',
        priority: 'info',
        stage: 'quick',
        consoleText: 'あいさつがありません',
        async run(site) {
          const { db }: { readonly db: Db } = await site.openDatabase();
          const rows = await db.selectFrom('greetings').selectAll().execute();
          const texts = { kind: 'none', found: 'none', meaning: 'Nobody is greeted.', remedy: 'Add one.' };
          return rows.length > 0 ? [] : [diagnose(texts)];
        },
      },
    ],
    files: [
      {
        table: 'greetings',
        id: 'user_id',
        complete: 'all',
        columns: [
          {
            column: 'voice_key',
            folder: { name: 'voices', backup: 'data' },
            toKeys: (key) => [`voices/${key}`],
          },
        ],
      },
    ],
  };
}

describe('one more feature', () => {
  const done: string[] = [];
  const greetings = createGreetingsFeature('こんにちは、', done);
  const { database, api, useMember, useStaff } = useApiOnce(
    async () => {
      const database = await openTestDatabase('sqlite');
      await sql`create table greetings (user_id text not null, text text not null, voice_key text)`.execute(
        database.db,
      );
      return database;
    },
    (database) => ({
      rateLimits: createRateLimits(database),
      webOrigin: 'https://web.example',
      moreFeatures: [greetings],
    }),
  );
  const memberId = useMember({ username: 'member' });
  const staffId = useStaff();
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
    const { scheduledJobs, clock } = createTestApi(database, { moreFeatures: [greetings] });
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
    const sounds: Feature = { name: 'sounds', createModule: () => ({ routes: [again] }) };
    const start = () => createTestApi(database, { moreFeatures: [sounds] });
    expect(start).toThrow('GET /api/sounds/:id is served twice');
  });

  const addGreeting = (userId: string, greeting: string) =>
    sql`insert into greetings values (${userId}, ${greeting}, ${`${userId}.m4a`})`.execute(database.db);

  test('has its calls of the staff served by the console', async () => {
    await addGreeting(memberId, 'よろしく');
    expect(await api.json(listGreetings.path, staffId)).toEqual({ results: ['よろしく'] });
    expect((await api.get(listGreetings.path, memberId)).status).toBe(404);
  });

  test('is described in the document of the API', async () => {
    const { paths, tags, components } = await api.json('/api/openapi.json');
    expect(paths[getGreeting.path].get).toMatchObject({ operationId: 'getGreeting', tags: ['greetings'] });
    expect(tags.at(-1)).toEqual({ name: 'greetings', description: 'あいさつ' });
    expect(components.schemas.Greeting.required).toEqual(['text']);
  });

  test('has its rows exported, shown to be undone, and erased with the account', async () => {
    const features = [...FEATURES, greetings];
    const id = await createUser(database, { username: 'leaving', email: 'leaving@example.test' });
    await addGreeting(id, 'さようなら');
    const zip = await new Response(exportOwnData({ ...api.deps, features }, id)).text();
    expect(zip).toContain('あいさつ.csv');
    expect(zip).toContain('さようなら');
    const token = makeToken();
    const link = { user_id: id, before: '{}', mail_id: null, created_at: 0 };
    await insertRow(database, 'undo_links', {
      ...link,
      token_hash: hashToken(token),
      expires_at: Number.MAX_SAFE_INTEGER,
    });
    const undone = await (await api.post(describeUndo.path, { token })).json();
    expect(undone).toMatchObject({ changes: ['さようなら'] });
    await updateRows(database, 'users', { deletion_requested_at: 1, is_blocked: 1 }, { id });
    await eraseDueAccounts({ ...api.deps, features });
    const { rows } = await sql`select text from greetings where user_id = ${id}`.execute(database.db);
    expect(rows).toEqual([]);
  });

  test('has its rows checked by the doctor, and its files known to backups and checks', async () => {
    const features = [...FEATURES, greetings];
    const checks = listChecks(features).filter(({ name }) => name === 'greetings');
    const owners = listFileOwners(features);
    const site: Site = {
      settings: parseSettings({}),
      files: owners,
      clock: api.clock,
      nodeVersion: process.versions.node,
      openDatabase: () => Promise.resolve(database),
      openStorage: () => Promise.resolve(api.deps.storage),
    };
    const find = async () => (await runChecks(checks, site)).results[0]?.findings;
    expect(await find()).toEqual([]);
    const isUsed = await findReferenced(database.db, owners, [`voices/${memberId}.m4a`, 'voices/other.m4a']);
    expect([isUsed(`voices/${memberId}.m4a`), isUsed('voices/other.m4a')]).toEqual([true, false]);
    expect(toClass(toFolderClasses(owners), `files/voices/${memberId}.m4a`)).toBe('data');
    await sql`delete from greetings`.execute(database.db);
    expect(await find()).toMatchObject([{ kind: 'none' }]);
  });
});
