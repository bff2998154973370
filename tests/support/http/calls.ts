import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import type { Database } from '#server/platform/database/open.ts';
import { randomId } from '#server/platform/database/statements/random-id.ts';
import { createUser } from '#server/features/accounts/users.ts';
import { createGenre, createSoundType } from '#server/features/catalogue/genres/service.ts';
import { createSound } from '#server/features/catalogue/service.ts';
import type { Access } from '#server/platform/http/access.ts';
import { openTemporaryFiles } from '#server/platform/storage/temporary-files.ts';
import { PASSWORD, createCountingPasswords, toTestHash } from '#support/members/accounts.ts';
import { createTestApi, createTestModules } from './api.ts';
import type { TestApi } from './api.ts';
import { toFile } from '#support/sounds/catalogue.ts';
import { VISITOR_COOKIE } from '#support/sounds/downloads.ts';
import { FORM_TYPE, toFormBytes } from './forms.ts';
import { addReport } from '#support/members/reports.ts';
import { addCertificate, addUse } from '#support/members/uses.ts';
import { createUpload } from '#support/sounds/resumable-uploads.ts';
import { everyTable } from '#server/platform/database/schema.ts';

/** Calls of any declared route, generated from its schemas. */

export const DECLARATIONS = createTestModules().flatMap(({ routes = [] }) => routes);

export const ROLES = [
  'visitor',
  'bad token',
  'unverified',
  'verified',
  'blocked',
  'staff',
  'staff logged in long ago',
  'staff without the second factor',
  'owner',
] as const;
export type Role = (typeof ROLES)[number];

/** A text contained in everything private of the owner. */
export const CANARY = 'canary7391';
/** The secrets in calls: replies and logs must not repeat them. */
export const SECRET = 'hush-8472-hush';
const MISSING = 'Zz00Zz00Zz00Zz00';
const HOUR_MS = 3_600_000;
const BROWSER = 'a'.repeat(22);

/** Values for a placeholder, by the last two parts of its path. */
interface PlaceholderValues {
  readonly missing: string;
  /** Creates something private to the owner; absent where the value refers to nothing private. */
  readonly owned?: () => Promise<string>;
  readonly visible?: string;
}

/** Valid values by field name; the first that the schema accepts is used. */
const VALUES: Readonly<Record<string, readonly unknown[]>> = {
  // A pending address is counted, so each call uses a new one.
  message_email: [''],
  email: ['new-address@example.test'],
  artist_username: ['owner'],
  user: ['owner'],
  password: [SECRET],
  refresh: [`${MISSING}.${SECRET.padEnd(43, 'x')}`],
  token: [SECRET],
  link: [''],
  from: [''],
  until: [''],
  begins: ['2036-01-01T10:00'],
  ends: ['2036-01-02T10:00'],
  seconds: [15],
  include_private: ['true'],
  log: ['true'],
  is_truthful: [true],
  cursor: ['0-1-a'],
  date: ['2026-04-02'],
  code: ['000000'],
  span: ['days'],
  // Of statistics: all sounds.
  sound: [''],
  plays: [[{ sound: MISSING, source: 'list' }]],
  donation_url: ['https://ofuse.me/x'],
  sounds: [[{ id: MISSING, title: '音' }]],
};
/** What a field said when it was read: absent, it names no conflict. */
const LEFT_OUT = new Set(['read']);
const ANY_VALUES = ['1', '音', 'ひらがな', 'true', '2026', 'a@b.example', '0312345678', '普通'];

let names = 0;
/** A new one each time, because an unchanged name is not a change. */
function toNewName(): string {
  names += 1;
  return `名前 ${names}番`;
}

