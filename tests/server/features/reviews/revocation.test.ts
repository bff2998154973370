import { beforeEach, describe, expect, test } from 'vitest';
import { createSoundType } from '#server/features/catalogue/genres/service.ts';
import { requestPayout } from '#server/features/ledger/payout-requests.ts';
import { approveQualityCheck } from '#server/features/reviews/quality-check/review.ts';
import { readMails } from '#support/members/accounts.ts';
import { bothDatabases, insertRow, listRows, updateRows } from '#support/databases/databases.ts';
import { PAYOUT_DETAILS, earn, toAddress, toPayoutDeps } from '#support/members/payouts.ts';
import { changeUser, readActions } from '#support/members/profiles.ts';
import { toReviewDeps } from '#support/members/quality-checks.ts';
import {
  UPLOADS_PATH,
  useResumableApi,
  createUpload,
  makeSound,
  sendPiece,
  sendUpload,
} from '#support/sounds/resumable-uploads.ts';
import { makeMp3 } from '#support/files/sound-fixtures.ts';
import { patchSound, readSound, removeSound } from '#support/sounds/uploads.ts';

const REASON = '他人の作品を提出していました。';
const mp3 = await makeMp3(0.5);
const other = await makeMp3(0.7);

describe.each(bothDatabases)('a passed quality check that is taken back on $name', ({ open, rule }) => {
  const { database, api, storage, useMember, useStaff } = useResumableApi(open);
  const artist = useMember({
    username: '音の人',
    is_verified: true,
    is_personal_info_verified: true,
    ...PAYOUT_DETAILS,
  });
  const first = useStaff({ username: '担当一' });
  const second = useStaff({ username: '担当二' });
  let type: string;

  beforeEach(async () => {
    type = String(await createSoundType(database, { name: 'BGM' }));
  });

  const revoke = async (staff = first, reason: string | undefined = REASON, id = artist) =>
    api.post(
      `/api/operator/members/${id}/decide/`,
      { action: 'revoke-quality-check', ...(reason !== undefined && { reason }) },
      staff,
    );
  const readProfile = () => api.json('/api/account/profile/', artist);
  const addApplication = (id: string, state: 'pending' | 'approved') =>
    insertRow(database, 'quality_checks', {
      id,
      user_id: artist,
      state,
      submitted_at: api.clock.now(),
      ...(state === 'approved' && { decided_at: api.clock.now(), decided_by: second }),
    });

  rule('is told to the member with the reason, is on record, and can be passed again', async () => {
    await addApplication('old', 'approved');
    expect(await api.json(`/api/operator/members/${artist}/`, first)).toMatchObject({
      allowed: expect.arrayContaining(['revoke-quality-check']) as string[],
    });
    expect((await revoke(first, ' ')).status).toBe(400);
    expect((await readProfile()).is_verified).toBe(true);
    expect((await revoke()).status).toBe(200);
    expect(await readProfile()).toMatchObject({
      is_verified: false,
      status: '',
      quality_check: { state: 'rejected', reason: REASON },
    });
    const [mail] = (await readMails(database, toAddress('音の人'))).slice(-1);
    expect(mail).toMatchObject({ subject: expect.stringContaining('合格を取り消しました') as string });
    expect(mail?.text).toContain(`理由: ${REASON}`);
    expect(await readActions(database)).toEqual([
      { staff_id: first, action: 'revoke quality check', subject: artist, note: REASON },
    ]);
    const { allowed } = await api.json(`/api/operator/members/${artist}/`, first);
    expect(allowed).not.toContain('revoke-quality-check');

    await addApplication('new', 'pending');
    const { history } = await api.json('/api/operator/quality-checks/new/', first);
    expect(history).toEqual([
      expect.objectContaining({ state: 'rejected', reason: REASON, decided_by: '担当一' }),
    ]);
    await approveQualityCheck(toReviewDeps(database, api, storage), 'new', second);
    expect((await readProfile()).is_verified).toBe(true);
  });

  rule('tells the reason in the profile as well if the application was deleted by age', async () => {
    expect((await revoke()).status).toBe(200);
    expect((await readProfile()).quality_check).toMatchObject({ state: 'rejected', reason: REASON });
  });

  rule('A13 ends uploads in progress; sounds stay public, and the artist can change them', async () => {
    const upload = await sendUpload(api, artist, mp3);
    const { id } = await readSound(await makeSound(api, artist, upload, type));
    await patchSound(api, artist, id, { is_published: 'true' });
    const begun = await createUpload(api, artist, other.byteLength);
    expect((await sendPiece(api, artist, begun, 0, other.subarray(0, 100))).status).toBe(204);
    const complete = await sendUpload(api, artist, await makeMp3(0.9));
    expect((await readProfile()).has_sounds).toBeUndefined();

    expect((await revoke()).status).toBe(200);
    expect((await sendPiece(api, artist, begun, 100, other.subarray(100))).status).toBe(403);
    expect((await makeSound(api, artist, complete, type)).status).toBe(403);
    await expect(createUpload(api, artist, 10)).rejects.toThrow('403');
    expect((await api.get(`/api/sounds/${id}/`)).status).toBe(200);
    expect((await api.get(`/api/account/artist/${encodeURIComponent('音の人')}/`)).status).toBe(200);
    expect((await readProfile()).has_sounds).toBe(true);
    expect((await patchSound(api, artist, id, { title: '直した題' })).status).toBe(200);
    // What was sent before can be used after the next check; it is deleted with its time limit otherwise.
    await updateRows(database, 'users', { is_verified: 1 }, { id: artist });
    expect((await sendPiece(api, artist, begun, 100, other.subarray(100))).status).toBe(204);
    const late = begun.slice(UPLOADS_PATH.length);
    expect((await makeSound(api, artist, late, type)).status).toBe(200);
    await updateRows(database, 'users', { is_verified: 0 }, { id: artist });
    expect((await removeSound(api, artist, id)).status).toBe(200);
  });

  rule('leaves the balance and an open payout request as they are', async () => {
    await earn(database, artist, 4_000, api.clock.now() - 90 * 86_400_000);
    await requestPayout(toPayoutDeps(database, api.clock), artist, { email: toAddress('音の人') });
    await earn(database, artist, 500, api.clock.now() - 80 * 86_400_000);
    const before = await readProfile();
    expect((await revoke()).status).toBe(200);
    const { reward_balance, transfer_request } = before;
    expect(await readProfile()).toMatchObject({ reward_balance, transfer_request });
    expect(transfer_request).toBeDefined();
  });

  test('A13 is decided once by two of the staff, and never on an account of one’s own', async () => {
    const replies = await Promise.all([revoke(first), revoke(second)]);
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const winner = replies[0]?.status === 200 ? '担当一' : '担当二';
    expect(await replies.find(({ status }) => status === 409)?.json()).toEqual({
      detail: `${winner} さんが先に合格を取り消しています。`,
    });
    expect(await readActions(database)).toHaveLength(1);
    expect(await readMails(database, toAddress('音の人'))).toHaveLength(1);
    await updateRows(database, 'users', { is_verified: 1 }, { id: first });
    expect((await revoke(first, REASON, first)).status).toBe(403);
    expect((await revoke(first, REASON, 'nobody')).status).toBe(404);
    await changeUser(database, artist, { deletion_requested_at: 1, is_verified: 1 });
    expect((await revoke()).status).toBe(409);
  });

  test('A13 wins over an upload that is being accepted, or comes after it: none is added afterwards', async () => {
    const uploads = await Promise.all(
      [0.3, 0.4, 0.6].map(async (seconds) => sendUpload(api, artist, await makeMp3(seconds))),
    );
    const [revoked, ...made] = await Promise.all([
      revoke(),
      ...uploads.map((upload) => makeSound(api, artist, upload, type)),
    ]);
    expect(revoked?.status).toBe(200);
    const accepted = made.filter(({ status }) => status === 200).length;
    expect(made.every(({ status }) => status === 200 || status === 403)).toBe(true);
    const sounds = await listRows(database, 'sounds', {}, ['id']);
    expect(sounds).toHaveLength(accepted);
    expect((await readProfile()).is_verified).toBe(false);
  });
});
