import { generateKeyPairSync } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { createUser } from '#server/features/accounts/users.ts';
import { markPending } from '#server/features/reviews/life-cycle.ts';
import { storeImage } from '#server/features/reviews/personal-info/images.ts';
import { toPersonalInfoImageKey } from '#server/media/object-keys.ts';
import { PERSONAL_INFO } from '#server/features/reviews/personal-info/kind.ts';
import { insertIncoming } from '#server/features/reviews/personal-info/submission-queries.ts';
import { toSealingKey } from '#server/platform/crypto/sealed-keys.ts';
import { openStorage } from '#server/platform/storage/open.ts';
import { PAYOUT_DETAILS } from '#support/members/payouts.ts';
import { withDatabaseOf } from '#support/http/host.ts';
import { expectAccessible } from '../support/axe.ts';
import { OTHER_STAFF, useConsole } from '../support/console.ts';
import { runOperator } from '../support/staff.ts';
import { everyTable } from '#server/platform/database/schema.ts';

const other = generateKeyPairSync('x25519');

const { site, openConsole } = useConsole();
/** The staff's key file, with a key of an earlier time before the one in use. */
let keyFile: string;
let wrongFile: string;

/** A photograph, 600 by 400, whose left half is red and whose right half is blue. */
const makePhotograph = () =>
  sharp({ create: { width: 600, height: 400, channels: 3, background: '#ff0000' } })
    .composite([
      {
        input: { create: { width: 300, height: 400, channels: 3, background: '#0000ff' } },
        left: 300,
        top: 0,
      },
    ])
    .jpeg()
    .toBuffer();

beforeAll(async () => {
  const pem = other.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const folder = `${site.dataDir}-keys`;
  keyFile = join(folder, 'staff.pem');
  wrongFile = join(folder, 'wrong.pem');
  writeFileSync(keyFile, pem + readFileSync(join(folder, 'personal-info'), 'utf8'));
  writeFileSync(wrongFile, pem);
  const personalInfoKey = toSealingKey(readFileSync(join(site.dataDir, 'secrets/personal-info.pub'), 'utf8'));
  const photograph = await makePhotograph();
  await withDatabaseOf(site.dataDir, async (database) => {
    const storage = await openStorage({ kind: 'folder', path: join(site.dataDir, 'files') });
    for (const number of [1, 2, 3]) {
      const userId = await createUser(database, {
        username: `申請者${number}`,
        email: `identity-${number}@example.test`,
        ...PAYOUT_DETAILS,
        name: `氏名${number}`,
      });
      const id = `identity${number}`;
      await storeImage({ storage, personalInfoKey }, { submissionId: id, userId }, photograph);
      await insertIncoming(database.db, {
        id,
        user_id: userId,
        object_key: toPersonalInfoImageKey(id),
        submitted_at: number,
      });
      await markPending(database.db, PERSONAL_INFO, id, Date.now() - (4 - number) * 3_600_000);
      await everyTable(database.db)
        .updateTable('users')
        .set({ personal_info_status: 'pending' })
        .where('id', '=', userId)
        .execute();
    }
  });
});

async function openDesk(allow?: RegExp, width = 1440): Promise<Page> {
  const page = await openConsole('/operator/personal-info', allow, { width });
  await page.locator('.desk-details').waitFor();
  return page;
}
const chooseKey = (page: Page, path: string) => page.getByLabel('鍵のファイルを選ぶ').setInputFiles(path);
const applicant = (page: Page) => page.locator('#applicant').innerText();
const picture = (page: Page) => page.getByRole('img', { name: '本人確認書類の写真' });
/** Size of the drawn photograph and the colour near its upper left corner. */
const readPicture = (page: Page) =>
  picture(page).evaluate((canvas: HTMLCanvasElement) => {
    const copy = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    copy?.drawImage(canvas, 0, 0);
    const [red = 0, , blue = 0] = copy?.getImageData(9, 9, 1, 1).data ?? [];
    return `${canvas.width}x${canvas.height} ${red > blue ? 'red' : 'blue'}`;
  });
const listViews = () =>
  withDatabaseOf(site.dataDir, async ({ db }) =>
    (
      await everyTable(db)
        .selectFrom('operator_actions')
        .select('subject')
        .where('action', '=', 'view personal info')
        .execute()
    ).map(({ subject }) => subject),
  );

