import { beforeEach, describe, expect, test } from 'vitest';
import { verifyPersonalInfo } from '#contract/accounts/profile.ts';
import { updateReviewStatus } from '#server/features/reviews/personal-info/kind.ts';
import { decidePersonalInfo, viewPersonalInfo } from '#server/features/reviews/personal-info/review.ts';
import {
  findChangedDetails,
  recordMissingDetails,
} from '#server/features/reviews/personal-info/verified-details.ts';
import { bothDatabases, deleteRows, getRow } from '#support/databases/databases.ts';
import { makeTellingJpeg } from '#support/files/pictures.ts';
import { TEST_OPENING_KEYS } from '#support/http/api.ts';
import { useApi } from '#support/http/use-api.ts';
import { PAYOUT_DETAILS } from '#support/members/payouts.ts';
import { changeUser } from '#support/members/profiles.ts';
import { sendForm } from '#support/sounds/uploads.ts';
import { everyTable } from '#server/platform/database/schema.ts';

const EARLIER = new Uint8Array(32).fill(1);
const OTHER = new Uint8Array(32).fill(2);

describe.each(bothDatabases)('details of a verified member on $name', ({ open }) => {
  const { database, api, useMember, useStaff } = useApi(open);
  const member = useMember({ username: '音の人', email: 'artist@example.test', ...PAYOUT_DETAILS });
  const staff = useStaff();

  const setMember = (fields: object) => changeUser(database, member, fields);
  const findFaults = (...secrets: readonly Uint8Array[]) =>
    Array.fromAsync(findChangedDetails(database.db, secrets), ({ id, fault }) => [id === member, fault]);
  const readRecorded = async () => {
    const query = everyTable(database.db)
      .selectFrom('users')
      .select('verified_details')
      .where('id', '=', member);
    return (await query.executeTakeFirstOrThrow()).verified_details;
  };

  /** With the secret, or as a command without it. */
  async function approve(sessionSecret: Uint8Array | undefined): Promise<void> {
    const deps = { ...api.deps, openingKeys: TEST_OPENING_KEYS };
    const part = { name: 'personal_id_image', filename: 'licence.jpg', type: 'image/jpeg' };
    const parts = [{ ...part, content: await makeTellingJpeg() }];
    const { status } = await sendForm(api, 'POST', verifyPersonalInfo.path, parts, member);
    expect(status).toBe(200);
    const { id } = await getRow(database, 'personal_info_submissions', { state: 'pending' });
    await viewPersonalInfo(deps, id, staff, '審査');
    await decidePersonalInfo({ ...deps, sessionSecret }, id, staff, 'approved');
  }

  beforeEach(() =>
    setMember({ personal_info_status: '', is_personal_info_verified: 0, verified_details: '' }),
  );

  test('are recorded by the approval, so that a change of the account shows', async () => {
    await approve(api.deps.sessionSecret);
    expect(await findFaults(api.deps.sessionSecret)).toEqual([]);
    await setMember({ account_number: '9999999' });
    expect(await findFaults(api.deps.sessionSecret)).toEqual([[true, 'changed']]);
    await recordMissingDetails(database, [api.deps.sessionSecret]);
    expect(await findFaults(api.deps.sessionSecret)).toEqual([[true, 'changed']]);
    await setMember({ account_number: PAYOUT_DETAILS.account_number });
    // Fields that the member may change, and another key.
    await setMember({ name: '別の 名前' });
    expect(await findFaults(api.deps.sessionSecret)).toEqual([]);
    expect(await findFaults(OTHER)).toEqual([[true, 'changed']]);
  });

  test('are recorded by a server after an approval without the secret, as they are then', async () => {
    await approve(undefined);
    expect(await readRecorded()).toBe('unrecorded');
    expect(await findFaults(OTHER)).toEqual([]);
    await recordMissingDetails(database, [OTHER]);
    expect(await findFaults(OTHER)).toEqual([]);
    await setMember({ branch_name: '別の支店' });
    expect(await findFaults(OTHER)).toEqual([[true, 'changed']]);
  });

  test('are recorded again with the key in use while the one before is known', async () => {
    await approve(EARLIER);
    expect(await findFaults(OTHER, EARLIER)).toEqual([]);
    await recordMissingDetails(database, [OTHER, EARLIER]);
    expect(await findFaults(OTHER)).toEqual([]);
  });

  test('of a member without an approved ID are not recorded, but reported', async () => {
    await deleteRows(database, 'personal_info_submissions');
    await setMember({ personal_info_status: 'confirmed', is_personal_info_verified: 1 });
    await recordMissingDetails(database, [OTHER]);
    expect(await readRecorded()).toBe('');
    expect(await findFaults(OTHER)).toEqual([[true, 'unrecorded']]);
  });

  test('are forgotten when the ID is withdrawn', async () => {
    await approve(OTHER);
    expect(await readRecorded()).not.toBe('');
    await updateReviewStatus(database.db, member, 'rejected');
    expect(await readRecorded()).toBe('');
  });
});
