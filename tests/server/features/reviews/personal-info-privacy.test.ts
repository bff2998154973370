import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { verifyPersonalInfo } from '#contract/accounts/profile.ts';
import { createUser } from '#server/features/accounts/users.ts';
import { listPendingPersonalInfo, viewPersonalInfo } from '#server/features/reviews/personal-info/review.ts';
import { systemClock } from '#server/platform/concurrency/clock.ts';
import { readOpeningKeys } from '#server/platform/crypto/sealed-keys.ts';
import { PAYOUT_DETAILS } from '#support/members/payouts.ts';
import { FORM_TYPE, toFormBytes } from '#support/http/forms.ts';
import { startHost } from '#support/http/host.ts';
import { CANARY, makeTellingJpeg } from '#support/files/pictures.ts';
import { listFiles } from '#support/files/folders.ts';

/** Pieces long enough to be unique. */
function toPieces(bytes: Buffer): Buffer[] {
  return [0.1, 0.3, 0.5, 0.7, 0.9].map((share) => {
    const at = Math.floor(bytes.byteLength * share);
    return bytes.subarray(at, at + 24);
  });
}

test('A5: an ID’s image has no address and is only ciphertext on disk', async () => {
  const { url, settings, dataDir, database, storage, logIn, getRaw, lines } = await startHost();
  const member = await createUser(database, {
    username: '音の人',
    email: 'member@example.test',
    ...PAYOUT_DETAILS,
  });
  const staff = await createUser(database, {
    username: 'staff',
    email: 'staff@example.test',
    is_staff: true,
  });
  const sent = await makeTellingJpeg(900, 600);
  const headers = { authorization: `Bearer ${await logIn(member)}`, 'content-type': FORM_TYPE };
  const response = await fetch(url + verifyPersonalInfo.path, {
    method: 'POST',
    headers,
    body: toFormBytes([{ name: 'personal_id_image', filename: 'a.jpg', content: sent }]) as BodyInit,
  });
  expect(response.status).toBe(200);
  const [waiting] = await listPendingPersonalInfo(database.db);
  const id = waiting?.id ?? 'missing';
  const { image: kept } = await viewPersonalInfo(
    {
      database,
      storage,
      openingKeys: readOpeningKeys(settings.personalInfoKeyFile),
      clock: systemClock,
      logger: { error: () => undefined } as never,
      siteUrl: url,
      siteName: 'Otoichi',
    },
    id,
    staff,
    '審査',
  );

  const secrets = [Buffer.from(CANARY), ...toPieces(sent), ...toPieces(kept)];
  const findSecret = (bytes: Buffer) => secrets.find((secret) => bytes.includes(secret))?.toString('hex');
  expect(findSecret(sent)).toBeDefined();
  expect(findSecret(kept)).toBeDefined();

  // Both mails have been written, and no write is pending.
  const outbox = async () =>
    (await readdir(join(dataDir, 'outbox'))).map((name) => name.endsWith('.eml') && name[0] !== '.');
  await expect.poll(outbox).toEqual([true, true]);
  const files = await listFiles(dataDir);
  const isImage = (file: string) => file.endsWith(id) && !file.includes('personal-info-keys');
  const imageFile = files.find(isImage) ?? 'missing';
  const sealed = await readFile(imageFile);
  expect(sealed.toString('latin1', 0, 4)).toBe('OTS2');
  for (const file of files) expect([file, findSecret(await readFile(file))]).toEqual([file, undefined]);
  expect(findSecret(Buffer.from(lines.join('\n')))).toBeUndefined();

  const place = relative(join(dataDir, 'files'), imageFile);
  const roots = [
    '',
    '/media',
    '/media/pictures',
    '/files',
    '/data',
    '/data/files',
    '/api',
    '/static',
    '/_astro',
  ];
  const paths = roots.flatMap((root) => [
    `${root}/personal-info/${id}`,
    `${root}/${place}`,
    `${root}/../personal-info/${id}`,
    `${root}/..%2fpersonal-info%2f${id}`,
    `${root}/%2e%2e/personal-info/${id}`,
    `${root}/..\\personal-info\\${id}`,
    `${root}/%252e%252e/personal-info/${id}`,
    `${root}//personal-info/${id}`,
    `${root}/personal-info/${id}/96.webp`,
    `${root}/../../files/${place}`,
    `${root}/personal-info-keys/${id}`,
    `${root}/../personal-info-keys/${id}`,
    `${root}/../../secrets/personal-info`,
  ]);
  const key = (await readFile(settings.personalInfoKeyFile, 'utf8')).trim();
  for (const path of paths) {
    const { body } = await getRaw(path);
    expect([path, findSecret(body), body.includes(sealed.subarray(0, 24)), body.includes(key)]).toEqual([
      path,
      undefined,
      false,
      false,
    ]);
  }
  for (const path of [
    '/api/account/profile/',
    `/api/account/artist/${encodeURIComponent('音の人')}/`,
    '/profile',
  ]) {
    const body = Buffer.from(await (await fetch(url + path, { headers })).arrayBuffer());
    expect([path, findSecret(body), body.includes(id)]).toEqual([path, undefined, false]);
  }
});
