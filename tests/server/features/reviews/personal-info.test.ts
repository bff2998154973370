import { beforeEach, describe, expect, test } from 'vitest';
import sharp from 'sharp';
import { PAYOUT_FIELDS, toLabels } from '#contract/accounts/profile-fields.ts';
import { verifyPersonalInfo } from '#contract/accounts/profile.ts';
import { createUser } from '#server/features/accounts/users.ts';
import { type LifeCycleDeps, collectLeftovers } from '#server/features/reviews/life-cycle.ts';
import { PERSONAL_INFO, findPersonalInfoReviewState } from '#server/features/reviews/personal-info/kind.ts';
import {
  decidePersonalInfo,
  listPendingPersonalInfo,
  viewPersonalInfo,
} from '#server/features/reviews/personal-info/review.ts';
import { expectProblems, expectReply } from '#support/http/replies.ts';
import { useApi } from '#support/http/use-api.ts';
import { createTestApi, TEST_OPENING_KEYS } from '#support/http/api.ts';
import { readMails } from '#support/members/accounts.ts';
import { changeUser, patchProfile } from '#support/members/profiles.ts';
import { bothDatabases, insertRow, listRows, updateRows } from '#support/databases/databases.ts';
import { PAYOUT_DETAILS } from '#support/members/payouts.ts';
import { FORM_TYPE } from '#support/http/forms.ts';
import { sendForm } from '#support/sounds/uploads.ts';
import { createMemoryFiles } from '#support/files/memory-files.ts';
import { CANARY, makePaper, makePngBomb, makeTellingJpeg } from '#support/files/pictures.ts';
import { everyTable } from '#server/platform/database/schema.ts';

const EMAIL = 'member@example.test';
const WHY = '新しい提出の審査';
type ViewDeps = Parameters<typeof viewPersonalInfo>[0];

/** The refusal of an approval by staff who have not viewed the photograph beside the current details. */
const UNSEEN = { status: 409, message: expect.stringContaining('画像を見比べてから') };

