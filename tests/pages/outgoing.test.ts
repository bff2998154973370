import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createSoundType } from '#server/features/catalogue/genres/service.ts';
import { makeFolder } from '#support/files/folders.ts';
import { makePaper } from '#support/files/pictures.ts';
import { makeMp3 } from '#support/files/sound-fixtures.ts';
import { FORM_TYPE, toFormBytes } from '#support/http/forms.ts';
import type { Part } from '#support/http/forms.ts';
import { logIn, withDatabaseOf } from '#support/http/host.ts';
import { startS3 } from '#support/processes/s3.ts';
import { startSmtp } from '#support/processes/smtp.ts';
import { addUploader } from '#support/sounds/uploads.ts';
import { startSite } from '../browser/support/sites.ts';

const RECORDER = new URL('../support/processes/record-outgoing.ts', import.meta.url).pathname;
/** Nothing may connect there: it stands in the addresses, texts and headers that visitors send. */
const STRANGER = 'https://stranger.test';
const HEADERS = {
  referer: `${STRANGER}/`,
  'x-forwarded-host': 'stranger.test',
  'x-forwarded-for': 'stranger.test, 198.51.100.7',
  'x-original-url': STRANGER,
  forwarded: 'host=stranger.test',
};

/** A built site with a name of its own, and what it has connected to. */
async function startRecorded(env: Readonly<Record<string, string>>) {
  const file = join(await makeFolder(), 'outgoing');
  const site = await startSite(
    {
      NODE_OPTIONS: `--import ${RECORDER}`,
      OUTGOING_FILE: file,
      SITE_URL: 'https://sounds.example',
      TRUSTED_PROXY_HOPS: '1',
      ...env,
    },
    await makeFolder(),
  );
  onTestFinished(() => site.stop());
  const listDestinations = async () => [...new Set((await readFile(file, 'utf8')).trim().split('\n'))].sort();
  return { ...site, listDestinations };
}

const toPaths = (id: string, artist: string) => [
  '/',
  '/sounds?search=https%3A%2F%2Fstranger.test',
  `/sounds/${id}`,
  `/embed/sounds/${id}`,
  `/artist/${artist}`,
  `/feed/artist/${artist}`,
  '/sitemap.xml',
  '/sitemap-1.xml',
  '/manifest.json',
  '/.well-known/security.txt',
  '/.well-known/change-password',
  `/oembed?url=${encodeURIComponent(`${STRANGER}/sounds/${id}`)}`,
  `/oembed?url=${encodeURIComponent(`https://sounds.example/sounds/${id}`)}`,
  `/login?redirect=${encodeURIComponent(STRANGER)}`,
];

test('W4: a site connects to what its settings name, and to nothing that its visitors name', async () => {
  const [smtp, s3] = [await startSmtp(), await startS3()];
  const bucket = s3.url.replace('127.0.0.1', 'bucket.test');
  const { url, dataDir, listDestinations } = await startRecorded({
    STORAGE_URL: bucket,
    SMTP_URL: `smtp://mail.test:${smtp.port}`,
    SECURITY_CONTACT: `${STRANGER}/report`,
  });
  const { type, token } = await withDatabaseOf(dataDir, async (database) => ({
    type: await createSoundType(database, { name: '効果音' }),
    token: await logIn(database, dataDir, await addUploader(database, 'artist')),
  }));
  const send = (method: string, path: string, type: string, body: BodyInit) =>
    fetch(url + path, { method, headers: { authorization: `Bearer ${token}`, 'content-type': type }, body });
  const sendJson = (method: string, path: string, body: object) =>
    send(method, path, 'application/json', JSON.stringify(body));
  const sendForm = (path: string, parts: readonly Part[]) =>
    send('POST', path, FORM_TYPE, toFormBytes(parts) as BodyInit);

  const picture = await makePaper(600, 400).png().toBuffer();
  const sent = [
    await sendForm('/api/account/update-profile-picture/', [
      { name: 'profile_picture', filename: 'a.png', type: 'image/png', content: picture },
    ]),
    await sendJson('PATCH', '/api/account/update-profile/', { donation_url: 'https://ofuse.me/artist' }),
    await sendJson('PATCH', '/api/account/update-profile/', { bio: `![](${STRANGER}/a.png)` }),
    await sendJson('POST', '/api/contact/', {
      name: STRANGER,
      email: 'someone@stranger.test',
      message: `<img src="${STRANGER}/a.png">`,
    }),
  ];
  const uploaded = await sendForm('/api/sounds/', [
    { name: 'types', content: String(type) },
    { name: 'filename', content: '音.mp3' },
    { name: 'file', filename: '音.mp3', type: 'audio/mpeg', content: await makeMp3() },
  ]);
  expect([...sent, uploaded].map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  const { sound } = (await uploaded.json()) as { sound: { id: string } };
  expect((await sendJson('PATCH', '/api/account/update-profile/', { donation_url: STRANGER })).status).toBe(
    400,
  );

  for (const path of toPaths(sound.id, 'artist')) {
    const reply = await fetch(url + path, { headers: HEADERS, redirect: 'manual' });
    expect(reply.status, path).toBeLessThan(500);
  }
  await expect.poll(() => smtp.received.length).toBeGreaterThan(0);
  expect(await listDestinations()).toEqual([new URL(bucket).host, 'mail.test'].sort());

  // Its pages in another process.
  const pages = await startRecorded({ API_ORIGIN: `http://api.test:${new URL(url).port}` });
  for (const path of toPaths(sound.id, 'artist')) {
    const reply = await fetch(pages.url + path, { headers: HEADERS, redirect: 'manual' });
    expect(reply.status, path).toBeLessThan(500);
  }
  expect(await pages.listDestinations()).toEqual([`api.test:${new URL(url).port}`]);
  const security = await fetch(`${pages.url}/.well-known/security.txt`);
  expect([security.status, await security.text()]).toEqual([
    200,
    expect.stringContaining('Contact: https://sounds.example/contact\n'),
  ]);
});
