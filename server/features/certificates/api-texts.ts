import {
  CertificateKeySchema,
  ListedCertificateSchema,
  getCertificate,
  getLicence,
  listOwnCertificates,
} from '../../../contract/downloads/certificates.ts';
import { DEFAULT_LICENCE } from '../../../contract/downloads/licence.ts';
import { CONTENT_ID_STATES, LICENCE_USES } from '../../../contract/sounds/sound-facts.ts';
import { CAUSES, PAGE } from '../api-docs/call-text.ts';
import type { ApiTexts } from '../api-docs/call-text.ts';
import { choice, flag, integer, list, part, reply, text, time } from '../api-docs/field.ts';

const SHA256 = { pattern: '^[0-9a-f]{64}$' };
const HASH_EXAMPLE = '5d979b0c9a7adf59f9bd0114ba04c12b0483c0f2af911d2a00f58bf1419105d1';
const BASE64URL = { pattern: '^[A-Za-z0-9_-]+$' };
const ALGORITHM = text('署名の方式', 'Ed25519');
const certificateId = text('利用証明書のid', '31khTIafxkf2Nhnme9qMjw', BASE64URL);
const issuedAt = text('発行した日時（日本時間）', '2026-11-23T17:01:02+09:00', { format: 'date-time' });
const artist = text('ダウンロードしたときの、アーティストのユーザー名', 'kazami');
const soundTitle = text('ダウンロードしたときのタイトル。空のことがある', '雨上がりの朝');

/** Certificates of downloads. */
export const API_TEXTS: ApiTexts = {
  area: { tag: 'certificates', title: '利用証明書', position: 3 },
  calls: {
    'GET /api/certificates/{id}/': {
      id: 'getCertificate',
      summary: '1つの利用証明書',
      description:
        'certificate を、届いた順のまま空白なしのJSONにしたUTF-8のバイト列が、署名の対象です。サウンドが削除されても変わりません。',
      refusals: { 404: 'このidの利用証明書はない' },
      isExtension: true,
      fields: { id: text('ダウンロードで返された certificate', '31khTIafxkf2Nhnme9qMjw') },
    },
    'GET /api/certificate-keys/': {
      id: 'listCertificateKeys',
      summary: '利用証明書の署名を確かめる公開鍵',
      description: '以前の鍵も含みます。',
      isExtension: true,
    },
    'GET /api/licences/{hash}/': {
      id: 'getLicence',
      summary: '利用証明書が示す利用条件',
      description: 'title、空行、body をつないだUTF-8のバイト列のSHA-256が hash です。本文は変わりません。',
      refusals: { 404: 'このハッシュの利用条件はない' },
      isExtension: true,
      fields: {
        hash: text(
          '利用証明書の licence_sha256',
          '5d979b0c9a7adf59f9bd0114ba04c12b0483c0f2af911d2a00f58bf1419105d1',
        ),
      },
    },
    'GET /api/account/certificates/': {
      id: 'listOwnCertificates',
      summary: '自分の利用証明書の一覧',
      description: 'ログインしてダウンロードしたものを、新しい順に返します。',
      refusals: { 400: CAUSES.noPage },
      isExtension: true,
      fields: { page: PAGE },
    },
  },
  components: {
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
  },
};
