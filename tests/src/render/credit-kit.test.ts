import { expect, it } from 'vitest';
import type { Certificate } from '#contract/downloads/certificates.ts';
import { toCertificatesCsv } from '#src/stores/certificates/certificates-csv.ts';
import { toCreditKit } from '#src/render/credit-kit.ts';

const CERTIFICATE: Certificate = {
  artist: '音の人',
  file_bytes: 160_759,
  file_sha256: '5178ade'.padEnd(64, '0'),
  id: 'RUQ2C3_Wkex8uxUwpzMQSw',
  issued_at: '2026-11-23T00:05:02+09:00',
  issuer: 'https://old.example',
  licence_sha256: 'e23f815'.padEnd(64, '0'),
  licence_title: '会員規約',
  site_name: 'Otoichi',
  sound_id: 'Uga86',
  sound_title: '雨',
  version: 1,
};
const SITE = 'https://site.example';

it('credits the names of the download at the present address of the site', () => {
  const kit = toCreditKit(CERTIFICATE, SITE);
  expect(kit.credit).toBe(`「雨」 音の人(Otoichi)\n${SITE}/sounds/Uga86`);
  expect(toCreditKit({ ...CERTIFICATE, sound_title: '' }, SITE).credit).toContain('「Untitled」');
});

it('states the certificate as text, with the time in Japan', () => {
  expect(toCreditKit(CERTIFICATE, SITE).text.split('\n')).toEqual([
    '利用証明書',
    '',
    'サウンド：雨',
    'サウンドのID：Uga86',
    'アーティスト：音の人',
    'ダウンロード日時：2026年11月23日 0:05（日本時間）',
    `ファイルのSHA-256：${CERTIFICATE.file_sha256}`,
    'ファイルのサイズ：160759バイト',
    `利用条件：会員規約 ${SITE}/licences/${CERTIFICATE.licence_sha256}`,
    '発行元：Otoichi https://old.example',
    `証明書：${SITE}/certificates/${CERTIFICATE.id}`,
  ]);
});

it('drafts an objection in two languages that names the certificate and the terms', () => {
  const { ja, en } = toCreditKit(CERTIFICATE, SITE).objection;
  for (const text of [ja, en]) {
    expect(text).toContain(`${SITE}/certificates/${CERTIFICATE.id}`);
    expect(text).toContain(`${SITE}/licences/${CERTIFICATE.licence_sha256}`);
  }
  expect(ja).toContain('2026年11月23日 0:05（日本時間）');
  expect(en).toContain('2026-11-23 00:05 (Japan Standard Time, UTC+9)');
  expect(en.replaceAll('雨', '').replaceAll('音の人', '')).toMatch(/^[\x20-\x7e\n]+$/);
});

it('states what the artist had answered, also that there was no answer', () => {
  const tell = (answers: Partial<Certificate>) => {
    const { text, objection } = toCreditKit({ ...CERTIFICATE, version: 2, ...answers }, SITE);
    const find = (lines: string) => lines.split('\n').filter((line) => /Content ID|使いみち|Uses/.test(line));
    return [find(text), find(objection.ja), find(objection.en)];
  };
  expect(tell({ content_id: 'unstated', licence_uses: [] })).toEqual([
    [
      'アーティストが認めた使いみち：指定なし（利用条件のとおり）',
      'Content ID（アーティストの回答）：回答なし',
    ],
    [],
    [],
  ]);
  const ja = [
    'アーティストが認めた使いみち：動画・クレジット不要',
    'Content ID（アーティストの回答）：登録していない',
  ];
  expect(tell({ content_id: 'none', licence_uses: ['video', 'uncredited'] })).toEqual([
    ja,
    ja,
    [
      'Uses allowed by the artist: videos, no credit required',
      'Content ID (stated by the artist): not registered',
    ],
  ]);
  expect(tell({ content_id: 'later\u202e', licence_uses: ['tv\n'] })[0]).toEqual([
    'アーティストが認めた使いみち：tv',
    'Content ID（アーティストの回答）：later',
  ]);
  expect(tell({})).toEqual([[], [], []]);
});

