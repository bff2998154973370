import type { Certificate, ListedCertificate } from '../../contract/certificates.ts';
import { toCsv } from '../../contract/csv.ts';
import { formatDateTime } from '../../contract/date-times.ts';
import { certificatePath, licencePath, soundPath } from './paths.ts';

/** The texts that go with a certificate. Names are those of the download. */
export interface CreditKit {
  /** For the description of a video. */
  readonly credit: string;
  /** The certificate as plain text. */
  readonly text: string;
  /** Drafts of an objection to a claim on YouTube. */
  readonly objection: { readonly ja: string; readonly en: string };
}

/** `siteUrl` is the present address of the site. Line breaks in names would forge lines of the texts. */
export function toCreditKit(certificate: Certificate, siteUrl: string): CreditKit {
  const title = toLine(certificate.sound_title) || 'Untitled';
  const artist = toLine(certificate.artist);
  const site = toLine(certificate.site_name);
  const licence = toLine(certificate.licence_title);
  const soundUrl = siteUrl + soundPath(certificate.sound_id);
  const licenceUrl = siteUrl + licencePath(certificate.licence_sha256);
  const url = siteUrl + certificatePath(certificate.id);
  const at = formatDateTime(Date.parse(certificate.issued_at));
  return {
    credit: toText([`「${title}」 ${artist}(${site})`, soundUrl]),
    text: toText([
      '利用証明書',
      '',
      `サウンド：${title}`,
      `サウンドのID：${certificate.sound_id}`,
      `アーティスト：${artist}`,
      `ダウンロード日時：${at}（日本時間）`,
      `ファイルのSHA-256：${certificate.file_sha256}`,
      `ファイルのサイズ：${certificate.file_bytes}バイト`,
      `利用条件：${licence} ${licenceUrl}`,
      `発行元：${site} ${certificate.issuer}`,
      `証明書：${url}`,
    ]),
    objection: {
      ja: toText([
        `この動画で使っている音源は、${site}（${certificate.issuer}）で配布されているサウンドです。配布元の利用条件にもとづいて使っています。`,
        '',
        `サウンド：「${title}」`,
        `アーティスト：${artist}`,
        `ダウンロード日時：${at}（日本時間）`,
        `利用条件：${licenceUrl}`,
        `利用証明書：${url}`,
        '',
        '利用証明書のページで、ファイルのハッシュ値と、ダウンロードしたときの利用条件を確認できます。この申し立ては誤りと考えますので、取り下げをお願いします。',
      ]),
      en: toText([
        `The audio in this video is a sound distributed by ${site} (${certificate.issuer}). I use it under the terms of use published there.`,
        '',
        `Sound: "${title}"`,
        `Artist: ${artist}`,
        `Downloaded: ${certificate.issued_at.slice(0, 16).replace('T', ' ')} (Japan Standard Time, UTC+9)`,
        `Terms of use: ${licenceUrl}`,
        `Certificate: ${url}`,
        '',
        'The certificate shows the hash of the file and the terms of use at the time of the download. I believe that this claim is a mistake, and ask you to release it.',
      ]),
    },
  };
}

/** A list of downloads for a spreadsheet. */
export function toCertificatesCsv(list: readonly ListedCertificate[], siteUrl: string): string {
  return toCsv([
    ['ダウンロード日時', 'サウンド', 'アーティスト', '利用証明書'],
    ...list.map(({ id, issued_at, sound_title, artist }) => [
      formatDateTime(Date.parse(issued_at)),
      sound_title || 'Untitled',
      artist,
      siteUrl + certificatePath(id),
    ]),
  ]);
}

/** Control characters and bidirectional marks could show another text than the signed one. */
function toLine(text: string): string {
  return text
    .replace(/[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

function toText(lines: readonly string[]): string {
  return lines.join('\n');
}
