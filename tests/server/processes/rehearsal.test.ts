import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Payout } from '#contract/operator/operator.ts';
import { createUser } from '#server/features/accounts/users.ts';
import { verifyLedger } from '#server/features/ledger/verify.ts';
import { hashPassword } from '#server/platform/crypto/passwords.ts';
import { openDatabase } from '#server/schema/open.ts';
import type { Database } from '#server/platform/database/open.ts';
import { PASSWORD } from '#support/members/accounts.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { type TestLocation, bothDatabases, getRow, listRows } from '#support/databases/databases.ts';
import { isSoak } from '#support/depth.ts';
import { addSoundOf, readDownloadCount, readEarned, toNewAddress } from '#support/sounds/downloads.ts';
import { earn, PAYOUT_DETAILS, toAddress } from '#support/members/payouts.ts';
import { toFormBytes, FORM_TYPE } from '#support/http/forms.ts';
import { makeLongMp3 } from '#support/files/long-mp3.ts';
import { PIECE_TYPE, UPLOADS_PATH } from '#support/sounds/resumable-uploads.ts';
import { startS3 } from '#support/processes/s3.ts';
import { startSmtp } from '#support/processes/smtp.ts';
import { type Client, createClient, toJsonCall } from './client.ts';
import { everyTable } from '#server/platform/database/schema.ts';

const PROCESSES = 3;
const KILLS = 40;
const PIECE_BYTES = 1024 * 1024;
const UPLOAD_BYTES = 3 * PIECE_BYTES;
const DAY_MS = 86_400_000;
/** Between the visits of one visitor: the starts of processes need a core, too. */
const VISIT_PAUSE_MS = 50;

/** The site's data, and what happened to it. */
interface Rehearsal {
  readonly cluster: Cluster;
  readonly database: Database;
  readonly artistId: string;
  readonly soundId: string;
  readonly typeId: string;
  /** Aborted when the last process has been replaced. */
  readonly ending: AbortSignal;
  /** Intents whose completion was answered. */
  readonly completed: Set<string>;
  /** Sounds that were answered to their artist. */
  readonly made: { readonly id: string; readonly file_url: string }[];
  /** Yen that members were told to be on their way, by member. */
  readonly requested: Map<string, number>;
}

/**
 * SQLite with one data folder for all processes, and PostgreSQL with a bucket, where each process has an empty folder of
 * its own, as a machine would.
 */
describe.runIf(isSoak).each(bothDatabases)('three processes on $name', ({ locate, locateEmpty }) => {
  test(
    'lose nothing that was acknowledged and credit nothing twice while they are killed and replaced',
    { timeout: 60_000 + KILLS * 10_000 },
    async () => {
      const rehearsal = await startRehearsal(await locate());
      const { cluster } = rehearsal;
      const visitors = Array.from({ length: 4 }, () => createClient(cluster.url, toNewAddress()));
      const journeys = [
        ...visitors.map((client) => visit(rehearsal, client)),
        ...Array.from({ length: 6 }, () => download(rehearsal)),
        ...['甲', '乙'].map((name, index) => upload(rehearsal, name, index * 1_000)),
        requestPayouts(rehearsal),
        payAll(rehearsal),
      ];
      for (let kill = 0; kill < KILLS; kill += 1) {
        await wait(500 + Math.random() * 1_500);
        await cluster.replace(kill % PROCESSES);
      }
      const failures = visitors.map((visitor) => visitor.countFailures());
      // A killed process may have been answering one request of each visitor.
      for (const count of failures) expect(count).toBeLessThanOrEqual(KILLS);
      // A deployment ends one process after the other by a signal, and loses no request.
      for (let index = 0; index < PROCESSES; index += 1) await cluster.restart(index);
      rehearsal.end();
      await Promise.all(journeys);
      expect(visitors.map((visitor) => visitor.countFailures())).toEqual(failures);
      await expectDownloads(rehearsal);
      await expectUploads(rehearsal);
      await expectPayouts(rehearsal);
      expect(await rehearsal.database.db.transaction().execute(verifyLedger)).toEqual([]);
      expect(cluster.problems).toEqual([]);
    },
  );

  test(
    'start on an empty database although the one that migrates is killed',
    { timeout: 120_000 },
    async () => {
      for (let round = 0; round < 10; round += 1) {
        const place = await locateEmpty();
        onTestFinished(() => place.remove());
        const cluster = await startCluster(
          PROCESSES,
          (_, folder) => ({ DATA_DIR: join(folder, 'data'), ...place.env }),
          { killAfterMs: 300 + Math.random() * 700 },
        );
        for (const address of cluster.addresses())
          expect((await fetch(`${address}/readyz`)).status).toBe(200);
      }
    },
  );
});

