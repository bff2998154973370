import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { updateProfilePicture } from '#contract/accounts/profile.ts';
import { createUser } from '#server/features/accounts/users.ts';
import { isSoak } from '#support/depth.ts';
import { FORM_TYPE, toFormBytes } from '#support/http/forms.ts';
import { MIB, startHostProcess } from '#support/processes/host-process.ts';
import { logIn, withDatabaseOf } from '#support/http/host.ts';
import { listHostilePictures } from '#support/files/hostile-pictures.ts';
import { makePaper, makePngBomb } from '#support/files/pictures.ts';

const GROWTH_MAX = 50 * MIB;

/** A warmed-up host in its own process, with a member. */
async function startProcess() {
  const { url, dataDir, temporary, watchMemory } = await startHostProcess({ RATE_LIMITS: 'off' });
  const access = await withDatabaseOf(dataDir, async (database) => {
    const id = await createUser(database, { username: '絵の人', email: 'painter@example.test' });
    return logIn(database, dataDir, id);
  });

  async function send(body: Readable): Promise<number> {
    return new Promise((resolve, reject) => {
      const sending = request(url + updateProfilePicture.path, {
        method: 'POST',
        agent: false,
        headers: { authorization: `Bearer ${access}`, 'content-type': FORM_TYPE },
      });
      sending.on('response', (response) => {
        void buffer(response).then(() => resolve(response.statusCode ?? 0), reject);
      });
      // After its answer the server stops reading the endless body.
      sending.on('error', () => undefined);
      sending.on('close', () => resolve(0));
      body.pipe(sending);
    });
  }

  const toForm = (content: Uint8Array) =>
    Readable.from([toFormBytes([{ name: 'profile_picture', filename: 'a.png', content }])]);
  const small = await makePaper(300, 300).png().toBuffer();
  for (let warm = 0; warm < 20; warm += 1) expect(await send(toForm(small))).toBe(200);

  /** The peak of the process's memory above its value when `work` begins. */
  async function measureGrowth(work: () => Promise<void>): Promise<number> {
    const readGrowth = await watchMemory();
    await work();
    return readGrowth();
  }
  return { send, toForm, measureGrowth, temporary };
}

/** A form of the given number of bytes, generated as it is sent. */
function toLongForm(bytes: number): Readable {
  const [head = Buffer.alloc(0)] = [toFormBytes([{ name: 'profile_picture', filename: 'a.png' }], false)];
  return Readable.from(
    (function* () {
      yield head;
      for (let sent = 0; sent < bytes; sent += 64 * 1024) yield Buffer.alloc(64 * 1024, 1);
    })(),
  );
}

describe.skipIf(process.platform !== 'linux')('memory', () => {
  test.runIf(isSoak)('stays flat under ten concurrent bodies of 50 MB, repeatedly', async () => {
    const { send, measureGrowth, temporary } = await startProcess();
    const growths: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      const growth = await measureGrowth(async () => {
        const statuses = await Promise.all(Array.from({ length: 10 }, () => send(toLongForm(50 * MIB))));
        // A client that keeps sending may find the connection closed before it reads the answer.
        expect(statuses.filter((status) => status !== 413 && status !== 0)).toEqual([]);
        expect(statuses).toContain(413);
      });
      growths.push(growth);
    }
    console.info(
      `ten bodies of 50 MB: ${growths.map((growth) => Math.round(growth / MIB)).join(', ')} MiB more`,
    );
    // V8 allows about 64 MB of buffers before its first collection; after that nothing is added.
    expect(growths[0]).toBeLessThan(GROWTH_MAX + 64 * MIB);
    expect(growths[1]).toBeLessThan(GROWTH_MAX);
    expect(growths[2]).toBeLessThan(GROWTH_MAX);
    await expect.poll(temporary).toEqual([]);
  });

  test('U5, U25: stays flat under hostile pictures', async () => {
    const { send, toForm, measureGrowth } = await startProcess();
    const named = async (name: string) => {
      const found = listHostilePictures().member.find((picture) => picture.name === name);
      return (await found?.make()) ?? Buffer.alloc(0);
    };
    const growth = await measureGrowth(async () => {
      expect(await send(toForm(makePngBomb()))).toBe(400);
      expect(await send(toForm(await named('JPEG with 2501 scans')))).toBe(400);
      expect(await send(toForm(await named('PNG of 25 Mpx, colour 6, depth 16, interlaced')))).toBe(400);
      // Their texts are left out.
      expect(await send(toForm(await named('PNG with 20 zTXt of 8 MB')))).toBe(200);
      expect(await send(toForm(await named('PNG with 150 zTXt of 40 MB')))).toBe(200);
    });
    console.info(`hostile pictures: ${Math.round(growth / MIB)} MiB more`);
    expect(growth).toBeLessThan(GROWTH_MAX);
  });
});
