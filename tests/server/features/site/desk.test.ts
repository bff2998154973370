import type { Handle } from '#server/platform/database/handle.ts';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { deleteRetiredPictures } from '#server/features/pictures/retired.ts';
import { useApi } from '#support/http/use-api.ts';
import { bothDatabases } from '#support/databases/databases.ts';
import { readActions } from '#support/members/profiles.ts';
import { sendForm } from '#support/sounds/uploads.ts';
import { makePngBomb } from '#support/files/pictures.ts';
import { startInTurn } from '#support/processes/started-in-turn.ts';
import { everyTable } from '#server/platform/database/schema.ts';

describe.each(bothDatabases)('the site in the console on $name', ({ open }) => {
  const { database, api, storage, useStaff } = useApi(open);
  const staff = useStaff();

  async function post(path: string, body: object) {
    const response = await api.post(`/api/operator/site/${path}`, body, staff);
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  }
  async function upload(picture: string, content: Uint8Array | string) {
    const parts = [{ name: 'picture', filename: 'a.png', content }];
    const response = await sendForm(api, 'POST', `/api/operator/site/pictures/${picture}/`, parts, staff);
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  }
  const read = () => api.json('/api/operator/site/', staff) as Promise<Record<string, unknown>>;
  const makePicture = (background = '#d4553a') =>
    sharp({ create: { width: 600, height: 90, channels: 3, background } })
      .png()
      .toBuffer();

  test('is switched, which visitors see at once and the record keeps', async () => {
    expect(await read()).toMatchObject({ allow_register: true, maintenance_mode: false });
    const off = await post('flag/', { flag: 'allow_register', is_on: false });
    expect(off).toEqual({ status: 200, body: { is_on: false } });
    expect(await api.json('/api/site-config/')).toMatchObject({ allow_register: false });
    expect(await read()).toMatchObject({ allow_register: false });
    expect(await readActions(database)).toEqual([
      { staff_id: staff, action: 'set site', subject: 'allow_register', note: 'off' },
    ]);
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

  test('U22 refuses what is no picture or too large, and keeps a picture alone of a file that is also a page', async () => {
    const picture = await makePicture();
    const markup = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
    for (const content of [markup, makePngBomb(), await sharp(picture).gif().toBuffer()])
      expect(await upload('footer_banner', content)).toMatchObject({ status: 400 });
    expect(storage.objects.size).toBe(0);
    const polyglot = await upload(
      'footer_banner',
      Buffer.concat([picture, Buffer.from(`${markup}PK\x03\x04`)]),
    );
    expect(polyglot.status).toBe(200);
    expect(storage.objects.size).toBeGreaterThan(0);
    for (const stored of storage.objects.values()) {
      expect(stored.toString('latin1', 8, 12)).toBe('WEBP');
      expect(stored.includes('script')).toBe(false);
    }
    expect(await read()).toMatchObject({ footer_banner: polyglot.body.url });
  });

  test('U24 two pictures that replace one at once leave nothing behind but the shown one', async () => {
    await upload('navbar_logo', await makePicture());
    const [first, second] = [await makePicture('#123456'), await makePicture('#654321')];
    const lock = (transaction: Handle) =>
      everyTable(transaction).updateTable('site_config').set({ id: 1 }).execute();
    const sent = await startInTurn(
      database,
      lock,
      () => upload('navbar_logo', first),
      () => upload('navbar_logo', second),
    );
    expect(sent.map(({ status }) => status)).toEqual([200, 200]);
    api.clock.advance(2 * 3_600_000);
    await deleteRetiredPictures(api.deps);
    const { navbar_logo: url } = await read();
    const keys = [...storage.objects.keys()].map((key) => key.split('/')[1]);
    expect(new Set(keys)).toEqual(new Set([String(url).split('/')[3]]));
  });
});
