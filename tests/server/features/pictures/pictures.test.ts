import { describe, expect, test, beforeEach } from 'vitest';
import { pino } from 'pino';
import sharp from 'sharp';
import { type PictureKind, PICTURE_WIDTHS } from '#contract/site/pictures.ts';
import {
  PICTURE_BYTES_MAX,
  updateProfileBackground,
  updateProfilePicture,
} from '#contract/accounts/profile.ts';
import { createUser } from '#server/features/accounts/users.ts';
import { deleteRetiredPictures } from '#server/features/pictures/retired.ts';
import { storePicture } from '#server/media/pictures/pictures.ts';
import { expectProblems, expectReply } from '#support/http/replies.ts';
import { useApi } from '#support/http/use-api.ts';
import { createTestApi } from '#support/http/api.ts';
import { bothDatabases, updateRows } from '#support/databases/databases.ts';
import { readUser as readRow } from '#support/members/profiles.ts';
import { sendForm } from '#support/sounds/uploads.ts';
import { CANARY, makeAnimatedPng, makePaper, makePngBomb, makeTellingJpeg } from '#support/files/pictures.ts';

const calls = [
  { call: updateProfilePicture, name: 'profile_picture', column: 'picture_key', kind: 'avatar' },
  { call: updateProfileBackground, name: 'profile_background', column: 'background_key', kind: 'background' },
] as const;

