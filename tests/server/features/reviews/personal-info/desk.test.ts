import { describe, expect, test } from 'vitest';
import type { ReviewedPersonalInfo, SealedPhotograph } from '#contract/operator/personal-info.ts';
import { verifyPersonalInfo } from '#contract/accounts/profile.ts';
import { openDataKey, unseal } from '#server/platform/crypto/sealed.ts';
import { useApi } from '#support/http/use-api.ts';
import { createTestApi, TEST_OPENING_KEYS } from '#support/http/api.ts';
import { bothDatabases, getRow, listRows, updateRows } from '#support/databases/databases.ts';
import { PAYOUT_DETAILS } from '#support/members/payouts.ts';
import { sendForm } from '#support/sounds/uploads.ts';
import { makeTellingJpeg } from '#support/files/pictures.ts';

const LIST = '/api/operator/personal-info/';

describe.each(bothDatabases)('IDs in the console on $name', ({ open, rule }) => {
  const { database, api, storage, useMember, useStaff } = useApi(open);
  const member = useMember({ username: '音の人', email: 'm@example.test', ...PAYOUT_DETAILS });
  const first = useStaff({ username: '運営一' });
  const second = useStaff({ username: '運営二' });

  async function submit(): Promise<string> {
    const parts = [{ name: 'personal_id_image', filename: 'id.jpg', content: await makeTellingJpeg() }];
    expect((await sendForm(api, 'POST', verifyPersonalInfo.path, parts, member)).status).toBe(200);
    api.clock.advance(1_000);
    return (await list()).at(-1)?.id ?? 'missing';
  }
  const list = async () => ((await api.json(LIST, first)) as { results: { id: string }[] }).results;
  const read = (id: string): Promise<ReviewedPersonalInfo> => api.json(`${LIST}${id}/`, first);
  const post = async (path: string, body?: object, userId = first) =>
    api.post(`${LIST}${path}`, body, userId);
  const view = async (id: string, userId = first) =>
    (await (await post(`${id}/view/`, undefined, userId)).json()) as SealedPhotograph;
  const approve = async (id: string, userId = first) => {
    const body = {
      action: 'approve',
      viewed_at: (await view(id, userId)).viewed_at,
      details_hash: (await read(id)).details_hash,
    };
    return post(`${id}/review/`, body, userId);
  };
  const readActions = () => listRows(database, 'operator_actions', {}, ['action', 'staff_id', 'subject']);
  const readState = async () => (await getRow(database, 'users', { id: member })).personal_info_status;

  rule('are handed over sealed, after the view is recorded, and not to be stored', async () => {
    const id = await submit();
    const watched = createTestApi(database, {
      storage: {
        ...storage,
        async open(key) {
          expect(await readActions()).toEqual([
            { action: 'view personal info', staff_id: first, subject: id },
          ]);
          return storage.open(key);
        },
      },
    });
    const response = await watched.post(`${LIST}${id}/view/`, undefined, first);
    expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'private, no-store']);
    const { sealed, sealed_key, context } = (await response.json()) as SealedPhotograph;
    expect(Buffer.from(sealed, 'base64')).toEqual(storage.objects.get(`personal-info/${id}`));
    const dataKey = openDataKey(TEST_OPENING_KEYS, Buffer.from(sealed_key ?? '', 'base64'), context);
    expect(unseal(dataKey, Buffer.from(sealed, 'base64'), context).subarray(0, 3).toString('hex')).toBe(
      'ffd8ff',
    );
    expect(await readActions()).toHaveLength(1);
  });

  rule('are shown with what the member entered and the earlier decisions', async () => {
    const earlier = await submit();
    expect((await post(`${earlier}/review/`, { action: 'reject', reason: 'ぼやけています。' })).status).toBe(
      200,
    );
    const id = await submit();
    const { bank_name, branch_name, deposit_type, account_number, name, furigana } = PAYOUT_DETAILS;
    expect(await read(id)).toMatchObject({
      username: '音の人',
      state: 'pending',
      details: { bank_name, branch_name, deposit_type, account_number, name, furigana },
      missing: [],
      history: [{ state: 'rejected', reason: 'ぼやけています。', decided_by: '運営一' }],
      allowed: ['approve', 'reject'],
    });
    expect(await read(earlier)).toMatchObject({ state: 'rejected', allowed: [], history: [] });
  });

  rule('are approved beside the present details only, and then not shown any more', async () => {
    const id = await submit();
    const { viewed_at } = await view(id);
    const { details_hash } = await read(id);
    await updateRows(database, 'users', { name: '' }, { id: member });
    expect(await read(id)).toMatchObject({ missing: ['name'], allowed: ['reject'] });
    await updateRows(database, 'users', { name: '別の名前' }, { id: member });
    const stale = { action: 'approve', viewed_at, details_hash };
    expect((await post(`${id}/review/`, stale)).status).toBe(409);
    expect(await readState()).toBe('pending');
    expect((await approve(id)).status).toBe(200);
    expect(await readState()).toBe('confirmed');
    expect((await post(`${id}/view/`)).status).toBe(409);
  });

  test('tell the second of two who decide who was first', async () => {
    const id = await submit();
    expect((await approve(id, second)).status).toBe(200);
    const refused = await post(`${id}/review/`, { action: 'reject', reason: '期限が切れています。' });
    expect([refused.status, await refused.text()]).toEqual([
      409,
      expect.stringContaining('運営二 さんが先に承認にしています。'),
    ]);
  });
});
