import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createUser } from '#server/features/accounts/users.ts';
import { openDatabase } from '#server/schema/open.ts';
import type { Database } from '#server/platform/database/open.ts';
import { type TestApi, createTestApi } from '#support/http/api.ts';
import { ruleDatabases } from '#support/databases/databases.ts';
import { addSoundOf } from '#support/sounds/downloads.ts';
import { makeFolder } from '#support/files/folders.ts';
import { reportSound, toReporterEmail } from '#support/members/reports.ts';
import { readActions } from '#support/members/profiles.ts';
import { runCommand } from '#support/processes/operator.ts';

const STAFF = 'staff@example.test';
const ARTIST = 'artist@example.test';

describe.each(ruleDatabases)('npm run operator -- reports on $name', ({ locate }) => {
  let database: Database;
  let api: TestApi;
  let artist: string;
  let staff: string;
  let env: Readonly<Record<string, string>>;
  let remove: () => Promise<void>;

  beforeEach(async () => {
    const place = await locate();
    ({ remove } = place);
    env = { DATA_DIR: await makeFolder(), PORT: '4555', ...place.env };
    database = await openDatabase(place.location);
    api = createTestApi(database);
    artist = await createUser(database, { username: '音の人', email: ARTIST, is_verified: true });
    staff = await createUser(database, { username: 'staff', email: STAFF, is_staff: true });
  });
  afterEach(async () => {
    await database.close();
    await remove();
  });

  const run = (...args: string[]) => runCommand({ OPERATOR_AS: STAFF, ...env }, 'reports', ...args);
  const why = ['--reason', '権利者の説明を確認しました'] as const;

  test('lists, shows and decides, and each step is on record', async () => {
    const sound = await addSoundOf(database, artist, { title: '朝の音' });
    const email = toReporterEmail();
    const id = await reportSound(api, sound, { email, explanation: '一行目\n\u001b[31m二行目' });

    expect((await run()).out).toMatch(new RegExp(`^ID .*\n${id} .* waiting .* copyright .*朝の音 +音の人$`));
    const shown = (await run('show', id)).out;
    expect(shown).toMatch(/^allowed +hide, delete, dismiss$/m);
    expect(shown).toMatch(new RegExp(`^email +${email}$`, 'm'));
    expect(shown).toMatch(/^explanation +一行目 .*二行目$/m);
    expect(shown).not.toContain('\u001b');
    expect(JSON.parse((await run('show', id, '--json')).out)).toMatchObject({ id, is_overdue: true });

    expect(await run('hide', id, ...why)).toEqual({ code: 0, out: 'state  waiting-hidden', err: '' });
    expect((await api.get(`/api/sounds/${sound}/`)).status).toBe(404);
    expect((await run('show', id)).out).toMatch(
      /^audio is hidden +yes$[^]*^history:\nEVENT [^]*hide .*確認しました +staff$/m,
    );
    expect(await run('hide', id, ...why)).toMatchObject({ code: 1, out: '' });
    expect(await run('restore', id, ...why)).toMatchObject({ code: 0, out: 'state  waiting' });
    expect((await api.get(`/api/sounds/${sound}/`)).status).toBe(200);
    expect((await run('dismiss', id, ...why)).code).toBe(0);
    expect((await run('list')).out).toBe('None.');
    expect((await run('list', '--list', 'closed')).out).toContain(id);
    const recorded = (await readActions(database)).filter(({ subject }) => subject === id);
    expect(recorded).toEqual(
      ['hide report', 'restore report', 'dismiss report'].map((action) => ({
        staff_id: staff,
        action,
        subject: id,
        note: why[1],
      })),
    );
  });

  test('refuses other accounts, unknown reports, unknown states and a missing reason', async () => {
    const id = await reportSound(api, await addSoundOf(database, artist));
    expect((await run('hide', id, ...why, '--as', ARTIST)).err).toContain('not a staff account');
    expect((await run('hide', 'nothing', ...why)).err).toContain('見つかりません');
    expect((await run('show', '../x')).err).toContain('見つかりません');
    expect(await run('hide', id)).toMatchObject({ code: 2 });
    expect(await run('list', '--list', 'odd')).toMatchObject({ code: 2 });
    expect((await api.json('/api/account/reports/', artist))[0]).toMatchObject({ id, state: 'waiting' });
  });
});