/** A value that a schema of the contract accepts; throws if it finds none. */
export function toSample(schema: v.GenericSchema, name = ''): unknown {
  const kind = schema as unknown as {
    type: string;
    wrapped: v.GenericSchema;
    entries: Record<string, v.GenericSchema>;
    literal?: unknown;
    options?: readonly unknown[];
    item?: { options?: readonly unknown[] };
    pipe?: readonly { options?: readonly unknown[]; item?: { options?: readonly unknown[] } }[];
  };
  if (kind.type === 'optional' || kind.type === 'nullable') return toSample(kind.wrapped, name);
  if (kind.type === 'object' || kind.type === 'strict_object') {
    return Object.fromEntries(
      Object.entries(kind.entries)
        .filter(([key]) => !LEFT_OUT.has(key))
        .map(([key, entry]) => [key, toSample(entry, key)]),
    );
  }
  if (kind.type === 'literal') return kind.literal;
  if (kind.type === 'variant') return toSample((kind.options as v.GenericSchema[])[0] ?? schema, name);
  const options = [kind, ...(kind.pipe ?? [])].flatMap((part) => part.options ?? part.item?.options ?? []);
  const values = [
    ...(VALUES[name] ?? []),
    ...(name === 'username' || name === 'name' ? [toNewName()] : []),
    ...(name === 'slug' ? [`page-${(names += 1)}`] : []),
    ...(name === 'address' ? [`https://video.example.com/${(names += 1)}`] : []),
    ...options,
    ...ANY_VALUES,
  ];
  const candidates = [...values, false, 1, ...values.map((value) => [value])];
  const found = candidates.find((value) => v.safeParse(schema, value).success);
  if (found === undefined) throw new Error(`tests/support/http/calls.ts has no value for the field ${name}`);
  return found;
}

export interface World {
  readonly api: TestApi;
  readonly memberIds: Readonly<
    Record<Exclude<Role, 'visitor' | 'bad token' | 'staff logged in long ago'>, string>
  >;
  /** Headers of every call of a role. */
  toHeaders(role: Role): Promise<Record<string, string>>;
  toPath(access: Access, which: keyof PlaceholderValues): Promise<string>;
  /** Whether a placeholder of the path can refer to something private to the owner. */
  namesOwned(access: Access): boolean;
  /** All rows of the owner. */
  snapshot(): Promise<string>;
  close(): Promise<void>;
}