it('states what every sound may be used for, and what its artist allows in addition', () => {
  const tell = (certificate: Partial<Certificate>) => {
    const kit = toCreditKit(
      { ...CERTIFICATE, version: 3, licence_line: '無料で使えます。', ...certificate },
      SITE,
    );
    return [kit.text, kit.objection.ja, kit.objection.en].map((text) =>
      text.split('\n').filter((line) => /無料|使いみち|Uses|uses/.test(line)),
    );
  };
  const line = '無料で使えます。';
  expect(tell({ licence_uses: ['games', 'commercial'], added_uses: [] })).toEqual([
    [line, '認められた使いみち：ゲーム、商用'],
    [line, '認められた使いみち：ゲーム、商用'],
    ['Allowed uses: games, commercial use'],
  ]);
  expect(
    tell({ licence_uses: ['games', 'venues', 'broadcast'], added_uses: ['venues', 'broadcast'] }),
  ).toEqual([
    [
      line,
      '認められた使いみち：ゲーム、店舗・催し、放送・CM',
      'アーティストが追加で認めた使いみち：店舗・催し、放送・CM',
    ],
    [
      line,
      '認められた使いみち：ゲーム、店舗・催し、放送・CM',
      'アーティストが追加で認めた使いみち：店舗・催し、放送・CM',
    ],
    [
      'Allowed uses: games, shops and events, broadcasts and commercials',
      'Uses allowed by the artist in addition: shops and events, broadcasts and commercials',
    ],
  ]);
  expect(tell({ licence_uses: [], added_uses: [], licence_line: undefined })).toEqual([[], [], []]);
});

it('calls a claim a mistake only if the sound was not said to be registered', () => {
  const draft = (content_id?: string) => toCreditKit({ ...CERTIFICATE, content_id }, SITE).objection;
  for (const state of [undefined, 'unstated', 'none']) {
    expect(draft(state).ja).toContain('誤りと考えます');
    expect(draft(state).en).toContain('is a mistake');
  }
  expect(draft('registered').ja).not.toContain('誤り');
  expect(draft('registered').en).not.toContain('mistake');
});

it('keeps names on one line: a title forges no line, and shows in the order in which it is written', () => {
  const forged = { ...CERTIFICATE, sound_title: '雨\n利用条件：自由\u202eabc', artist: 'a\r\nb\u2028c' };
  const { credit, text, objection } = toCreditKit(forged, SITE);
  expect(credit.split('\n')).toHaveLength(2);
  expect(credit).toContain('「雨 利用条件：自由abc」 a b c(Otoichi)');
  for (const [made, plain] of [
    [text, toCreditKit(CERTIFICATE, SITE).text],
    [objection.ja, toCreditKit(CERTIFICATE, SITE).objection.ja],
  ] as const)
    expect(made.split('\n')).toHaveLength(plain.split('\n').length);
});

it('lists downloads as CSV that no spreadsheet reads as a formula', () => {
  const { id, issued_at, artist } = CERTIFICATE;
  const csv = toCertificatesCsv(
    [
      { id, issued_at, artist, sound_title: '=HYPERLINK("http://evil.example","雨, 風")' },
      {
        id,
        issued_at,
        artist: '@SUM(1)',
        sound_title: '',
        sound_id: 'sound 1',
        licence_sha256: 'abc',
        licence_line: '=無料で使えます。',
      },
    ],
    { name: 'Otoichi', url: SITE },
  );
  const end = `${SITE}/certificates/${id}`;
  expect(csv.split('\r\n').slice(1)).toEqual([
    `2026年11月23日 0:05,"'=HYPERLINK(""http://evil.example"",""雨, 風"")",音の人,"「=HYPERLINK(""http://evil.example"",""雨, 風"")」 音の人(Otoichi)",,,,${end}`,
    `2026年11月23日 0:05,Untitled,'@SUM(1),「Untitled」 @SUM(1)(Otoichi),'=無料で使えます。,${SITE}/licences/abc,${SITE}/sounds/sound%201,${end}`,
    '',
  ]);
});
