import { beforeEach, describe, expect, test } from 'vitest';
import { FEATURES } from '#server/features.ts';
import { describeUndo, undoChange, undoKeepingPassword } from '#server/features/undo/undo.ts';
import { type Undoable, STAGES } from '#server/features/undo/undoable.ts';
import { everyTable } from '#server/platform/database/schema.ts';
import { bothDatabases } from '#support/databases/databases.ts';
import { useApi } from '#support/http/use-api.ts';
import { PASSWORD, readMails, toTestHash } from '#support/members/accounts.ts';
import { addPayee, earn, toAddress } from '#support/members/payouts.ts';
import { patchProfile, readUser } from '#support/members/profiles.ts';

const DECLARED = FEATURES.flatMap(({ undo = [] }) => undo);

describe.each(bothDatabases)('what features declare as undoable, on $name', ({ open }) => {
  const { database, api } = useApi(open);
  let userId: string;
  let email: string;
  let token: string;
  let happened: string[];

  beforeEach(async () => {
    userId = await addPayee(database, 'owner', { password_hash: toTestHash(PASSWORD) });
    email = toAddress('owner');
    await earn(database, userId, 6_000);
    await patchProfile(api, userId, { donation_url: 'https://ofuse.me/thief' });
    const [mail] = await readMails(database, email);
    token = /\/undo\?token=([\w-]{43})$/m.exec(mail?.text ?? '')?.[1] ?? '';
    happened = [];
  });

  /** Of a feature that the hub has never heard of. It locks what payouts lock, and reads the member that is locked. */
  const announce = () => void happened.push('announced');
  const further: Undoable = {
    stage: 'payouts',
    find: () => Promise.resolve({ changes: ['ラジオ'], canKeepPassword: true }),
    undo(transaction, { link }) {
      happened.push('further');
      return everyTable(transaction)
        .selectFrom('users')
        .select('donation_url')
        .where('id', '=', link.user_id)
        .executeTakeFirstOrThrow()
        .then(({ donation_url }) => ({
          changes: ['ラジオ'],
          notes: [`その前は${donation_url}でした。`],
          afterCommit: [announce, announce],
        }));
    },
    undoNamed: (_, { deps }, owner) =>
      Promise.resolve({
        mail: { to: owner.email, subject: 'ラジオを戻しました', text: deps.siteName, html: '' },
        afterCommit: [announce],
      }),
  };

  const toDeps = (more: readonly Undoable[]) => ({ ...api.deps, undoables: [...more, ...DECLARED] });

  test('is shown on the page of the link, among the others', async () => {
    expect((await api.post('/api/finance/transfer-request/', { email }, userId)).status).toBe(200);
    expect(await describeUndo(toDeps([further]), token)).toEqual({
      changes: ['支援のリンク', 'ラジオ', '送金の依頼'],
      changed_at: new Date(api.clock.now()).toISOString(),
      can_keep_password: true,
      sounds: [],
      changed_count: 0,
      changed_sounds: [],
      widened_downloads: 0,
    });
  });

  test('is undone in its stage, told in the mail, and announced once after the transaction', async () => {
    const watched = DECLARED.map((each): Undoable => ({
      ...each,
      undo(transaction, context) {
        happened.push(each.stage);
        return each.undo(transaction, context);
      },
    }));
    await undoChange({ ...api.deps, undoables: [further, ...watched] }, token);
    expect(happened).toEqual([
      'account deletion',
      'submissions',
      'further',
      'payouts',
      'sounds',
      'profile',
      'announced',
    ]);
    expect((await readMails(database, email)).at(-1)?.text).toMatch(
      /ログアウトしました：支援のリンク、ラジオ\n+その前はhttps:\/\/ofuse\.me\/thiefでした。\n/,
    );
    expect(await readUser(database, userId)).toMatchObject({ donation_url: '', password_hash: null });
  });

  test('is undone alone, and the password stays', async () => {
    await expect(undoKeepingPassword(toDeps([]), token)).rejects.toMatchObject({ status: 400 });
    await undoKeepingPassword(toDeps([further]), token);
    expect(happened).toEqual(['announced']);
    expect((await readMails(database, email)).at(-1)?.subject).toBe('ラジオを戻しました');
    expect(await readUser(database, userId)).toMatchObject({
      donation_url: 'https://ofuse.me/thief',
      password_hash: toTestHash(PASSWORD),
    });
    await expect(undoChange(toDeps([further]), token)).rejects.toMatchObject({ status: 400 });
  });
});

test('each stage has its own position in what people read', () => {
  const positions = Object.values(STAGES);
  expect(new Set(positions).size).toBe(positions.length);
});