async function startRehearsal(place: TestLocation): Promise<Rehearsal & { readonly end: () => void }> {
  const database = await openDatabase(place.location);
  onTestFinished(async () => {
    await database.close();
    await place.remove();
  });
  const password_hash = await hashPassword(PASSWORD);
  const common = { password_hash, is_verified: true, created_at: Date.now() - DAY_MS };
  const artistId = await createUser(database, { ...common, username: '音', email: 'artist@example.test' });
  const soundId = await addSoundOf(database, artistId, { is_published: true });
  for (const username of ['甲', '乙']) {
    await createUser(database, { ...common, username, email: toAddress(username) });
  }
  await createUser(database, { ...common, username: '運営', email: 's@example.test', is_staff: true });
  const payees = Array.from({ length: 4 }, (_, index) => `受取${index}`);
  for (const username of payees) {
    const details = { ...PAYOUT_DETAILS, is_personal_info_verified: true };
    const id = await createUser(database, { ...common, ...details, username, email: toAddress(username) });
    await earn(database, id, 4_000, Date.now() - 60 * DAY_MS);
  }
  const { id: typeId } = await getRow(database, 'sound_types');
  const env = {
    AD_PROVIDERS: 'gpt',
    GPT_AD_UNIT: '/1234567/rewarded',
    CREDIT_PER_ADDRESS_ARTIST_DAY: '1000',
    CREDIT_HELD_ABOVE: '100000',
    ...(place.location.kind === 'postgres' && (await makeSharedSettings())),
    ...place.env,
  };
  const cluster = await startCluster(PROCESSES, () => env);
  const stop = new AbortController();
  return {
    cluster,
    database,
    artistId,
    soundId,
    typeId: String(typeId),
    ending: stop.signal,
    end: () => stop.abort(),
    completed: new Set(),
    made: [],
    requested: new Map(),
  };
}

/** What machines share when nothing in their data folders is kept. */
async function makeSharedSettings(): Promise<Record<string, string>> {
  const { publicKey } = generateKeyPairSync('x25519');
  return {
    STORAGE_URL: (await startS3()).url,
    SECRET_KEY: randomBytes(32).toString('base64'),
    PERSONAL_INFO_PUBLIC_KEY: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
    SMTP_URL: `smtp://127.0.0.1:${(await startSmtp()).port}`,
  };
}

async function visit({ ending }: Rehearsal, client: Client): Promise<void> {
  while (!ending.aborted) {
    const response = await client.call({ path: '/api/sounds/' });
    expect(response.status).toBe(200);
    const { results } = (await response.json()) as { results: unknown[] };
    expect(results.length).toBeGreaterThan(0);
    await wait(VISIT_PAUSE_MS);
  }
}

/** Visitors from many networks, one after the other. The answer of a completion may be lost: it is asked again. */
async function download({ cluster, ending, soundId, completed }: Rehearsal): Promise<void> {
  while (!ending.aborted) {
    const client = createClient(cluster.url, toNewAddress());
    const begun = await client.call(toJsonCall(`/api/sounds/${soundId}/download-intents`));
    expect(begun.status).toBe(200);
    const { id } = (await begun.json()) as { id: string };
    await wait(5_100, undefined, { signal: ending }).catch(() => undefined);
    if (ending.aborted) return;
    const path = `/api/sounds/${soundId}/download?log=true&provider=gpt&intent=${id}`;
    const response = await client.call({ method: 'POST', path });
    expect([response.status, id]).toEqual([200, id]);
    completed.add(id);
  }
}

