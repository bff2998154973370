import { CONTENT_ID_TEXTS, USE_TEXTS } from '../../contract/sounds/fact-labels.ts';
import type { Certificate } from '../../contract/downloads/certificates.ts';
import { formatDateTime } from '../../contract/values/date-times.ts';
import { cleanLine } from '../../contract/values/texts.ts';
import type { ContentIdState, LicenceUse } from '../../contract/sounds/sound-facts.ts';
import { UNTITLED } from '../../contract/sounds/sounds.ts';
import { toCreditText } from '../lib/credit-text.ts';
import { certificatePath, licencePath, soundPath } from '../lib/paths.ts';

/** The texts that go with a certificate. Names are those of the download. */
export interface CreditKit {
  /** For the description of a video. */
  readonly credit: string;
  /** The certificate as plain text. */
  readonly text: string;
  /** Drafts of an objection to a claim on YouTube. */
  readonly objection: { readonly ja: string; readonly en: string };
}

/** What a certificate says of the artist's answers and of uses; undefined for what an older certificate does not say. */
export interface Statements {
  readonly contentId: string | undefined;
  /** What the sound could be used for. */
  readonly uses: string | undefined;
  /** What only the artist allowed. Before version 3, all that the artist allowed. */
  readonly addedUses: string | undefined;
}

export function toStatements({ content_id, licence_uses, added_uses }: Certificate): Statements {
  const comma = added_uses === undefined ? '・' : '、';
  const toTexts = (uses: readonly string[]) => translate(uses, USE_TEXTS, comma);
  return {
    contentId: content_id && translate([content_id], { ...CONTENT_ID_TEXTS, unstated: '回答なし' }, ''),
    ...(added_uses === undefined
      ? {
          uses: undefined,
          addedUses: licence_uses && (toTexts(licence_uses) || '指定なし（利用条件のとおり）'),
        }
      : {
          uses: (licence_uses && toTexts(licence_uses)) || undefined,
          addedUses: toTexts(added_uses) || undefined,
        }),
  };
}

/** What the uses that the artist allowed are called. */
export function toAddedLabel({ added_uses }: Certificate): string {
  return added_uses === undefined ? 'アーティストが認めた使いみち' : 'アーティストが追加で認めた使いみち';
}

/** In the English draft. */
const ENGLISH = {
  none: 'not registered',
  registered: 'registered',
  video: 'videos',
  streaming: 'streaming',
  games: 'games',
  apps: 'apps',
  commercial: 'commercial use',
  uncredited: 'no credit required',
  venues: 'shops and events',
  broadcast: 'broadcasts and commercials',
  songs: 'material of songs',
} satisfies Record<ContentIdState | LicenceUse, string>;

/** Values of a later version are shown as they are. */
function translate(
  values: readonly string[],
  texts: Readonly<Record<string, string>>,
  comma: string,
): string {
  return values.map((value) => texts[value] ?? cleanLine(value)).join(comma);
}

/** `siteUrl` is the present address of the site. Names are put on one line, so that they cannot forge lines of the texts. */
export function toCreditKit(certificate: Certificate, siteUrl: string): CreditKit {
  const title = cleanLine(certificate.sound_title) || UNTITLED;
  const artist = cleanLine(certificate.artist);
  const site = cleanLine(certificate.site_name);
  const licence = cleanLine(certificate.licence_title);
  const soundUrl = siteUrl + soundPath(certificate.sound_id);
  const licenceUrl = siteUrl + licencePath(certificate.licence_sha256);
  const url = siteUrl + certificatePath(certificate.id);
  const at = formatDateTime(Date.parse(certificate.issued_at));
  const { content_id: contentId, licence_uses: uses = [], added_uses: added, licence_line } = certificate;
  const line = licence_line === undefined ? [] : [cleanLine(licence_line)];
  const says = toStatements(certificate);
  const addedLabel = toAddedLabel(certificate);
  const addedEnglish = `Uses allowed by the artist${added === undefined ? '' : ' in addition'}`;
  const isRegistered = contentId === 'registered';
  // An objection mentions only answers that the artist gave.
  const isStated = contentId !== undefined && contentId !== 'unstated';
  return {
    credit: toText([toCreditText(title, artist, site), soundUrl]),
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
      ...line,
      ...(says.uses === undefined ? [] : [`認められた使いみち：${says.uses}`]),
      ...(says.addedUses === undefined ? [] : [`${addedLabel}：${says.addedUses}`]),
      ...(says.contentId === undefined ? [] : [`Content ID（アーティストの回答）：${says.contentId}`]),
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
        ...line,
        ...(says.uses === undefined ? [] : [`認められた使いみち：${says.uses}`]),
        ...((added ?? uses).length > 0 ? [`${addedLabel}：${says.addedUses}`] : []),
        ...(isStated ? [`Content ID（アーティストの回答）：${says.contentId}`] : []),
        `利用証明書：${url}`,
        '',
        `利用証明書のページで、ファイルのハッシュ値と、ダウンロードしたときの利用条件を確認できます。${
          isRegistered ? '利用条件にもとづく使用ですので' : 'この申し立ては誤りと考えますので'
        }、取り下げをお願いします。`,
      ]),
      en: toText([
        `The audio in this video is a sound distributed by ${site} (${certificate.issuer}). I use it under the terms of use published there.`,
        '',
        `Sound: "${title}"`,
        `Artist: ${artist}`,
        `Downloaded: ${certificate.issued_at.slice(0, 16).replace('T', ' ')} (Japan Standard Time, UTC+9)`,
        `Terms of use: ${licenceUrl}`,
        ...(says.uses === undefined ? [] : [`Allowed uses: ${translate(uses, ENGLISH, ', ')}`]),
        ...((added ?? uses).length > 0
          ? [`${addedEnglish}: ${translate(added ?? uses, ENGLISH, ', ')}`]
          : []),
        ...(isStated ? [`Content ID (stated by the artist): ${translate([contentId], ENGLISH, '')}`] : []),
        `Certificate: ${url}`,
        '',
        `The certificate shows the hash of the file and the terms of use at the time of the download. ${
          isRegistered
            ? 'These terms permit my use; I therefore'
            : 'I believe that this claim is a mistake, and'
        } ask you to release it.`,
      ]),
    },
  };
}

function toText(lines: readonly string[]): string {
  return lines.join('\n');
}
