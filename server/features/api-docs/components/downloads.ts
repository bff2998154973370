import { NextNoticeSchema, NoticeSchema } from '../../../../contract/ads.ts';
import {
  CertificateKeySchema,
  ListedCertificateSchema,
  getCertificate,
  getLicence,
  listOwnCertificates,
} from '../../../../contract/certificates.ts';
import { beginDownload, downloadSound, reportWatching } from '../../../../contract/downloads.ts';
import { DEFAULT_LICENCE } from '../../../../contract/licence.ts';
import { CONTENT_ID_STATES, LICENCE_USES } from '../../../../contract/sound-facts.ts';
import { body, choice, flag, integer, list, number, part, reply, text, time } from '../field.ts';

const SHA256 = { pattern: '^[0-9a-f]{64}$' };
const HASH_EXAMPLE = '5d979b0c9a7adf59f9bd0114ba04c12b0483c0f2af911d2a00f58bf1419105d1';
const BASE64URL = { pattern: '^[A-Za-z0-9_-]+$' };
const ALGORITHM = text('署名の方式', 'Ed25519');
const certificateId = text('利用証明書のid', '31khTIafxkf2Nhnme9qMjw', BASE64URL);
const issuedAt = text('発行した日時（日本時間）', '2026-11-23T17:01:02+09:00', { format: 'date-time' });
const artist = text('ダウンロードしたときの、アーティストのユーザー名', 'kazami');
const soundTitle = text('ダウンロードしたときのタイトル。空のことがある', '雨上がりの朝');