/** Sends files in pieces. What the site has acknowledged must be there, whichever process answers next. */
async function upload(rehearsal: Rehearsal, username: string, firstVariant: number): Promise<void> {
  const { cluster, ending, typeId, made } = rehearsal;
  const client = createClient(cluster.url, toNewAddress());
  await client.logIn(toAddress(username), PASSWORD);
  const headers = { 'tus-resumable': '1.0.0' };
  for (let variant = firstVariant; !ending.aborted; variant += 1) {
    const content = makeLongMp3(UPLOAD_BYTES, variant);
    const length = { 'upload-length': String(content.byteLength) };
    const created = await client.call({
      method: 'POST',
      path: UPLOADS_PATH,
      headers: { ...headers, ...length },
    });
    expect(created.status).toBe(201);
    const path = created.headers.get('location') ?? '';
    for (let acknowledged = 0; acknowledged < content.byteLength;) {
      const found = await client.call({ method: 'HEAD', path, headers });
      expect(found.status).toBe(200);
      const offset = Number(found.headers.get('upload-offset'));
      expect(offset).toBeGreaterThanOrEqual(acknowledged);
      acknowledged = offset;
      if (offset === content.byteLength) break;
      const piece = content.subarray(offset, offset + PIECE_BYTES);
      const more = { 'content-type': PIECE_TYPE, 'upload-offset': String(offset) };
      const sent = await client.call({
        method: 'PATCH',
        path,
        headers: { ...headers, ...more },
        body: piece as BodyInit,
      });
      // 409: the piece had arrived, and its answer was lost.
      expect([204, 409]).toContain(sent.status);
      if (sent.status === 204) acknowledged = offset + piece.byteLength;
    }
    const parts = [
      { name: 'types', content: typeId },
      { name: 'filename', content: `雨${variant}.mp3` },
      { name: 'upload', content: path.slice(UPLOADS_PATH.length) },
    ];
    const body = toFormBytes(parts) as BodyInit;
    const response = await client.call({
      method: 'POST',
      path: '/api/sounds/',
      headers: { 'content-type': FORM_TYPE },
      body,
    });
    expect(response.status).toBe(200);
    made.push(((await response.json()) as { sound: (typeof made)[number] }).sound);
  }
}

async function requestPayouts({ cluster, requested }: Rehearsal): Promise<void> {
  for (let index = 0; index < 4; index += 1) {
    const email = toAddress(`受取${index}`);
    const client = createClient(cluster.url, toNewAddress());
    await client.logIn(email, PASSWORD);
    const response = await client.call(toJsonCall('/api/finance/transfer-request/', { email }));
    // 409: the request is there, and its answer was lost.
    expect([200, 409]).toContain(response.status);
    requested.set(email, 4_000);
    await wait(500);
  }
}

async function payAll({ cluster, ending, requested }: Rehearsal): Promise<void> {
  const client = createClient(cluster.url, toNewAddress());
  await client.logIn('s@example.test', PASSWORD);
  for (let paid = 0; paid < 4 || !ending.aborted;) {
    const response = await client.call({ path: '/api/operator/payouts/' });
    expect(response.status).toBe(200);
    const { results } = (await response.json()) as { results: Payout[] };
    const total = results.reduce((sum, { amount }) => sum + amount, 0);
    if (results.length > 0) {
      const ids = results.map(({ id }) => id);
      const answer = await client.call(toJsonCall('/api/operator/payouts/pay/', { ids, total }));
      // 409: they are booked, and the answer was lost.
      expect([200, 409]).toContain(answer.status);
    }
    paid += results.length;
    if (ending.aborted && results.length === 0 && requested.size === 4) return;
    await wait(400);
  }
}

/** Each answered completion is credited once, and what was not answered at most once. */
async function expectDownloads({ database, artistId, soundId, completed }: Rehearsal): Promise<void> {
  const credits = await listRows(database, 'download_credits', {}, ['intent_id']);
  const ids = credits.map(({ intent_id }) => intent_id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of completed) expect(ids).toContain(id);
  expect(completed.size).toBeGreaterThan(0);
  expect(await readDownloadCount(database, soundId)).toBe(ids.length);
  expect(await readEarned(database, artistId)).toBe(ids.length);
}

/** Each answered sound exists once, and plays in all processes. */
async function expectUploads({ cluster, database, made }: Rehearsal): Promise<void> {
  const rows = await everyTable(database.db)
    .selectFrom('sounds')
    .select(['id', 'filename'])
    .where('filename', 'like', '雨%')
    .execute();
  expect(new Set(rows.map(({ filename }) => filename)).size).toBe(rows.length);
  expect(rows.map(({ id }) => id)).toEqual(expect.arrayContaining(made.map(({ id }) => id)));
  expect(made.length).toBeGreaterThan(2);
  const client = createClient(cluster.url, toNewAddress());
  for (const { file_url } of made) {
    // The proxy asks another process each time.
    for (let turn = 0; turn < PROCESSES; turn += 1) {
      const response = await client.call({ path: file_url, headers: { range: 'bytes=0-9' } });
      expect([response.status, (await response.arrayBuffer()).byteLength]).toEqual([206, 10]);
    }
  }
}

async function expectPayouts({ database }: Rehearsal): Promise<void> {
  const requests = await listRows(database, 'transfer_requests', {}, ['user_id', 'state', 'amount']);
  expect(requests.map(({ state, amount }) => [state, amount])).toEqual(
    Array.from({ length: 4 }, () => ['paid', 4_000]),
  );
  expect(new Set(requests.map(({ user_id }) => user_id)).size).toBe(4);
}