describe.each(bothDatabases)('pictures of a profile on $name', ({ open, rule }) => {
  const { database, api, storage, useMember } = useApi(open);
  const member = useMember({ username: '絵の人' });

  beforeEach(() => api.logIn(member));

  async function send(
    path: string,
    name: string,
    content: Uint8Array,
    { filename = 'a.png', type = 'image/png', user = member as string | null } = {},
  ): Promise<Response> {
    return sendForm(api, 'POST', path, [{ name, filename, type, content }], user);
  }

  /** An hour later, when no cached page can refer to a replaced picture. */
  async function letAnHourPass(from: typeof storage = storage): Promise<string[]> {
    const told: string[] = [];
    const logger = pino({}, { write: (line: string) => void told.push(line) });
    api.clock.advance(3_600_001);
    await deleteRetiredPictures({ database, storage: from, clock: api.clock, logger });
    return told;
  }

  const readUser = (id = member) => readRow(database, id);
  const toObjects = (key: string | null, kind: PictureKind) =>
    PICTURE_WIDTHS[kind].map((width) => `pictures/${key}/${width}.webp`);

  test.each(calls)('$name is stored in its sizes and shown at once', async ({ call, name, column, kind }) => {
    const response = await send(call.path, name, await makeTellingJpeg());
    const key = (await readUser())[column];
    await expectReply(response, 200, { [name]: `/pictures/${kind}/${key}/1.webp` });
    expect([...storage.objects.keys()].toSorted()).toEqual(toObjects(key, kind).toSorted());
    for (const object of storage.objects.values()) {
      const { format, exif, orientation } = await sharp(object).metadata();
      expect({ format, exif, orientation }).toEqual({
        format: 'webp',
        exif: undefined,
        orientation: undefined,
      });
      expect(object.includes(CANARY)).toBe(false);
    }
    expect(api.countChanges()).toBe(1);
    expect(await api.json('/api/account/profile/', member)).toMatchObject({
      [name]: `/pictures/${kind}/${key}/1.webp`,
    });
  });

  rule('deletes the replaced picture an hour later, but no other member’s equal one', async () => {
    const bytes = await makePaper(50, 50).png().toBuffer();
    const other = await createUser(database, { username: '別の人', email: 'other@example.test' });
    await send(updateProfilePicture.path, 'profile_picture', bytes, { user: other });
    await send(updateProfilePicture.path, 'profile_picture', bytes);
    const { picture_key: old } = await readUser();
    await send(
      updateProfilePicture.path,
      'profile_picture',
      await makePaper(60, 60, '#3c3').png().toBuffer(),
    );
    const { picture_key: now } = await readUser();
    const { picture_key: others } = await readUser(other);
    expect(now).not.toBe(old);
    expect([...storage.objects.keys()]).toEqual(expect.arrayContaining(toObjects(old, 'avatar')));
    await letAnHourPass();
    expect([...storage.objects.keys()].toSorted()).toEqual(
      [...toObjects(now, 'avatar'), ...toObjects(others, 'avatar')].toSorted(),
    );
  });

  rule('the same picture sent again is kept', async () => {
    const bytes = await makePaper(50, 50).png().toBuffer();
    await send(updateProfilePicture.path, 'profile_picture', bytes);
    await send(updateProfilePicture.path, 'profile_picture', bytes);
    await letAnHourPass();
    const { picture_key } = await readUser();
    expect([...storage.objects.keys()].toSorted()).toEqual(toObjects(picture_key, 'avatar').toSorted());
  });

  test('of several concurrent uploads one remains, complete', async () => {
    const bytes = await makePaper(50, 50).png().toBuffer();
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => send(updateProfilePicture.path, 'profile_picture', bytes)),
    );
    expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
    await letAnHourPass();
    const { picture_key } = await readUser();
    expect([...storage.objects.keys()].toSorted()).toEqual(toObjects(picture_key, 'avatar').toSorted());
  });

  rule('retries failed deletions', async () => {
    await send(updateProfilePicture.path, 'profile_picture', await makePaper(50, 50).png().toBuffer());
    const { picture_key: old } = await readUser();
    await send(updateProfilePicture.path, 'profile_picture', await makePaper(9, 9).png().toBuffer());
    const told = await letAnHourPass({ ...storage, delete: () => Promise.reject(new Error('not now')) });
    expect(told.join()).toContain('failed to delete a replaced picture');
    expect([...storage.objects.keys()]).toEqual(expect.arrayContaining(toObjects(old, 'avatar')));
    expect(await letAnHourPass()).toEqual([]);
    expect([...storage.objects.keys()]).not.toEqual(expect.arrayContaining(toObjects(old, 'avatar')));
  });

  rule.each<[what: string, make: () => Buffer | Promise<Buffer>, status: number]>([
    ['U2: HTML', () => Buffer.from('<!doctype html><script>alert(1)</script>'), 400],
    ['U2: SVG', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>'), 400],
    [
      'U2: JavaScript behind the mark of a PNG',
      () => Buffer.from('\x89PNG\r\n\x1a\nalert(1)', 'latin1'),
      400,
    ],
    ['a GIF', () => makePaper(9, 9).gif().toBuffer(), 400],
    ['an animated PNG', makeAnimatedPng, 400],
    ['U5: a bomb', makePngBomb, 400],
    ['nothing', () => Buffer.alloc(0), 400],
    ['more than 10 MB', () => Buffer.alloc(PICTURE_BYTES_MAX + 1), 413],
  ])(
    '%s is refused by name, whatever it calls itself, and the old picture stays',
    async (_, make, status) => {
      await send(updateProfilePicture.path, 'profile_picture', await makePaper(50, 50).png().toBuffer());
      const before = [await readUser(), [...storage.objects.keys()]];
      const bytes = await make();
      for (const [filename, type] of [
        ['a.png', 'image/png'],
        ['a.jpg', 'image/jpeg'],
        ['a.png.html', 'text/html'],
        ['a.html%00.png', 'application/octet-stream'],
      ]) {
        await expectProblems(
          send(updateProfilePicture.path, 'profile_picture', bytes, { filename, type }),
          status,
          ['profile_picture'],
        );
      }
      expect([await readUser(), [...storage.objects.keys()]]).toEqual(before);
      expect(api.countChanges()).toBe(1);
    },
  );

  rule('U3: is recognised by its content: a JPEG named and typed as HTML is accepted', async () => {
    const jpeg = await makePaper(20, 20).jpeg().toBuffer();
    const disguise = { filename: 'a.html', type: 'text/html' };
    expect((await send(updateProfilePicture.path, 'profile_picture', jpeg, disguise)).status).toBe(200);
  });

  rule('needs the field of its name', async () => {
    const bytes = await makePaper(20, 20).png().toBuffer();
    await expectProblems(send(updateProfilePicture.path, 'profile_background', bytes), 400, [
      'profile_background',
    ]);
  });

  rule('U15: is answered 507 when the storage has no room, and the old one remains', async () => {
    await send(updateProfilePicture.path, 'profile_picture', await makePaper(50, 50).png().toBuffer());
    const before = await readUser();
    const full = createTestApi(database, {
      storage: {
        ...storage,
        put: () => Promise.reject(Object.assign(new Error('no space'), { code: 'ENOSPC' })),
      },
    });
    const content = await makePaper(9, 9).png().toBuffer();
    const parts = [{ name: 'profile_picture', filename: 'b.png', content }];
    expect((await sendForm(full, 'POST', updateProfilePicture.path, parts, member)).status).toBe(507);
    expect(await readUser()).toEqual(before);
  });

  test('more than can be queued are refused with Retry-After, and lose nothing', async () => {
    const bytes = await makeTellingJpeg(800, 800);
    const replies = await Promise.all(
      Array.from({ length: 40 }, () => send(updateProfileBackground.path, 'profile_background', bytes)),
    );
    await letAnHourPass();
    const statuses = new Set(replies.map(({ status }) => status));
    expect(statuses).toEqual(new Set([200, 503]));
    expect(replies.find(({ status }) => status === 503)?.headers.get('retry-after')).not.toBeNull();
    const { background_key } = await readUser();
    expect([...storage.objects.keys()].toSorted()).toEqual(
      toObjects(background_key, 'background').toSorted(),
    );
  });

  rule('a picture of the demo, which has its own salt, can be replaced too', async () => {
    const old = await storePicture(storage, await makePaper(50, 50).png().toBuffer(), 'avatar', '絵の人');
    await updateRows(database, 'users', { picture_key: old }, { id: member });
    await send(updateProfilePicture.path, 'profile_picture', await makePaper(60, 60).png().toBuffer());
    await letAnHourPass();
    expect([...storage.objects.keys()].some((key) => key.includes(old))).toBe(false);
  });
});