/** Downloads, what is shown before them, and their certificates. */
export const DOWNLOAD_COMPONENTS = {
  DownloadIntent: reply('始めたダウンロード', beginDownload.reply, {
    id: text('この人とこのサウンドだけに使えるid', 'ResszkLkn8VH0tx4d7DxmA', BASE64URL),
    is_granted: flag('24時間以内に得たサウンドで、広告がいらないかどうか', false),
  }),
  WatchingReport: body('広告の視聴の知らせ', reportWatching.body, {
    state: text('begin は見え始めたとき、rest はタブが隠れたとき、end は見終わったとき', 'begin'),
    notice: text('広告のid', 'spring-sale'),
  }),
  WatchedTime: reply('ホストが測った視聴時間', reportWatching.reply, {
    watched_ms: integer('視聴した時間（ミリ秒）', 4_200),
    needed_ms: integer('必要な時間（ミリ秒）。0はホストが知らない広告', 15_000),
  }),
  DownloadAddress: reply('ファイルのアドレス', downloadSound.reply, {
    url: text(
      '短時間だけ有効な、ファイルのアドレス',
      '/media/downloads/ZtKD74yLHGTP7uU0?expires=1764048600&signature=nq3V',
      {
        format: 'uri-reference',
      },
    ),
    certificate: text('利用証明書のid。発行したときだけ送る', '31khTIafxkf2Nhnme9qMjw', BASE64URL),
  }),
  Notice: reply('運営の広告', NoticeSchema, {
    id: text('広告のid', 'spring-sale'),
    kind: text('画像か動画か', 'picture'),
    url: text('画像か動画のアドレス', '/notice/files/spring-sale.webp', { format: 'uri-reference' }),
    text: text('見えない人のための説明', '春のサウンド特集のお知らせ'),
    captions: text('動画の字幕（WebVTT）のアドレス。ないときは null', '/notice/files/spring-sale.vtt', {
      format: 'uri-reference',
    }),
    link: text('押したときに開くアドレス。ないときは null', 'https://example.test/spring', { format: 'uri' }),
    seconds: number('見る時間（秒）', 15),
  }),
  NextNotice: reply('次に表示する広告', NextNoticeSchema, {
    notice: part('広告。ないときは null'),
  }),
  SignedCertificate: reply('署名のある利用証明書', getCertificate.reply, {
    certificate: part('署名の対象'),
    signature: part('署名'),
    is_sound_public: flag('サウンドがいま公開中かどうか。署名の対象ではない'),
  }),
  Certificate: reply(
    '利用証明書。届いた順のまま、空白なしのJSONにしたものが署名の対象',
    getCertificate.reply.entries.certificate,
    {
      added_uses: list(
        'licence_uses のうち、アーティストが追加で認めた用途。version 2 までは送らない',
        ['venues'],
        { enum: LICENCE_USES },
      ),
      artist,
      content_id: choice(
        'ダウンロードしたときのContent IDの回答。unstated は未回答。version 1 では送らない',
        [...CONTENT_ID_STATES, 'unstated'],
      ),
      file_bytes: integer('ファイルの大きさ（バイト）', 2_244_000),
      file_sha256: text('ファイルのSHA-256（16進数）', HASH_EXAMPLE),
      id: certificateId,
      issued_at: issuedAt,
      issuer: text('サイトのアドレス', 'https://site.example', { format: 'uri' }),
      licence_line: text(
        '利用条件がすべてのサウンドに認めること。version 2 までと、運営者が決めていないときは送らない',
        DEFAULT_LICENCE.line,
      ),
      licence_sha256: text('利用条件のSHA-256（16進数）', HASH_EXAMPLE, SHA256),
      licence_title: text('利用条件の題', '会員規約'),
      licence_uses: list(
        'ダウンロードしたときに使ってよかった用途。version 2 ではアーティストが認めたものだけで、空のときは利用条件のとおり。version 1 では送らない',
        [...DEFAULT_LICENCE.uses, 'venues'],
        { enum: LICENCE_USES },
      ),
      site_name: text('サイトの名前', 'Otoichi'),
      sound_id: text('サウンドのid', 'ZtKD74yLHGTP7uU0'),
      sound_title: soundTitle,
      version: integer('利用証明書の形式の番号', 3, { minimum: 1 }),
    },
  ),
  CertificateSignature: reply('利用証明書の署名', getCertificate.reply.entries.signature, {
    algorithm: ALGORITHM,
    key_id: text('公開鍵のid', '7599776c3085e3f9'),
    value: text(
      '64バイトの署名（base64url）',
      '4J76HJm_NajsPexIh5qXhRZ_oatSN_FKG72vA3-gLDp-IxBbTrfSd1GtICkuMRkY-1gwXZ80Syb_rg_UV-BeBQ',
      BASE64URL,
    ),
  }),
  CertificateKey: reply('利用証明書の公開鍵', CertificateKeySchema, {
    id: text('公開鍵のid', '7599776c3085e3f9'),
    algorithm: ALGORITHM,
    public_key: text(
      '32バイトの公開鍵（base64url）',
      'bnoc3Smwt4_ROvTFWY_v9O8qlxZuPKby5Pv8zYBQW_E',
      BASE64URL,
    ),
    since: time('使い始めた日時'),
  }),
  Licence: reply('利用条件', getLicence.reply, {
    hash: text('title、空行、body をつないだもののSHA-256（16進数）', HASH_EXAMPLE, SHA256),
    title: text('題', '会員規約'),
    body: text('本文（Markdown）', 'このサイトのサウンドは、無料で使えます。'),
    since: time('使い始めた日時'),
  }),
  CertificatePage: reply('自分の利用証明書の1ページ', listOwnCertificates.reply, {
    results: part('このページの利用証明書'),
    next: integer('次のページ番号。最後のページでは null', 2, { minimum: 2 }),
  }),
  ListedCertificate: reply('一覧のなかの利用証明書', ListedCertificateSchema, {
    id: certificateId,
    issued_at: issuedAt,
    sound_title: soundTitle,
    artist,
    sound_id: text('サウンドのid', 'ZtKD74yLHGTP7uU0'),
    licence_sha256: text('利用条件のSHA-256（16進数）', HASH_EXAMPLE, SHA256),
    licence_line: text('利用条件がすべてのサウンドに認めること', DEFAULT_LICENCE.line),
  }),
};