describe('the check of IDs', () => {
  it('shows what was entered before a key is chosen, and names the key that a wrong file lacks', async () => {
    for (const width of [320, 1440]) {
      const page = await openDesk(undefined, width);
      expect(await page.locator('.desk-details').innerText()).toContain('氏名1');
      expect(await page.getByRole('button', { name: '承認' }).isDisabled()).toBe(true);
      await expectAccessible(page);
      await page.context().close();
    }
    expect(await listViews()).toEqual([]);
    const page = await openDesk();
    await chooseKey(page, join(site.dataDir, 'secrets/personal-info.pub'));
    await page.getByText('秘密鍵のファイルではありません').waitFor();
    await chooseKey(page, wrongFile);
    await page.getByText(/必要な鍵の番号は [\da-f]{16} です/).waitFor();
    expect(await listViews()).toEqual(['identity1']);
    expect(await page.getByRole('button', { name: '承認' }).isDisabled()).toBe(true);
    await expectAccessible(page);
  });

  it('forgets the keys and the photograph when the page is left', async () => {
    const page = await openDesk();
    await chooseKey(page, keyFile);
    await picture(page).waitFor();
    await page.getByRole('link', { name: '管理' }).click();
    await page.getByRole('link', { name: '操作の記録' }).click();
    await page.getByRole('searchbox', { name: '記録を検索' }).waitFor();
    await page.getByRole('link', { name: '審査' }).click();
    await page.getByRole('link', { name: '本人確認' }).click();
    await page.locator('.desk-details').waitFor();
    await page.getByText('鍵のファイルを選ぶと、ここに写真が表示されます。').waitFor();
    expect(await page.locator('canvas').count()).toBe(0);
  });

  it('opens photographs with the key file, which is not sent, and decides by keyboard', async () => {
    const page = await openDesk(/409/);
    const sent: string[] = [];
    page.on('request', (request) => sent.push(request.postData() ?? ''));
    await chooseKey(page, keyFile);
    await picture(page).waitFor();
    expect(await readPicture(page)).toBe('600x400 red');
    await page.keyboard.press('s');
    expect(await readPicture(page)).toBe('400x600 red');
    await page.keyboard.press('s');
    expect(await readPicture(page)).toBe('600x400 blue');
    const fitted = await picture(page).boundingBox();
    await page.keyboard.press('w');
    expect((await picture(page).boundingBox())?.width).toBeGreaterThan(fitted?.width ?? Infinity);
    await expectAccessible(page);

    await page.keyboard.press('e');
    await expect.poll(() => applicant(page)).toBe('申請者2');
    await page.keyboard.press('z');
    await expect.poll(() => applicant(page)).toBe('申請者1');
    await expect.poll(() => page.getByRole('button', { name: '承認' }).isEnabled()).toBe(true);
    await page.keyboard.press('e');
    await expect.poll(() => applicant(page)).toBe('申請者2');
    await picture(page).waitFor();
    await page.keyboard.press('r');
    await page.keyboard.press('1');
    await expectAccessible(page);
    await page.keyboard.press('r');
    await expect.poll(() => applicant(page)).toBe('申請者3');
    await runOperator(
      site,
      'personal-info',
      'reject',
      'identity3',
      '--reason',
      '期限切れ',
      '--as',
      OTHER_STAFF,
    );
    await picture(page).waitFor();
    await page.keyboard.press('e');
    await page.getByText('審査を待っている申請はありません').waitFor();
    await page.getByText('別の運営 さんが先に却下にしています。').waitFor();
    const states = await withDatabaseOf(site.dataDir, ({ db }) =>
      everyTable(db).selectFrom('personal_info_submissions').select(['id', 'state']).orderBy('id').execute(),
    );
    expect(states).toEqual([
      { id: 'identity1', state: 'approved' },
      { id: 'identity2', state: 'rejected' },
      { id: 'identity3', state: 'rejected' },
    ]);
    expect(sent.join('\n')).not.toContain('PRIVATE KEY');
    expect(await page.locator('canvas').count()).toBe(0);
  });
});