/** Members of each role, and an owner with private and public data. */
export async function createWorld(
  database: Database,
  parts: Parameters<typeof createTestApi>[1] = {},
): Promise<World> {
  const folder = await mkdtemp(join(tmpdir(), 'otoichi-calls-'));
  const temporaryFiles = await openTemporaryFiles(join(folder, 'forms'));
  const passwords = createCountingPasswords();
  const api = createTestApi(database, { temporaryFiles, passwords, ...parts });
  const { db } = database;
  const addMember = (username: string, more: object) =>
    createUser(database, { username, email: `${username}@example.test`, is_verified: true, ...more });
  const memberIds = {
    unverified: await addMember('unverified', { is_verified: false }),
    verified: await addMember('verified', {}),
    blocked: await addMember('blocked', { is_blocked: true }),
    staff: await addMember('staff', { is_staff: true }),
    'staff without the second factor': await addMember('careful staff', { is_staff: true }),
    owner: await addMember('owner', {
      email: `${CANARY}@example.test`,
      password_hash: toTestHash(PASSWORD),
      name: CANARY,
      furigana: CANARY,
      message_email: `${CANARY}-contact@example.test`,
      bank_name: CANARY,
      branch_name: CANARY,
      account_number: CANARY,
      phone_number: CANARY,
    }),
  };
  await everyTable(db)
    .insertInto('second_factors')
    .values({
      user_id: memberIds['staff without the second factor'],
      secret: '',
      last_step: 0,
      created_at: 0,
      confirmed_at: 1,
    })
    .execute();
  const typeId = await createSoundType(database, { name: 'BGM' });
  await createGenre(database, { name: 'ムード', subGenres: ['明るい'] });
  /** A separate session for each call, because one of them logs out. */
  async function openSession(userId: string, ageMs: number): Promise<string> {
    const sessionId = randomId();
    const now = api.clock.now();
    const row = { id: sessionId, user_id: userId, token_hash: sessionId, previous_hash: null };
    const authenticated_at = now - ageMs;
    const times = { rotated_at: null, created_at: now, authenticated_at, expires_at: now + 86_400_000 };
    await everyTable(db)
      .insertInto('sessions')
      .values({ ...row, ...times })
      .execute();
    return api.accessTokens.sign({ userId, sessionId });
  }
  const addSound = async (isPublished: boolean) => {
    const name = isPublished ? 'public' : CANARY;
    const { id } = await createSound(database, {
      ...toFile(name),
      artist_id: memberIds.owner,
      type_id: typeId,
      title: name,
      description: name,
      is_published: isPublished,
    });
    return id;
  };
  await addSound(false);
  /** The staff sees those of all members. */
  const addApplication = async () => {
    const id = randomId();
    const user_id = await addMember(`applicant-${id}`, { is_verified: false });
    await everyTable(db)
      .insertInto('quality_checks')
      .values({ id, user_id, state: 'pending', submitted_at: api.clock.now() })
      .execute();
    return id;
  };
  const addPersonalInfo = async () => {
    const id = randomId();
    const user_id = await addMember(`identity-${id}`, {});
    const decision = { decided_at: null, decided_by: null };
    await everyTable(db)
      .insertInto('personal_info_submissions')
      .values({ id, user_id, object_key: null, state: 'pending', submitted_at: api.clock.now(), ...decision })
      .execute();
    return id;
  };
  const addPayout = async () => {
    const id = randomId();
    const user_id = await addMember(`payee-${id}`, {});
    const request = {
      id,
      user_id,
      amount: 3_000,
      email: '',
      idempotency_key: null,
      created_at: api.clock.now(),
    };
    await everyTable(db)
      .insertInto('transfer_requests')
      .values({ ...request, state: 'requested' })
      .execute();
    return id;
  };
  const addMail = async () => {
    const id = randomId();
    const mail = { id, to_address: 'payee@example.test', subject: '', text: '', html: '' };
    const created_at = api.clock.now();
    await everyTable(db)
      .insertInto('mail_outbox')
      .values({ ...mail, state: 'waiting', created_at, next_attempt_at: created_at })
      .execute();
    return id;
  };
  const placeholders: Readonly<Record<string, PlaceholderValues>> = {
    'sounds/{id}': { missing: MISSING, owned: () => addSound(false), visible: await addSound(true) },
    'uploads/{id}': {
      missing: MISSING,
      owned: async () => (await createUpload(api, memberIds.owner, 5)).split('/').at(-1) ?? '',
    },
    'docs/{file}': { missing: MISSING },
    'download-intents/{id}': { missing: MISSING },
    'certificates/{id}': {
      missing: MISSING,
      visible: await addCertificate(database, await addSound(true)),
    },
    'licences/{hash}': { missing: MISSING },
    'quality-checks/{id}': { missing: MISSING, owned: addApplication },
    'personal-info/{id}': { missing: MISSING, owned: addPersonalInfo },
    'payouts/{id}': { missing: MISSING, owned: addPayout },
    'mails/{id}': { missing: MISSING, owned: addMail },
    'members/{id}': { missing: MISSING, owned: () => addMember(`member-${randomId()}`, {}) },
    'credits/{id}': { missing: MISSING },
    'reports/{id}': { missing: MISSING, owned: () => addReport(api, memberIds.owner) },
    'uses/{id}': { missing: MISSING, owned: async () => addUse(database, await addSound(true)) },
    'artist/{username}': { missing: MISSING, visible: 'owner' },
    'announcements/{id}': { missing: MISSING },
    'pages/{slug}': { missing: MISSING },
    'pictures/{picture}': { missing: MISSING },
    'sitemap/{part}': { missing: MISSING, visible: '1' },
    'page/{slug}': { missing: MISSING, visible: 'terms' },
    'statements/{month}': { missing: '1999-01', visible: '2026-04' },
    'verify-email/{uid}': { missing: MISSING, owned: async () => memberIds.owner },
    '{uid}/{token}': { missing: SECRET },
  };
  const findPlaceholder = (match: string) => {
    const values = placeholders[match];
    if (values === undefined)
      throw new Error(`tests/support/http/calls.ts has no value for the placeholder ${match}`);
    return values;
  };
  const listPlaceholders = (path: string) =>
    path
      .split('/')
      .map((part, index, parts) =>
        part.startsWith('{') ? findPlaceholder(`${parts[index - 1]}/${part}`) : part,
      );
  return {
    api,
    memberIds,
    async toHeaders(role) {
      const headers: Record<string, string> = {
        host: 'localhost',
        origin: 'http://localhost',
        cookie: `${VISITOR_COOKIE}=${BROWSER}`,
        'x-client-address': '192.0.2.1',
        'tus-resumable': '1.0.0',
      };
      if (role === 'bad token') headers['authorization'] = `Bearer ${SECRET}`;
      else if (role === 'staff logged in long ago')
        headers['authorization'] = `Bearer ${await openSession(memberIds.staff, HOUR_MS)}`;
      else if (role !== 'visitor')
        headers['authorization'] = `Bearer ${await openSession(memberIds[role], 0)}`;
      return headers;
    },
    async toPath({ path }, which) {
      const parts = listPlaceholders(path).map(async (part) => {
        if (typeof part === 'string') return part;
        const value = which === 'owned' ? await part.owned?.() : part[which];
        return encodeURIComponent(value ?? part.missing);
      });
      return (await Promise.all(parts)).join('/');
    },
    namesOwned: ({ path }) =>
      listPlaceholders(path).some((part) => typeof part === 'object' && part.owned !== undefined),
    async snapshot() {
      const { owner } = memberIds;
      return JSON.stringify([
        await everyTable(db).selectFrom('users').selectAll().where('id', '=', owner).execute(),
        await everyTable(db).selectFrom('sounds').selectAll().where('artist_id', '=', owner).execute(),
        await everyTable(db)
          .selectFrom('resumable_uploads')
          .selectAll()
          .where('user_id', '=', owner)
          .execute(),
        await everyTable(db)
          .selectFrom('transfer_requests')
          .selectAll()
          .where('user_id', '=', owner)
          .execute(),
      ]);
    },
    async close() {
      await database.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Headers and body of a call that match the route's schemas; a form's file is neither picture nor sound. */
export function toSampleInit({ method, path, body, form }: Access): {
  headers: Record<string, string>;
  body?: BodyInit;
} {
  if (form !== undefined) {
    const texts = (form.texts ?? []).map((name) => ({ name, content: name === 'upload' ? MISSING : 'true' }));
    const parts = [
      ...texts,
      { name: form.files[0] ?? '', filename: 'a.mp3', type: 'audio/mpeg', content: 'x' },
    ];
    return { headers: { 'content-type': FORM_TYPE }, body: toFormBytes(parts) as BodyInit };
  }
  if (body !== undefined) {
    return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(toSample(body)) };
  }
  if (!path.startsWith('/api/uploads/')) return { headers: {} };
  const headers = {
    'upload-length': '5',
    'upload-offset': '0',
    'content-type': 'application/offset+octet-stream',
  };
  return method === 'PATCH' ? { headers, body: 'hello' } : { headers };
}

/** A query that the route's schema accepts, with its question mark; '' if it takes none. */
export function toSampleQuery({ query }: Access): string {
  if (query === undefined) return '';
  const search = new URLSearchParams();
  for (const [name, values] of Object.entries(toSample(query) as Record<string, readonly string[]>)) {
    for (const value of values) search.append(name, value);
  }
  return `?${search.toString()}`;
}

/** One sample call; `HEAD` for uploads, which have no GET. */
export async function callAs(
  world: World,
  access: Access,
  role: Role,
  path: string,
  more: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const init = toSampleInit(access);
  const method = access.method === 'GET' && access.path.startsWith('/api/uploads/') ? 'HEAD' : access.method;
  return world.api.app.request(path + toSampleQuery(access), {
    ...init,
    method,
    headers: { ...(await world.toHeaders(role)), ...init.headers, ...more },
  });
}
