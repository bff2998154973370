import { describe, expect, test } from 'vitest';
import { FEATURES } from '#server/features.ts';
import { createUser } from '#server/features/accounts/users.ts';
import { findMembers } from '#server/features/console/member-search.ts';
import { type FoundMember, type ReviewedMember, DOMAIN_ADDRESSES_MAX } from '#contract/operator/members.ts';
import { requestDeletionAsStaff } from '#server/features/own-data/deletion.ts';
import { eraseDueAccounts } from '#server/features/own-data/erasure.ts';
import { expectReply } from '#support/http/replies.ts';
import { useApi } from '#support/http/use-api.ts';
import { bothDatabases, insertMany, insertRow, updateRows } from '#support/databases/databases.ts';
import { isAccepted } from '#support/members/accounts.ts';
import { earn } from '#support/members/payouts.ts';
import { readActions } from '#support/members/profiles.ts';
import { readPlans } from './query-plans.ts';

const toUserRow = (id: string) =>
  ({ id, username: id, username_key: id, username_skeleton: id, email: '', created_at: 1 }) as const;

describe.each(bothDatabases)('members in the console on $name', ({ open, rule }) => {
  const { database, api, useStaff } = useApi(open);
  const first = useStaff({ username: '担当一' });
  const second = useStaff({ username: '担当二' });

  const addMember = (username: string, email = `${username}@example.test`, more = {}) =>
    createUser(database, { username, email, created_at: api.clock.now(), ...more });
  const markDeleting = (id: string) => updateRows(database, 'users', { deletion_requested_at: 1 }, { id });
  const search = async (text: string): Promise<{ results: FoundMember[]; has_more: boolean }> =>
    api.json(`/api/operator/members/?search=${encodeURIComponent(text)}`, first);
  const findNames = async (text: string) => (await search(text)).results.map(({ username }) => username);
  const view = (id: string, staff = first): Promise<ReviewedMember> =>
    api.json(`/api/operator/members/${id}/`, staff);
  const decide = async (staff: string, id: string, action: string, reason?: string) => {
    api.clock.advance(1);
    const body = { action, ...(reason !== undefined && { reason }) };
    return api.post(`/api/operator/members/${id}/decide/`, body, staff);
  };

  rule('are found by the beginning of a username or address, by the full name and by the id', async () => {
    const names = { name: '佐藤 花', furigana: 'さとう はな' };
    const id = await addMember('音の人', 'Hana.Sato@example.test', names);
    await addMember('音の木', 'tree@example.test');
    await addMember('Hanabi', 'x_y@example.test', { name: '佐藤' });
    expect(await findNames('音の')).toEqual(['音の人', '音の木']);
    expect(await findNames('ｈａｎａ')).toEqual(['Hanabi', '音の人']);
    expect(await findNames(' HANA.SATO@EXAMPLE.TEST ')).toEqual(['音の人']);
    expect(await findNames('佐藤 花')).toEqual(['音の人']);
    expect(await findNames('さとう はな')).toEqual(['音の人']);
    expect(await findNames(id)).toEqual(['音の人']);
    for (const text of ['', ' ', 'の人', 'sato', '佐', 'さとう', 'x%', 'x_z', '%', '\0', '#']) {
      expect([text, await findNames(text)]).toEqual([text, []]);
    }
    expect((await api.get(`/api/operator/members/?search=${'a'.repeat(255)}`, first)).status).toBe(400);
  });

  test('are found by the domain of the address, and by parts of what is before the @', async () => {
    await addMember('一', 'Taro.Tanaka+x@Example.jp');
    await addMember('二', 'tanaka@mail.example.jp');
    await addMember('三', 'hanako_tanaka@example.jp');
    await addMember('四', 'suzuki@example.jp');
    await addMember('五', 'tanaka@example.com');
    await addMember('六', 'x@みほん.jp');
    expect(await findNames('@example.jp')).toEqual(['三', '四', '一']);
    expect(await findNames('@EXAMPLE.J')).toEqual(['三', '四', '一']);
    expect(await findNames('tanaka @example.jp')).toEqual(['三', '一']);
    expect(await findNames('ｔａｎａｋａ taro　@example.jp')).toEqual(['一']);
    expect(await findNames('@みほん.jp')).toEqual(['六']);
    for (const text of ['jp @example', '% @example.jp', 'o_a @example.jp', 'x\\ @example', '@', 'a @', '@\0'])
      expect([text, await findNames(text)]).toEqual([text, []]);
    const deleted = await addMember('七', 'gone@example.jp');
    await markDeleting(deleted);
    await eraseDueAccounts({ ...api.deps, features: FEATURES });
    expect(await findNames('gone @example.jp')).toEqual([]);
  });

  rule('compares no more addresses of a domain than the bound, and says so', async () => {
    const toRow = (index: number) => {
      const name = `m${String(index).padStart(5, '0')}`;
      return { ...toUserRow(name), email_key: `${name}@big.example` };
    };
    const length = DOMAIN_ADDRESSES_MAX + 1_000;
    await insertMany(
      database,
      'users',
      Array.from({ length }, (_, index) => toRow(index)),
    );
    const last = await search('m19999 @big');
    expect(last).toMatchObject({ results: [{ username: 'm19999' }], is_partial: true });
    expect(await search('m20000 @big')).toEqual({ results: [], has_more: false, is_partial: true });
    expect(await search('m0 @big')).toMatchObject({ has_more: true, is_partial: false });
    expect(await search('@big')).toMatchObject({ has_more: true, is_partial: false });
    expect(await search('m20000@big')).toMatchObject({ results: [{ username: 'm20000' }] });
  });

  rule('are listed by name with their state and without private data, 50 at most', async () => {
    const names = Array.from({ length: 51 }, (_, index) => `歌い手${String(index).padStart(2, '0')}`);
    for (const username of names) await addMember(username);
    const { results, has_more } = await search('歌い手');
    expect([results.length, has_more]).toEqual([50, true]);
    expect(results.map(({ username }) => username)).toEqual(names.slice(0, 50));
    const more = { name: '本名 花子', is_blocked: true, is_verified: true };
    const id = await addMember('秘密', 'secret@example.test', more);
    const state = { state: 'blocked', is_staff: false, quality_check: 'passed' };
    expect(await search('secret')).toEqual({
      results: [{ id, username: '秘密', created_at: api.clock.now(), ...state }],
      has_more: false,
      is_partial: false,
    });
  });

  rule('are not found any more once only a pseudonym is left', async () => {
    const id = await addMember('去る人');
    await markDeleting(id);
    expect((await search('去る')).results).toMatchObject([{ state: 'deleting' }]);
    await eraseDueAccounts({ ...api.deps, features: FEATURES });
    expect(await findNames(id)).toEqual([]);
    expect(await findNames('退会済み')).toEqual([]);
    expect((await api.get(`/api/operator/members/${id}/`, first)).status).toBe(404);
    expect((await decide(first, id, 'unblock')).status).toBe(409);
  });

  rule('are found by indexes alone', async () => {
    const rows = Array.from({ length: 900 }, (_, index) => ({
      ...toUserRow(`名前${index}`),
      email_key: `address${index}@example.test`,
      name: `本名${index}`,
      furigana: `よみ${index}`,
    }));
    await insertMany(database, 'users', rows);
    const plans = await readPlans(database, 'users', (watched) => findMembers(watched, '名前12'));
    expect(plans.length).toBeGreaterThan(0);
    for (const plan of plans) {
      expect(plan).toMatch(/using (covering )?index|Index Scan using/i);
      expect(plan).not.toMatch(/Seq Scan|\bSCAN\b|\bSort\b|TEMP B-TREE/);
    }
    const [byDomain] = await readPlans(database, 'users', (watched) => findMembers(watched, 'a @example'));
    expect(byDomain).toContain(
      'SEARCH users USING COVERING INDEX users_email_domain (<expr>>? AND <expr><?)',
    );
    expect(byDomain).not.toMatch(/SCAN users|TEMP B-TREE/);
  });

  rule('are shown with their standing, balance, log-ins and what the staff did', async () => {
    const names = { name: '佐藤 花', furigana: 'さとう はな' };
    const more = { ...names, is_verified: true, personal_info_status: 'confirmed' };
    const id = await addMember('音の人', 'hana@example.test', more);
    await earn(database, id, 700, api.clock.now() - 90 * 86_400_000);
    await earn(database, id, 30, api.clock.now());
    const check = { state: 'approved', submitted_at: 1, decided_at: 2 } as const;
    await insertRow(database, 'quality_checks', { id: 'check', user_id: id, ...check });
    const action = { action: 'approve quality check', subject: 'check' };
    await insertRow(database, 'operator_actions', { id: 'a', staff_id: second, ...action, at: 1 });
    expect((await decide(second, id, 'block')).status).toBe(200);
    expect((await decide(second, id, 'unblock')).status).toBe(200);
    await api.logIn(id);
    const now = api.clock.now();
    const place = { device: 'Mac の Safari', network: '192.0.2.0/24' };
    const expired = { user_id: id, token_hash: '', created_at: 1, expires_at: now, authenticated_at: 3 };
    await insertMany(database, 'sessions', [
      { ...expired, id: 'ended', rotated_at: null, ...place },
      { ...expired, id: 'older', rotated_at: now - 5, expires_at: now + 1, ...place },
    ]);
    expect(await view(id)).toEqual({
      id,
      username: '音の人',
      email: 'hana@example.test',
      ...names,
      created_at: now - 2,
      state: 'active',
      is_staff: false,
      quality_check: 'passed',
      personal_info: 'confirmed',
      suspension_reason: null,
      deletion_requested_at: null,
      sounds: 0,
      reward: { payable: 700, pending: 30 },
      payouts: [],
      mails: [],
      sessions: [
        { started_at: now, used_at: now, authenticated_at: now, device: '', network: '' },
        { started_at: 1, used_at: now - 5, authenticated_at: 3, ...place },
      ],
      actions: ['unblock member', 'block member', 'approve quality check'].map((action) =>
        expect.objectContaining({ action, staff: '担当二' }),
      ),
      allowed: ['block', 'suspend', 'revoke-quality-check', 'end-sessions'],
    });
  });

  test('are blocked, suspended and logged out as the server allows, and each decision is on record', async () => {
    const id = await addMember('音の人');
    const readState = async () => {
      const { state, allowed } = await view(id);
      return [state, ...allowed];
    };
    const token = await api.logIn(id);
    expect(await readState()).toEqual(['active', 'block', 'suspend', 'end-sessions']);
    expect(await isAccepted(api, token)).toBe(true);
    expect((await decide(first, id, 'end-sessions')).status).toBe(200);
    expect(await isAccepted(api, token)).toBe(false);
    expect(await readState()).toEqual(['active', 'block', 'suspend']);
    expect((await decide(first, id, 'block')).status).toBe(200);
    expect(await readState()).toEqual(['blocked', 'unblock', 'suspend']);
    await expectReply(decide(first, id, 'suspend', ' '), 400, { reason: '理由を入力してください。' });
    expect((await decide(first, id, 'suspend', '無断転載のため')).status).toBe(200);
    expect(await readState()).toEqual(['suspended', 'unsuspend']);
    expect((await view(id)).suspension_reason).toBe('無断転載のため');
    expect((await decide(first, id, 'unsuspend')).status).toBe(200);
    // The member was blocked before.
    expect(await readState()).toEqual(['blocked', 'unblock', 'suspend']);
    expect((await decide(first, id, 'unblock')).status).toBe(200);
    expect(await readState()).toEqual(['active', 'block', 'suspend']);
    const about = { staff_id: first, subject: id, note: '' };
    expect(await readActions(database)).toEqual([
      { ...about, action: 'end sessions' },
      { ...about, action: 'block member' },
      { ...about, action: 'suspend member', note: '無断転載のため' },
      { ...about, action: 'unsuspend member' },
      { ...about, action: 'unblock member' },
    ]);
    expect((await decide(first, 'nothing', 'block')).status).toBe(404);
  });

  test.each([
    ['block', '制限しています。'],
    ['suspend', '停止しています。'],
    ['end-sessions', 'ログアウトさせています。'],
  ])('are decided on once by two who %s them at once', async (action, done) => {
    const id = await addMember('音の人');
    await api.logIn(id);
    const replies = await Promise.all([first, second].map((staff) => decide(staff, id, action, '理由')));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const winner = replies[0]?.status === 200 ? '担当一' : '担当二';
    const loser = replies.find(({ status }) => status === 409);
    expect(await loser?.json()).toEqual({ detail: `${winner} さんが先に${done}` });
    expect(await readActions(database)).toHaveLength(1);
  });

  rule('who are staff cannot act on themselves', async () => {
    expect((await view(first)).allowed).toEqual([]);
    for (const action of ['block', 'suspend', 'end-sessions']) {
      const refused = await decide(first, first, action, '理由');
      expect([action, refused.status]).toEqual([action, 403]);
    }
    expect(await readActions(database)).toEqual([]);
  });

  rule('whose account is being deleted are left as they are', async () => {
    const id = await addMember('去る人');
    await requestDeletionAsStaff(api.deps, id, second, { forfeit: 0, reason: '本人の希望' });
    expect(await view(id)).toMatchObject({ state: 'deleting', allowed: [] });
    const detail = 'このアカウントは、削除の手続き中です。';
    for (const action of ['block', 'unblock', 'suspend', 'unsuspend'])
      await expectReply(decide(first, id, action, '理由'), 409, { detail });
  });
});
