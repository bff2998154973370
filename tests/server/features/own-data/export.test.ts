import { beforeEach, describe, expect, test, vi } from 'vitest';
import * as v from 'valibot';
import { listGenres } from '#contract/sounds/genres.ts';
import { EXPORT_FILE_PATH, requestExport } from '#contract/accounts/own-data.ts';
import { putFindings } from '#server/features/catalogue/findings-queries.ts';
import { setCorrections } from '#server/features/catalogue/features-queries.ts';
import { createGenre } from '#server/features/catalogue/genres/service.ts';
import { listSounds } from '#contract/sounds/sounds.ts';
import { fillFromTable } from '#src/stores/many-sounds/table.ts';
import { toSoundDraft } from '#src/stores/my-sounds/draft.ts';
import { useApi } from '#support/http/use-api.ts';
import { PASSWORD, logInWith, readTokens, refreshWith, toTestHash } from '#support/members/accounts.ts';
import { deleteRows, getRow, ruleDatabases, updateRows } from '#support/databases/databases.ts';
import { addCertificate, addUse } from '#support/members/uses.ts';
import { addSoundOf, createVisitor } from '#support/sounds/downloads.ts';
import { addPayee, askForPayout, earn, toAddress } from '#support/members/payouts.ts';
import { everyTable } from '#server/platform/database/schema.ts';

// The client's stores navigate with it, and nothing here does.
vi.mock('astro:transitions/client', () => ({ navigate: vi.fn() }));

