import type * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Access } from '#server/platform/http/access.ts';
import { type World, DECLARATIONS, createWorld } from '#support/http/calls.ts';
import { FORM_TYPE, toFormBytes } from '#support/http/forms.ts';
import { openTestDatabase } from '#support/databases/databases.ts';

/** What happens to a change that is based on something outdated, for every call that is not a GET. */
type Rule =
  /** The field that says what was read. An outdated one is refused, the whole call or (`rows`) what it names. */
  | { readonly version: string; readonly rows?: true; readonly outdated?: Outdated }
  /** Why nothing is lost without a version. */
  | { readonly why: string };
/** Sends the call with something outdated. */
type Outdated = (world: World, access: Access) => Promise<Response>;

const CREATES = { why: 'adds something; it replaces nothing' };
const DECIDES = { why: 'the server refuses a decision that the state no longer allows' };
const REPLACES_A_PICTURE = { why: 'the caller sees the old picture and sends a whole new one' };
const SENDS = { why: 'sends or records something; it edits nothing' };
const CREDENTIALS = { why: 'changes only what its secret or the password of the caller stands for' };
const REMOVES = { why: 'the end is the same, whatever was changed before' };

const HOUR_MS = 3_600_000;
const ANNOUNCEMENT = {
  text: '音',
  link: '',
  audience: 'everyone',
  begins: '2036-01-01T10:00',
  ends: '2036-01-02T10:00',
};
const PAGE = { title: '音', body: '音', order: 0, is_listed: false, licence_line: '', licence_uses: [] };
const post = (world: World, path: string, body: object) => world.api.post(path, body, world.memberIds.staff);

const ofPage: Outdated = async (world, { path }) => {
  const slug = `outdated-${path.length}`;
  await post(world, '/api/operator/pages/', { ...PAGE, slug });
  return post(world, path.replace('{slug}', slug), { ...PAGE, updated_at: 1 });
};
const ofAnnouncement: Outdated = async (world, { path }) => {
  const added = await post(world, '/api/operator/announcements/', ANNOUNCEMENT);
  const { id } = (await added.json()) as { id: string };
  return post(world, path.replace('{id}', id), { ...ANNOUNCEMENT, updated_at: 1 });
};
const ofNotices: Outdated = (world, { path }) => post(world, path, { version: 'old', index: 0, to: 0 });

