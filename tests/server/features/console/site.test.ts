import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createUser } from '../../../../server/features/accounts/users.ts';
import type { Database } from '../../../../server/platform/database/open.ts';
import { createTestApi } from '../../../support/api.ts';
import type { TestApi } from '../../../support/api.ts';
import { databases } from '../../../support/databases.ts';
import { FORM_TYPE, toFormBytes } from '../../../support/forms.ts';
import { createMemoryStorage } from '../../../support/memory-files.ts';
import sharp from 'sharp';

describe.each(databases)('the site in the console on $name', ({ open }) => {
  const storage = createMemoryStorage();
  let database: Database;
  let api: TestApi;
  let staff: string;

  beforeEach(async () => {
    database = await open();
    api = createTestApi(database, { storage });
    staff = await createUser(database, { username: '運営', email: 's@example.test', is_staff: true });
  });
  afterEach(() => database.close());

  async function post(path: string, body: object, userId = staff) {
    const authorization = `Bearer ${await api.logIn(userId)}`;
    const response = await api.post(`/api/operator/site/${path}`, body, { authorization });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  }
  async function upload(picture: string, content: Uint8Array | string, userId = staff) {
    const response = await api.app.request(`/api/operator/site/pictures/${picture}/`, {
      method: 'POST',
      headers: { authorization: `Bearer ${await api.logIn(userId)}`, 'content-type': FORM_TYPE },
      body: toFormBytes([{ name: 'picture', filename: 'a.png', content }]) as BodyInit,
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  }
  const read = () => api.json('/api/operator/site/', staff) as Promise<Record<string, unknown>>;
  const makePicture = () =>
    sharp({ create: { width: 600, height: 90, channels: 3, background: '#d4553a' } })
      .png()
      .toBuffer();

  test('is switched, which visitors see at once and the record keeps', async () => {
    expect(await read()).toMatchObject({ allow_register: true, maintenance_mode: false });
    const off = await post('flag/', { flag: 'allow_register', is_on: false });
    expect(off).toEqual({ status: 200, body: { is_on: false } });
    expect(await api.json('/api/site-config/')).toMatchObject({ allow_register: false });
    expect(await read()).toMatchObject({ allow_register: false });
    const record = await database.db
      .selectFrom('operator_actions')
      .select(['staff_id', 'action', 'subject', 'note'])
      .execute();
    expect(record).toEqual([{ staff_id: staff, action: 'set site', subject: 'allow_register', note: 'off' }]);
    expect((await post('flag/', { flag: 'nothing', is_on: true })).body).toHaveProperty('flag');
    expect((await post('flag/', { flag: 'allow_register', is_on: 'yes' })).body).toHaveProperty('is_on');
  });

  test('has pictures that are checked, replaced and removed', async () => {
    const sent = await upload('navbar_logo', await makePicture());
    expect(sent).toEqual({ status: 200, body: { url: expect.stringMatching(/^\/pictures\/logo\//) } });
    const { url } = sent.body;
    expect(await api.json('/api/site-config/')).toMatchObject({ navbar_logo: url });
    const bad = await upload('navbar_logo', 'not a picture');
    expect([bad.status, Object.keys(bad.body)]).toEqual([400, ['picture']]);
    expect((await upload('navbar_logo', '')).status).toBe(400);
    expect((await upload('favicon', await makePicture())).status).toBe(404);
    expect(await read()).toMatchObject({ navbar_logo: url });
    expect((await post('pictures/navbar_logo/remove/', {})).body).toEqual({ url: null });
    expect(await read()).toMatchObject({ navbar_logo: null });
  });

  test('does not exist for members', async () => {
    const member = await createUser(database, { username: '人', email: 'm@example.test' });
    expect((await api.get('/api/operator/site/', member)).status).toBe(404);
    expect((await post('flag/', { flag: 'maintenance_mode', is_on: true }, member)).status).toBe(404);
    expect((await upload('navbar_logo', await makePicture(), member)).status).toBe(404);
    expect(await api.json('/api/site-config/')).toMatchObject({ maintenance_mode: false, navbar_logo: null });
  });
});