describe.each(bothDatabases)('personal info on $name', ({ open, rule }) => {
  const { database, api, storage, useMember, useStaff } = useApi(open);
  const member = useMember({ username: '音の人', email: EMAIL, ...PAYOUT_DETAILS });
  const staff = useStaff();
  let deps: ViewDeps;

  beforeEach(async () => {
    deps = toDeps(storage);
    await api.logIn(member);
  });

  function toDeps(storage: LifeCycleDeps['storage']): ViewDeps {
    return { ...api.deps, storage, openingKeys: TEST_OPENING_KEYS };
  }

  async function submit(content?: Uint8Array, using = api): Promise<Response> {
    const part = { name: 'personal_id_image', filename: 'licence.jpg', type: 'image/jpeg' };
    const parts = [{ ...part, content: content ?? (await makeTellingJpeg()) }];
    return sendForm(using, 'POST', verifyPersonalInfo.path, parts, member);
  }

  const readMember = () =>
    everyTable(database.db)
      .selectFrom('users')
      .select(['personal_info_status', 'is_personal_info_verified'])
      .where('id', '=', member)
      .executeTakeFirstOrThrow();
  const readSubmissions = () => listRows(database, 'personal_info_submissions');
  const readViews = () => listRows(database, 'personal_info_views');

  async function submitOne(): Promise<string> {
    expect((await submit()).status).toBe(200);
    return (await listPendingPersonalInfo(database.db)).at(-1)?.id ?? 'missing';
  }

  rule('is stored sealed and pending, and both sides are notified without personal data', async () => {
    const response = await submit();
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ personal_info_status: 'pending' });
    expect(await readMember()).toEqual({ personal_info_status: 'pending', is_personal_info_verified: 0 });
    const [waiting] = await listPendingPersonalInfo(database.db);
    expect(waiting).toEqual({
      id: waiting?.id,
      userId: member,
      username: '音の人',
      submittedAt: api.clock.now(),
    });
    expect([...storage.objects.keys()]).toEqual([
      `personal-info-keys/${waiting?.id}`,
      `personal-info/${waiting?.id}`,
    ]);
    expect(await findPersonalInfoReviewState(database.db, member)).toEqual({
      submittedAt: api.clock.now(),
      reason: '',
    });
    const [toMember] = await readMails(database, EMAIL);
    expect(toMember?.subject).toContain('本人確認書類を受け付けました');
    const [toOperator] = await readMails(database, 'operator@example.test');
    for (const personal of ['音の人', EMAIL, member, ...Object.values(PAYOUT_DETAILS)]) {
      expect(`${toOperator?.subject}${toOperator?.text}${toOperator?.html}`).not.toContain(personal);
    }
  });

  test('is sealed on disk even while the call is answered', async () => {
    const seals: boolean[] = [];
    const files = createMemoryFiles();
    const watched = createTestApi(database, {
      storage,
      temporaryFiles: {
        make(isSealed, bytesToCome) {
          seals.push(isSealed);
          return files.make(isSealed, bytesToCome);
        },
      },
    });
    expect((await submit(undefined, watched)).status).toBe(200);
    expect(seals).toEqual([true]);
  });

  rule('shows the image only to staff, and records each view before it', async () => {
    const id = await submitOne();
    const { image, details } = await viewPersonalInfo(deps, id, staff, WHY);
    expect(details).toMatchObject({ username: '音の人', ...PAYOUT_DETAILS });
    expect(await sharp(image).metadata()).toMatchObject({ format: 'jpeg', width: 400, height: 600 });
    expect(image.includes(CANARY)).toBe(false);
    expect(await readViews()).toMatchObject([
      { submission_id: id, staff_id: staff, viewed_at: api.clock.now() },
    ]);

    await expect(viewPersonalInfo(deps, id, member, WHY)).rejects.toMatchObject({ status: 403 });
    await expect(viewPersonalInfo(deps, 'nobody', staff, WHY)).rejects.toMatchObject({ status: 404 });
    expect(await readViews()).toHaveLength(1);

    let viewsAtOpening = 0;
    const watched = {
      ...storage,
      async open(key: string) {
        viewsAtOpening = (await readViews()).length;
        return storage.open(key);
      },
    };
    await viewPersonalInfo(toDeps(watched), id, staff, WHY);
    expect(viewsAtOpening).toBe(2);
  });

  rule('does not open as another member’s image', async () => {
    const id = await submitOne();
    const other = await createUser(database, {
      username: '別の人',
      email: 'other@example.test',
      ...PAYOUT_DETAILS,
    });
    await updateRows(database, 'personal_info_submissions', { user_id: other }, { id });
    await expect(viewPersonalInfo(deps, id, staff, WHY)).rejects.toThrow('the seal does not fit');
  });

  rule('approved: the member is verified and told, the image deleted, no other accepted', async () => {
    const id = await submitOne();
    await viewPersonalInfo(deps, id, staff, WHY);
    await decidePersonalInfo(deps, id, staff, 'approved', 'ignored');
    expect(await readMember()).toEqual({ personal_info_status: 'confirmed', is_personal_info_verified: 1 });
    expect(storage.objects.size).toBe(0);
    expect(await readSubmissions()).toMatchObject([
      { state: 'approved', object_key: null, decided_by: staff, decided_at: api.clock.now(), reason: '' },
    ]);
    expect((await readMails(database, EMAIL)).map(({ subject }) => subject)).toContain(
      '【Otoichi】本人確認が完了しました',
    );
    await expect(viewPersonalInfo(deps, id, staff, WHY)).rejects.toMatchObject({ status: 409 });
    expect((await submit()).status).toBe(409);
    expect(storage.objects.size).toBe(0);
  });

  rule('rejected: the member is told why, the image is deleted, and another can be sent', async () => {
    const id = await submitOne();
    await decidePersonalInfo(deps, id, staff, 'rejected', '写真が\n  ぼやけています。');
    expect(await readMember()).toEqual({ personal_info_status: 'rejected', is_personal_info_verified: 0 });
    expect(storage.objects.size).toBe(0);
    const reason = '写真が ぼやけています。';
    expect(await findPersonalInfoReviewState(database.db, member)).toMatchObject({ reason });
    const mails = await readMails(database, EMAIL);
    expect(mails.find(({ subject }) => subject.includes('再提出'))?.text).toContain(reason);
    const again = await submitOne();
    expect(again).not.toBe(id);
    expect(await findPersonalInfoReviewState(database.db, member)).toMatchObject({ reason: '' });
  });

  rule('is not rejected without a reason, nor decided by members who are not staff', async () => {
    const id = await submitOne();
    await expect(decidePersonalInfo(deps, id, staff, 'rejected', ' \n')).rejects.toMatchObject({
      status: 400,
      fields: { reason: expect.any(String) },
    });
    await expect(decidePersonalInfo(deps, id, staff, 'rejected', 'あ'.repeat(501))).rejects.toMatchObject({
      status: 400,
    });
    await expect(decidePersonalInfo(deps, id, member, 'approved')).rejects.toMatchObject({ status: 403 });
    expect(await readMember()).toMatchObject({ personal_info_status: 'pending' });
    expect(storage.objects.size).toBe(2);
  });

  const setMember = (fields: object) => changeUser(database, member, fields);
  const approve = (by = staff) => decidePersonalInfo(deps, submission, by, 'approved');
  let submission: string;

  rule('is approved only by the staff member who has viewed it', async () => {
    submission = await submitOne();
    const other = await createUser(database, {
      username: 'other staff',
      email: 'other-staff@example.test',
      is_staff: true,
    });
    await viewPersonalInfo(deps, submission, other, WHY);
    await expect(approve()).rejects.toMatchObject(UNSEEN);
    expect(await readMember()).toMatchObject({ personal_info_status: 'pending' });
    expect(storage.objects.size).toBe(2);
    await approve(other);
    expect(await readMember()).toMatchObject({ personal_info_status: 'confirmed' });
  });

  rule('is not approved after a failed view, nor after a view of an earlier submission', async () => {
    submission = await submitOne();
    await viewPersonalInfo(deps, submission, staff, WHY);
    await decidePersonalInfo(deps, submission, staff, 'rejected', '理由');
    submission = await submitOne();
    const broken = { ...storage, open: () => Promise.reject(new Error('not now')) };
    await expect(viewPersonalInfo(toDeps(broken), submission, staff, WHY)).rejects.toThrow('not now');
    expect(await readViews()).toHaveLength(2);
    await expect(approve()).rejects.toMatchObject(UNSEEN);
    // An image that cannot be opened can be sent again.
    await decidePersonalInfo(deps, submission, staff, 'rejected', '画像を開けませんでした。');
  });

  rule.each(PAYOUT_FIELDS.filter((field) => field !== 'email'))(
    'is not approved while %s is empty; the member can fill it in, and it is viewed again',
    async (field) => {
      submission = await submitOne();
      await setMember({ [field]: '' });
      await viewPersonalInfo(deps, submission, staff, WHY);
      await expect(approve()).rejects.toMatchObject({
        status: 409,
        message: expect.stringMatching(new RegExp(`：${toLabels([field])}$`)),
      });

      expect((await patchProfile(api, member, { [field]: PAYOUT_DETAILS[field] })).status).toBe(200);
      if (field !== 'phone_number') {
        await expect(approve()).rejects.toMatchObject(UNSEEN);
        await viewPersonalInfo(deps, submission, staff, WHY);
      }
      await approve();
      expect(await readMember()).toMatchObject({ is_personal_info_verified: 1 });
    },
  );

  test('20 concurrent decisions take effect once', async () => {
    const id = await submitOne();
    await viewPersonalInfo(deps, id, staff, WHY);
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) =>
        decidePersonalInfo(deps, id, staff, index % 2 === 0 ? 'approved' : 'rejected', '理由'),
      ),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const result of results) {
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ status: 409 });
    }
    const [submission] = await readSubmissions();
    const standing = submission?.state === 'approved' ? 'confirmed' : submission?.state;
    expect((await readMember()).personal_info_status).toBe(standing);
    expect(await readMails(database, EMAIL)).toHaveLength(2);
  });

  test('20 concurrent submissions create one, with one image and one pair of mails', async () => {
    const image = await makePaper(60, 40).jpeg().toBuffer();
    const replies = await Promise.all(Array.from({ length: 20 }, () => submit(image)));
    const statuses = replies.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    // A caller is refused when the queue of pictures is full.
    expect(statuses.every((status) => [200, 409, 503].includes(status))).toBe(true);
    expect(statuses).toContain(409);
    expect(await readSubmissions()).toMatchObject([{ state: 'pending' }]);
    expect(storage.objects.size).toBe(2);
    expect(await readMails(database, EMAIL)).toHaveLength(1);
  });

  test.each(PAYOUT_FIELDS)('is refused while %s is empty, before the image is read', async (field) => {
    await setMember({ [field]: '' });
    let isRead = false;
    const body = new ReadableStream<Uint8Array>({ pull: () => void (isRead = true) }, { highWaterMark: 0 });
    const headers = { 'content-type': FORM_TYPE, authorization: `Bearer ${await api.logIn(member)}` };
    const init = { method: 'POST', headers, body, duplex: 'half' } as RequestInit;
    await expectReply(api.app.request(verifyPersonalInfo.path, init), 400, {
      detail: expect.stringMatching(/^先に.*\n未入力の項目：[^、]+$/),
    });
    expect(isRead).toBe(false);
    expect(await readSubmissions()).toEqual([]);
  });

  rule.each([
    ['HTML', () => Buffer.from('<html>')],
    ['a bomb', makePngBomb],
    ['a GIF', () => makePaper(9, 9).gif().toBuffer()],
    ['nothing', () => Buffer.alloc(0)],
  ])('%s is refused by name and leaves nothing', async (_, make) => {
    await expectProblems(submit(await make()), 400, ['personal_id_image']);
    expect([await readSubmissions(), storage.objects.size]).toEqual([[], 0]);
    expect(await readMember()).toMatchObject({ personal_info_status: '' });
  });

  rule('U15: stores nothing when the storage is full, and can be sent again', async () => {
    const full = {
      ...storage,
      put: () => Promise.reject(Object.assign(new Error('no space'), { code: 'ENOSPC' })),
    };
    expect((await submit(undefined, createTestApi(database, { storage: full }))).status).toBe(507);
    expect([await readSubmissions(), await readMember()]).toMatchObject([[], { personal_info_status: '' }]);
    expect((await submit()).status).toBe(200);
  });

  rule('an image that a crash left behind is collected, and a pending one is not', async () => {
    const undeletable = { ...storage, delete: () => Promise.reject(new Error('not now')) };
    const id = await submitOne();
    await decidePersonalInfo(toDeps(undeletable), id, staff, 'rejected', '理由');
    expect(storage.objects.size).toBe(2);
    const waiting = await submitOne();
    await insertRow(database, 'personal_info_submissions', {
      id: 'crashed',
      user_id: member,
      object_key: 'personal-info/crashed',
      state: 'incoming',
      submitted_at: api.clock.now(),
      decided_at: null,
      decided_by: null,
    });
    await storage.put('personal-info/crashed', Buffer.from('x'));

    await collectLeftovers(deps, PERSONAL_INFO);
    expect([...storage.objects.keys()].toSorted()).toEqual(
      [`personal-info-keys/${waiting}`, `personal-info/${waiting}`, 'personal-info/crashed'].toSorted(),
    );
    api.clock.advance(2 * 3_600_000);
    await collectLeftovers(deps, PERSONAL_INFO);
    expect([...storage.objects.keys()]).toEqual([
      `personal-info-keys/${waiting}`,
      `personal-info/${waiting}`,
    ]);
    const states = (await readSubmissions()).map(({ id, state, object_key }) => [id, state, object_key]);
    expect(states.toSorted()).toEqual(
      [
        [id, 'rejected', null],
        [waiting, 'pending', `personal-info/${waiting}`],
      ].toSorted(),
    );
  });
});