const RULES: Readonly<Record<string, Rule>> = {
  'PATCH /api/account/update-profile/': {
    version: 'read',
    outdated: async ({ api, memberIds }, { path }) =>
      api.app.request(path, {
        method: 'PATCH',
        headers: {
          authorization: `Bearer ${await api.logIn(memberIds.owner)}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ name: '新しい名前', read: { name: '古い名前' } }),
      }),
  },
  'PATCH /api/sounds/{id}/': {
    version: 'updated_at',
    outdated: async (world, access) => {
      const parts = [
        { name: 'title', content: '新しい題' },
        { name: 'updated_at', content: new Date(world.api.clock.now() - HOUR_MS).toISOString() },
      ];
      return world.api.app.request(await world.toPath(access, 'owned'), {
        method: 'PATCH',
        headers: { ...(await world.toHeaders('owner')), 'content-type': FORM_TYPE },
        body: toFormBytes(parts) as BodyInit,
      });
    },
  },
  'POST /api/sounds/changes/': { version: 'sounds.updated_at', rows: true },
  'POST /api/operator/pages/{slug}/': { version: 'updated_at', outdated: ofPage },
  'POST /api/operator/pages/{slug}/remove/': { version: 'updated_at', outdated: ofPage },
  'POST /api/operator/announcements/{id}/': { version: 'updated_at', outdated: ofAnnouncement },
  'POST /api/operator/announcements/{id}/end/': { version: 'updated_at', outdated: ofAnnouncement },
  'POST /api/operator/announcements/{id}/remove/': { version: 'updated_at', outdated: ofAnnouncement },
  'POST /api/operator/notices/change/': {
    version: 'version',
    outdated: (world, { path }) =>
      post(world, path, {
        id: 'none',
        version: 'old',
        text: '音',
        link: '',
        seconds: 15,
        from: '',
        until: '',
      }),
  },
  'POST /api/operator/notices/move/': { version: 'version', outdated: ofNotices },
  'POST /api/operator/notices/remove/': { version: 'version', outdated: ofNotices },
  'POST /api/operator/labels/change/': {
    version: 'read',
    outdated: async (world, { path }) => {
      const added = await post(world, '/api/operator/labels/', { kind: 'genre', name: '季節' });
      const { id } = (await added.json()) as { id: number };
      const read = { name: '古い名前', icon: '', order: 0 };
      return post(world, path, { kind: 'genre', id, name: '四季', order: 0, read });
    },
  },
  'POST /api/operator/reports/{id}/decide/': {
    version: 'version',
    outdated: async (world, access) =>
      post(world, await world.toPath(access, 'owned'), { action: 'dismiss', reason: '理由', version: 99 }),
  },
  'POST /api/operator/personal-info/{id}/review/': { version: 'viewed_at' },
  'POST /api/operator/credit-groups/decide/': { version: 'until' },
  'POST /api/operator/payouts/pay/': { version: 'total' },

  'POST /api/operator/credits/{id}/decide/': DECIDES,
  'POST /api/operator/members/{id}/decide/': DECIDES,
  'POST /api/operator/payouts/{id}/refuse/': DECIDES,
  'POST /api/operator/quality-checks/{id}/review/': DECIDES,
  'POST /api/operator/sounds/{id}/decide/': DECIDES,
  'POST /api/operator/uses/{id}/decide/': DECIDES,
  'POST /api/account/use-decisions/': { why: 'the call says the state, and only the artist decides' },
  'POST /api/account/reports/{id}/answer/': { why: 'a report is answered once' },
  'POST /api/account/report-answers/': { why: 'each report is answered once' },

  'POST /api/operator/mails/{id}/drop/': { why: 'only a waiting mail is dropped, once' },
  'POST /api/operator/site/flag/': { why: 'the call says on or off, and the action log says who and when' },
  'POST /api/operator/site/pictures/{picture}/': REPLACES_A_PICTURE,
  'POST /api/operator/site/pictures/{picture}/remove/': REMOVES,
  'POST /api/account/update-profile-background/': REPLACES_A_PICTURE,
  'POST /api/account/update-profile-picture/': REPLACES_A_PICTURE,
  'POST /api/account/use-mails/': { why: 'the call says on or off, and only the member switches it' },
  'POST /api/sounds/{id}/toggle-favorite': {
    why: 'spec §7 defines it as a toggle; the reply says the state',
  },

  'DELETE /api/sounds/{id}/': REMOVES,
  'DELETE /api/uploads/{id}': REMOVES,
  'POST /api/operator/labels/remove/': {
    why: 'only a label without sounds is removed, which the server checks',
  },
  'PATCH /api/uploads/{id}': { why: 'tus refuses a piece with another offset (409)' },
  'OPTIONS /api/uploads/': { why: 'changes nothing' },

  'POST /api/account/login/': CREDENTIALS,
  'POST /api/account/logout/': CREDENTIALS,
  'POST /api/account/reauthenticate/': CREDENTIALS,
  'POST /api/account/token/refresh/': CREDENTIALS,
  'POST /api/account/confirm-email/': CREDENTIALS,
  'POST /api/account/confirm-message-email/': CREDENTIALS,
  'POST /api/account/undo/': CREDENTIALS,
  'POST /api/account/undo/describe/': CREDENTIALS,
  'POST /api/account/deletion/': CREDENTIALS,
  'POST /api/reset-password/': CREDENTIALS,
  'POST /api/reports/confirm/': CREDENTIALS,
  'POST /api/reports/view/': CREDENTIALS,
  'POST /api/operator/security/code/': CREDENTIALS,
  'POST /api/operator/security/confirm/': CREDENTIALS,
  'POST /api/operator/security/end/': CREDENTIALS,
  'POST /api/operator/security/start/': CREDENTIALS,

  'POST /api/account/register/': CREATES,
  'POST /api/account/upload-quality-check/': CREATES,
  'POST /api/account/verify-personal-info/': CREATES,
  'POST /api/certificates/{id}/uses/': CREATES,
  'POST /api/finance/transfer-request/': CREATES,
  'POST /api/operator/announcements/': CREATES,
  'POST /api/operator/labels/': CREATES,
  'POST /api/operator/notices/': CREATES,
  'POST /api/operator/pages/': CREATES,
  'POST /api/sounds/': CREATES,
  'POST /api/sounds/{id}/download-intents': CREATES,
  'POST /api/sounds/{id}/reports/': CREATES,
  'POST /api/uploads/': CREATES,

  'POST /api/account/export/': SENDS,
  'POST /api/contact/': SENDS,
  'POST /api/download-intents/{id}/watching': SENDS,
  'POST /api/forgot-password/': SENDS,
  'POST /api/messages/send/': SENDS,
  'POST /api/missed-searches/': SENDS,
  'POST /api/operator/mails/{id}/retry/': SENDS,
  'POST /api/operator/page-preview/': SENDS,
  'POST /api/operator/personal-info/{id}/view/': SENDS,
  'POST /api/operator/zengin/': SENDS,
  'POST /api/plays/': SENDS,
  'POST /api/sounds/{id}/download': SENDS,
};

type Schema = v.GenericSchema & {
  readonly entries?: Readonly<Record<string, Schema>>;
  readonly wrapped?: Schema;
  readonly item?: Schema;
  readonly options?: readonly Schema[];
};

/** Whether a body can have a field; `a.b` is a field of what the list `a` contains. */
function hasField(schema: Schema, path: string): boolean {
  const inner = schema.wrapped ?? schema.item;
  if (inner) return hasField(inner, path);
  if (schema.options) return schema.options.some((option) => hasField(option, path));
  const [name = '', ...rest] = path.split('.');
  const field = schema.entries?.[name];
  return field !== undefined && (rest.length === 0 || hasField(field, rest.join('.')));
}

const CHANGES: readonly (readonly [string, Access])[] = DECLARATIONS.filter(
  ({ method }) => method !== 'GET',
).map((access) => [`${access.method} ${access.path}`, access]);
const VERSIONED = CHANGES.flatMap(([name, access]) => {
  const rule = RULES[name];
  return rule && 'version' in rule ? [[name, access, rule] as const] : [];
});

let world: World;
beforeAll(async () => {
  world = await createWorld(await openTestDatabase('sqlite'));
});
afterAll(() => world.close());

describe('a change that is based on something outdated', () => {
  test.each(CHANGES)('has a rule in tests/server/conflicts.test.ts: %s', (name) => {
    expect(
      RULES[name],
      `Say in RULES what ${name} does with an outdated change: name the field that says what was read, or why the last change may win.`,
    ).toBeDefined();
  });

  test('has no rule for a call that does not exist', () => {
    const names = new Set(CHANGES.map(([name]) => name));
    expect(Object.keys(RULES).filter((name) => !names.has(name))).toEqual([]);
  });

  test.each(VERSIONED)('can be recognised by %s', (_, access, { version, rows }) => {
    const isSent =
      access.form?.texts?.includes(version) ?? hasField(access.body as unknown as Schema, version);
    expect(isSent, `${access.path} takes no ${version}`).toBe(true);
    if (!rows) expect(access.refuses).toContain(409);
  });

  test.each(
    VERSIONED.flatMap(([name, access, { outdated }]) =>
      outdated ? [[name, access, outdated] as const] : [],
    ),
  )('is refused by %s', async (_, access, outdated) => {
    const response = await outdated(world, access);
    expect([response.status, await response.text()]).toEqual([409, expect.any(String)]);
  });
});
