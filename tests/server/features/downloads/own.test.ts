import { afterAll, describe, expect, test } from 'vitest';
import { toDay, toDayStart, toMonth } from '#contract/values/months.ts';
import { deleteOldAddressKeys, hashAddress } from '#server/features/visitors/addresses.ts';
import { readStatement } from '#server/features/ledger/statements.ts';
import { verifyLedger } from '#server/features/ledger/verify.ts';
import { useApiOnce } from '#support/http/use-api.ts';
import {
  addMember,
  createCountingPasswords,
  from,
  readCookies,
  tryToLogIn,
} from '#support/members/accounts.ts';
import { createTestApi } from '#support/http/api.ts';
import { deleteRows, ruleDatabases } from '#support/databases/databases.ts';
import {
  addArtist,
  addSoundOf,
  createVisitor,
  readDownloadCount,
  readEarned,
  readVerdicts,
  toNewAddress,
} from '#support/sounds/downloads.ts';
import { everyTable } from '#server/platform/database/schema.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

describe.each(ruleDatabases)('an artist’s own downloads on $name', ({ open }) => {
  const { database, api } = useApiOnce(open);
  let members = 0;

  afterAll(async () => expect(await verifyLedger(database.db)).toEqual([]));

  test('M6 earn nothing: logged in, logged out, or from a network they used today', async () => {
    const email = `own${(members += 1)}@example.test`;
    const artistId = await addMember(database, `own${members}`, email);
    const soundId = await addSoundOf(database, artistId);
    await createVisitor(api, { memberId: artistId }).download(soundId);

    const address = toNewAddress();
    const loggedIn = await tryToLogIn(api, email, undefined, from(address));
    expect(loggedIn.status).toBe(200);
    await createVisitor(api, { address: address.replace(/\d+$/, '77') }).download(soundId);

    const browser = createVisitor(api);
    for (const [name, { value }] of readCookies(loggedIn)) browser.cookies.set(name, value);
    await browser.download(soundId);
    expect(await readVerdicts(database, soundId)).toEqual(['own', 'own', 'own']);
    expect([await readEarned(database, artistId), await readDownloadCount(database, soundId)]).toEqual([
      0, 0,
    ]);

    // Another household may have the address tomorrow.
    api.clock.advance(DAY_MS);
    await createVisitor(api, { address }).download(soundId);
    expect(await readVerdicts(database, soundId)).toContain('credited');
  });

  test('M6 earn nothing from a browser that was seen with their account', async () => {
    const { artistId, soundId } = await addArtist(database);
    const another = await addArtist(database);
    const signedIn = createVisitor(api, { memberId: artistId });
    await signedIn.download(another.soundId);
    const signedOut = createVisitor(api);
    for (const [name, value] of signedIn.cookies) signedOut.cookies.set(name, value);
    await signedOut.download(soundId);
    expect(await readVerdicts(database, soundId)).toEqual(['own']);
    expect(await readVerdicts(database, another.soundId)).toEqual(['credited']);
  });

  test('are recognised only while logged in, on a host that does not trace artists', async () => {
    const demo = createTestApi(database, {
      passwords: createCountingPasswords(),
      detectsOwnDownloads: false,
    });
    const email = `alone${(members += 1)}@example.test`;
    const artistId = await addMember(database, `alone${members}`, email);
    const soundId = await addSoundOf(database, artistId);
    const address = toNewAddress();
    const loggedIn = await tryToLogIn(demo, email, undefined, from(address));
    const signedIn = createVisitor(demo, { address, memberId: artistId });
    const signedOut = createVisitor(demo, { address });
    for (const [name, { value }] of readCookies(loggedIn)) {
      signedIn.cookies.set(name, value);
      signedOut.cookies.set(name, value);
    }
    await signedIn.download(soundId);
    expect(await readVerdicts(database, soundId)).toEqual(['own']);

    for (const [name, value] of signedIn.cookies) signedOut.cookies.set(name, value);
    const another = await addSoundOf(database, artistId);
    await signedOut.download(another);
    expect(await readVerdicts(database, another)).toEqual(['credited']);
    const joined = await addSoundOf(database, artistId);
    const { id } = await signedOut.begin(joined);
    demo.clock.advance(5_000);
    await signedIn.ask(joined, { log: true, provider: 'gpt', intent: id });
    expect(await readVerdicts(database, joined)).toEqual(['own']);
    const statement = await readStatement(database.db, artistId, toMonth(demo.clock.now()));
    expect(statement.sounds).toEqual([{ sound_id: another, title: '音', reward: 1, downloads: 1 }]);
  });

  test('are recognised by network for an artist who stays logged in', async () => {
    const email = `stays${(members += 1)}@example.test`;
    const artistId = await addMember(database, `stays${members}`, email);
    const soundId = await addSoundOf(database, artistId);
    const { refresh } = (await (await tryToLogIn(api, email)).json()) as { refresh: string };
    const address = toNewAddress();
    expect((await api.post('/api/account/token/refresh/', { refresh }, from(address))).status).toBe(200);
    await createVisitor(api, { address }).download(soundId);
    expect(await readVerdicts(database, soundId)).toEqual(['own']);
  });

  test('M6 earn nothing just after midnight, and count a day later', async () => {
    const email = `night${(members += 1)}@example.test`;
    const artistId = await addMember(database, `night${members}`, email);
    const soundId = await addSoundOf(database, artistId);
    const address = '2001:db8:77:1::1';
    // 09:00 in Japan, or a whole number of days later: a minute before midnight.
    const day = toDay(api.clock.now());
    api.clock.advance(toDayStart(day + 1) - MINUTE_MS - api.clock.now());
    expect((await tryToLogIn(api, email, undefined, from(address))).status).toBe(200);
    api.clock.advance(2 * MINUTE_MS);
    expect(toDay(api.clock.now())).toBe(day + 1);
    await createVisitor(api, { address: '2001:db8:77:2::1' }).download(soundId);
    expect(await readVerdicts(database, soundId)).toEqual(['own']);
    api.clock.advance(DAY_MS - 2 * MINUTE_MS);
    await createVisitor(api, { address }).download(soundId);
    expect(await readVerdicts(database, soundId)).toEqual(['own', 'credited']);
  });

  test('do not stop log-ins and refreshes when the network cannot be recorded', async () => {
    const broken = await open();
    const own = createTestApi(broken, { passwords: createCountingPasswords() });
    await addMember(broken, 'someone', 'someone@example.test');
    await everyTable(broken.db).schema.dropTable('member_traces').execute();
    const loggedIn = await tryToLogIn(own, 'someone@example.test');
    expect(loggedIn.status).toBe(200);
    const { refresh } = (await loggedIn.json()) as { refresh: string };
    const told = () =>
      own.logged.filter(({ msg }) => msg === 'failed to record the browser and network of a member');
    expect(told()).toHaveLength(1);
    expect(told()[0]).toMatchObject({ level: 40 });
    expect((await own.post('/api/account/token/refresh/', { refresh })).status).toBe(200);
    expect(told()).toHaveLength(2);
    await broken.close();
  });

  describe('an address', () => {
    test('is grouped as a network by /24 and /48, as a provider by /16 and /32, and as a host by /64', async () => {
      const hash = (address: string) => hashAddress(database, address, api.clock.now());
      const near = [
        ['203.0.113.1', '203.0.113.250'],
        ['2001:db8:1:ab00::1', '2001:db8:1:cdff:1:2:3:4'],
        ['2001:db8::1', '2001:db8:0:ff::1'],
      ] as const;
      for (const [one, other] of near) {
        const [first, second] = [await hash(one), await hash(other)];
        expect(first.network).toBe(second.network);
        expect(first.host).not.toBe(second.host);
      }
      const far = [
        '203.0.113.1',
        '203.0.112.1',
        '2001:db8:1:ab00::1',
        '2001:db8:2::',
        '2001:db9:1:ab00::1',
        '',
      ];
      const networks = await Promise.all(far.map(async (address) => (await hash(address)).network));
      expect(new Set(networks).size).toBe(far.length);
      const providers = await Promise.all(far.map(async (address) => (await hash(address)).provider));
      expect(providers[0]).toBe(providers[1]);
      expect(providers[2]).toBe(providers[3]);
      expect(new Set(providers).size).toBe(4);
    });

    test('has other hashes each day, and cannot be recovered once its keys are deleted, in memory too', async () => {
      const nowMs = api.clock.now() + 100 * DAY_MS;
      const hash = (days: number) => hashAddress(database, '203.0.113.1', nowMs + days * DAY_MS);
      const first = await hash(0);
      expect(first.networkYesterday).toBeNull();
      expect(await hash(0)).toEqual(first);
      const second = await hash(1);
      expect(second.network).not.toBe(first.network);
      expect(second.networkYesterday).toBe(first.network);
      await deleteOldAddressKeys(database, nowMs + 3 * DAY_MS);
      expect((await hash(1)).network).not.toBe(second.network);
      await deleteRows(database, 'address_keys');
      const third = await hash(2);
      await deleteRows(database, 'address_keys');
      expect(await hash(2)).toEqual(third);
      await hash(3);
      expect((await hash(2)).network).not.toBe(third.network);
    });
  });
});
