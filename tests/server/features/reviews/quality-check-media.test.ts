import { describe, expect, test } from 'vitest';
import { createUser } from '#server/features/accounts/users.ts';
import { createSoundType } from '#server/features/catalogue/genres/service.ts';
import { toFilePath } from '#server/features/reviews/quality-check/media.ts';
import {
  approveQualityCheck,
  listPendingQualityChecks,
} from '#server/features/reviews/quality-check/review.ts';
import { applyForQualityCheck } from '#contract/accounts/quality-check.ts';
import { createSignatures } from '#server/media/signatures.ts';
import { systemClock } from '#server/platform/concurrency/clock.ts';
import { readOrMakeSecret } from '#server/platform/crypto/secrets.ts';
import { FORM_TYPE, toFormBytes } from '#support/http/forms.ts';
import { startHost } from '#support/http/host.ts';
import { makeSongs, toFileParts, toReviewDeps } from '#support/members/quality-checks.ts';

const MINUTE_MS = 60_000;

/** A host with one waiting application, sent over HTTP. */
async function startWithApplication() {
  const host = await startHost();
  const member = await createUser(host.database, { username: '音の人', email: 'member@example.test' });
  const typeId = await createSoundType(host.database, { name: 'BGM' });
  const songs = await makeSongs();
  const texts = [
    { name: 'user_id', content: member },
    { name: 'types', content: String(typeId) },
  ];
  const access = await host.logIn(member);
  const sent = await fetch(host.url + applyForQualityCheck.path, {
    method: 'POST',
    headers: { 'content-type': FORM_TYPE, authorization: `Bearer ${access}` },
    body: toFormBytes([...toFileParts(songs), ...texts]) as BodyInit,
  });
  expect(sent.status).toBe(200);
  const id = (await listPendingQualityChecks(host.database.db))[0]?.id ?? '';
  const secret = readOrMakeSecret(host.dataDir, 'file-signatures');
  const link = (slot: number, now?: () => number) => toFilePath(createSignatures(secret, now), id, slot);
  const get = (path: string, headers: Record<string, string> = {}) => fetch(host.url + path, { headers });
  return { ...host, id, access, songs, secret, link, get };
}

describe('a file of an application', () => {
  test('U1: is served by its signed link, whole and in ranges, as a type that cannot execute', async () => {
    const { get, link } = await startWithApplication();
    const response = await get(link(1));
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'audio/mpeg',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'cache-control': 'private, no-store',
      'cross-origin-resource-policy': 'same-origin',
    });
    const whole = Buffer.from(await response.arrayBuffer());
    expect(whole.byteLength).toBe(Number(response.headers.get('content-length')));
    const part = await get(link(1), { range: 'bytes=10-19' });
    expect(part.status).toBe(206);
    expect(Buffer.from(await part.arrayBuffer())).toEqual(whole.subarray(10, 20));
    expect((await get(link(3))).headers.get('content-type')).toBe('audio/mp4');
  });

  test('A4: its link expires after ten minutes', async () => {
    const { get, link } = await startWithApplication();
    expect((await get(link(1, () => Date.now() - 9 * MINUTE_MS))).status).toBe(200);
    expect((await get(link(1, () => Date.now() - 11 * MINUTE_MS))).status).toBe(410);
  });

  test('A5: no other address serves it to any caller', async () => {
    const { get, link, id, access, secret } = await startWithApplication();
    const signatures = createSignatures(secret);
    const other = link(2).split('?')[1];
    for (const path of [
      `/media/quality-check/${id}/1`,
      `/media/quality-check/${id}/1?${other}`,
      `/media/quality-check/${id}/1?${signatures.sign('play', `${id}/1`, MINUTE_MS)}`,
      `/media/quality-check/${id}/1?${signatures.sign('download', id, MINUTE_MS)}`,
      link(1).replace(/expires=\d/, 'expires=9'),
      link(4),
      link(1).replace('/1?', '/1/?'),
      `/media/quality-check/${id}-1`,
      `/media/sounds/${id}-1/12345678.mp3`,
      `/media/sounds/..%2fquality-check%2f${id}-1/12345678.mp3`,
      `/media/downloads/${id}?${other}`,
      `/files/quality-check/${id}-1`,
      `/api/account/upload-quality-check/${id}/1`,
    ]) {
      const response = await get(path, { authorization: `Bearer ${access}` });
      const body = Buffer.from(await response.arrayBuffer());
      expect(`${path} ${response.headers.get('content-type')}`).not.toContain('audio');
      expect(body.byteLength).toBeLessThan(1_000);
    }
    expect((await get(`/media/quality-check/${id}/1?${other}`)).status).toBe(404);
  });

  test('is deleted at the decision, and its link ends', async () => {
    const { get, link, id, database, storage } = await startWithApplication();
    const before = link(1);
    expect((await get(before)).status).toBe(200);
    const staff = await createUser(database, { username: 'staff', email: 's@example.test', is_staff: true });
    await approveQualityCheck(
      toReviewDeps(database, { clock: { ...systemClock, advance: () => undefined } }, storage),
      id,
      staff,
    );
    expect((await get(before)).status).toBe(404);
    expect(await storage.has(`quality-check/${id}-1`)).toBe(false);
  });
});