/** The files of a ZIP archive without compression, by name (PKWARE APPNOTE §4.3). */
function readZip(zip: Buffer): Map<string, string> {
  const files = new Map<string, string>();
  const end = zip.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  let at = zip.readUInt32LE(end + 16);
  for (let index = 0; index < zip.readUInt16LE(end + 10); index += 1) {
    expect(zip.readUInt16LE(at + 10)).toBe(0);
    const size = zip.readUInt32LE(at + 24);
    const nameLength = zip.readUInt16LE(at + 28);
    const name = zip.subarray(at + 46, at + 46 + nameLength).toString();
    const header = zip.readUInt32LE(at + 42);
    const start = header + 30 + zip.readUInt16LE(header + 26) + zip.readUInt16LE(header + 28);
    files.set(name, zip.subarray(start, start + size).toString());
    at += 46 + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  return files;
}

describe.each(ruleDatabases)('exporting own data on $name', ({ open }) => {
  const { database, api, renewApi } = useApi(open);
  let userId: string;
  let otherId: string;

  beforeEach(async () => {
    userId = await addPayee(database, 'owner', {
      bio: '=1+1',
      is_verified: true,
      password_hash: toTestHash(PASSWORD),
    });
    otherId = await addPayee(database, 'stranger', { name: '他人 花子', is_verified: true });
  });

  const ask = async (id = userId) => api.post(requestExport.path, {}, id);
  const fetchFile = (token: string) =>
    api.app.request(`${EXPORT_FILE_PATH}?${new URLSearchParams({ token }).toString()}`);
  async function download(id = userId): Promise<Map<string, string>> {
    const { token } = (await (await ask(id)).json()) as { token: string };
    const response = await fetchFile(token);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="my-data-2026-04-01.zip"');
    expect(response.headers.get('cache-control')).toContain('no-store');
    return readZip(Buffer.from(await response.arrayBuffer()));
  }

  test('is named after the day in Japan', async () => {
    api.clock.advance(Date.parse('2026-11-28T17:26:00Z') - api.clock.now());
    const { token } = (await (await ask()).json()) as { token: string };
    const disposition = (await fetchFile(token)).headers.get('content-disposition');
    expect(disposition).toBe('attachment; filename="my-data-2026-11-29.zip"');
  });

  test('writes sounds so that まとめて編集 changes nothing with them, whatever a spreadsheet would convert', async () => {
    const texts = [
      ['=1+1', '1-2'],
      ["'=1+1", "''007"],
      ['"雨", 夜', '一行目\n=二行目'],
      ['007', '@SUM(A1)\n\tx'],
    ];
    await createGenre(database, { name: '場面', subGenres: ['雨', '和風・雅', 'Lo-Fi'] });
    const genres = v.parse(listGenres.reply, await api.json('/api/genres/'));
    const subGenres = genres.flatMap(({ sub_genres }) => sub_genres.map(({ id }) => id));
    for (const [index, [title = '', description = '']] of texts.entries()) {
      const id = await addSoundOf(database, userId, { title, description, filename: `=${index}.mp3` });
      const { seq } = await getRow(database, 'sounds', { id });
      const chosen = subGenres
        .slice(0, index)
        .map((each) => ({ sound_seq: seq, sub_genre_id: Number(each) }));
      if (chosen.length > 0)
        await everyTable(database.db).insertInto('sound_sub_genres').values(chosen).execute();
    }
    const csv = (await download()).get('サウンド.csv') ?? '';
    const headers = { authorization: `Bearer ${await api.logIn(userId)}` };
    const reply = await api.app.request('/api/sounds/?user=owner&include_private=true', { headers });
    const { results } = v.parse(listSounds.reply, await reply.json());
    const rows = results.map((sound) => ({
      id: sound.id,
      title: sound.title,
      filename: sound.filename,
      saved: toSoundDraft(sound),
      sound,
    }));
    const filled = fillFromTable(csv, rows, genres);
    if (filled.problem !== null) throw new Error(filled.problem);
    expect(filled.faults).toEqual([]);
    expect(filled.outcomes.map(({ row, values }) => [row.title, values])).toEqual(
      filled.outcomes.map(({ row }) => [row.title, {}]),
    );
    expect(filled.outcomes).toHaveLength(texts.length);
    expect(rows.map(({ saved }) => saved.sub_genres.length).toSorted()).toEqual([0, 1, 2, 3]);
  });

  test('is never stored, also with a web client on another origin', async () => {
    renewApi({ webOrigin: 'https://web.example' });
    await download();
  });

  test('contains everything of the member, and nothing of others', async () => {
    const soundId = await addSoundOf(database, userId, { title: '波の音', description: '海で"録音"' });
    const otherSound = await addSoundOf(database, otherId, { title: '他人の曲' });
    const hidden = await addSoundOf(database, otherId, { title: '他人の下書き' });
    const headers = { authorization: `Bearer ${await api.logIn(userId)}` };
    for (const id of [otherSound, hidden]) await api.post(`/api/sounds/${id}/toggle-favorite`, {}, headers);
    await updateRows(database, 'sounds', { is_published: 0 }, { id: hidden });
    await earn(database, userId, 4_000);
    await earn(database, otherId, 7_777);
    await askForPayout(api, userId, { email: toAddress('owner') });
    await createVisitor(api, { memberId: userId }).download(otherSound);
    await api.post('/api/contact/', { name: '見本', email: 'a@example.test', message: '質問です' }, headers);
    await api.post('/api/contact/', { name: '他人', email: 'b@example.test', message: '他人の質問' });
    const { seq } = await getRow(database, 'sounds', { id: soundId });
    const answers = { moods: 'calm nostalgic', licence_uses: 'video streaming', content_id: 'none' } as const;
    await everyTable(database.db).updateTable('sounds').set(answers).where('seq', '=', seq).execute();
    await setCorrections(database.db, seq, { bpm: 92.5, key: 'F#m' });
    const clean = { silent_head_ms: 0, clips_ms: [], clip_count: 0, is_tail_cut: false };
    await putFindings(database.db, seq, { ...clean, loudness_lufs: -14.2, true_peak_dbtp: 0.3 });
    const certificateId = await addCertificate(database, otherSound, userId);
    await addUse(database, otherSound, { certificateId, title: '私の動画', message: 'お礼です' });
    await addUse(database, soundId, { title: '他人の動画' });
    const files = await download();
    const csv = (name: string) => files.get(`${name}.csv`) ?? '';
    expect([...files.keys()]).toEqual([
      'はじめにお読みください.txt',
      ...['プロフィール', 'サウンド', 'サウンドの変更の記録', 'お気に入り', '報酬の記録'].map(
        (each) => `${each}.csv`,
      ),
      ...['送金の依頼', '審査の申請'].map((each) => `${each}.csv`),
      ...['お問い合わせ', 'ログイン中の端末', '最近のダウンロード', '利用証明書', '使用報告'].map(
        (each) => `${each}.csv`,
      ),
    ]);
    expect(csv('プロフィール')).toMatch(/^\uFEFF項目,内容\r\nユーザー名,owner\r\n/);
    expect(csv('プロフィール')).toContain("口座番号,'7654321");
    expect(csv('プロフィール')).toContain("自己紹介,'=1+1");
    expect(csv('サウンド')).toContain('波の音');
    expect(csv('サウンド')).toContain('"海で""録音"""');
    expect(csv('サウンド')).toContain(`/sounds/${soundId}`);
    expect(csv('サウンド')).toContain('BPM,キー,ラウドネス（LUFS）,トゥルーピーク（dBTP）');
    expect(csv('サウンド')).toContain(',穏やか・懐かしい,動画、配信,登録していない,');
    expect(csv('サウンド')).toContain(',92.5,嬰ヘ短調 F♯m,-14.2,0.3,');
    expect(csv('お気に入り')).toContain('他人の曲,stranger');
    expect(csv('報酬の記録')).toContain('報酬,4000,1');
    expect(csv('報酬の記録')).toContain('送金の依頼,-4000,0');
    expect(csv('送金の依頼')).toContain('4000,手続き中');
    expect(csv('お問い合わせ')).toContain('質問です');
    expect(csv('最近のダウンロード')).toContain('他人の曲');
    expect(csv('使用報告')).toMatch(/私の動画,https:[^,]+,お礼です,[^,]+\/sounds\/\w+\r\n$/);
    expect(csv('利用証明書')).toMatch(
      /他人の曲,stranger,https:\/\/site\.example\/certificates\/[\w-]{22}\r\n$/m,
    );
    expect(csv('ログイン中の端末').trim().split('\r\n')).toHaveLength(2);
    const all = [...files.values()].join('\n');
    for (const foreign of [
      '他人 花子',
      '他人の質問',
      '他人の下書き',
      '他人の動画',
      '7777',
      toAddress('stranger'),
    ])
      expect(all).not.toContain(foreign);
  });

  test('reads many rows page by page, each once', async () => {
    for (let index = 0; index < 501; index += 1) await earn(database, userId, index + 1);
    const rows = ((await download()).get('報酬の記録.csv') ?? '').trim().split('\r\n').slice(1);
    const amounts = rows.map((row) => Number(/報酬,(\d+),/.exec(row)?.[1]));
    expect(amounts).toEqual(Array.from({ length: 501 }, (_, index) => index + 1));
  });

  test('S16: needs the password again after 15 minutes', async () => {
    const session = await logInWith(api, toAddress('owner'));
    api.clock.advance(15 * 60_000 + 1);
    const { access } = await readTokens(await refreshWith(api, session.refresh));
    const response = await api.post(requestExport.path, {}, { authorization: `Bearer ${access}` });
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ code: 'recent_login_required' });
  });

  test('S16: has a link for one minute, for the session that asked', async () => {
    const { token } = (await (await ask()).json()) as { token: string };
    const [claims = '', signature = ''] = token.split('.');
    const foreign = Buffer.from(JSON.stringify([otherId, 'x', api.clock.now() + 1_000])).toString(
      'base64url',
    );
    for (const wrong of ['', claims, `${claims}.`, `${foreign}.${signature}`, `${token}x`, `.${signature}`]) {
      expect((await fetchFile(wrong)).status, wrong).toBe(400);
    }
    api.clock.advance(60_000);
    expect((await fetchFile(token)).status).toBe(200);
    api.clock.advance(1);
    expect((await fetchFile(token)).status).toBe(400);
    const again = (await (await ask()).json()) as { token: string };
    await deleteRows(database, 'sessions', { user_id: userId });
    expect((await fetchFile(again.token)).status).toBe(401);
  });
});
