import { readCsv, toCsv } from '#contract/values/csv.ts';
import { PAYEE_LENGTH_MAX, toZenginText } from '#contract/payouts/zengin-text.ts';
import { findBranch, loadBanks } from '#server/features/ledger/zengin/banks.ts';
import { toZenginFile } from '#server/features/ledger/zengin/format.ts';
import { parseDeliveryStatus } from '#server/features/mail/delivery-status.ts';
import { findText, listElements } from '#server/platform/storage/s3/xml.ts';
import { type Target, toTokens } from '#support/fuzzing/target.ts';
import { toDsn } from '#support/members/bounces.ts';

const BRANCH = { bankCode: '0001', bankKana: 'ﾐｽﾞﾎ', branchCode: '107', branchKana: 'ｳｴﾉ' };
const ACCOUNT = { ...BRANCH, depositType: '1', accountNumber: '0001234' } as const;
const CONSIGNOR = { ...ACCOUNT, code: '1234567890', name: 'ｵﾄｲﾁ(ｶ' };
/** A record and CRLF. */
const RECORD_BYTES = 122;
const RECORDS = 4;

/** A table that is read is written and read again as the same. */
function readTable(input: Buffer): number {
  const rows = readCsv(input.toString());
  if (rows === undefined) return 0;
  const cells = rows.map((row) => row.cells);
  const again = readCsv(toCsv(cells))?.map((row) => row.cells);
  if (JSON.stringify(again) !== JSON.stringify(cells)) throw new Error('a table is written as another one');
  return cells.flat().reduce((sum, cell) => sum + cell.length, 0);
}

/** Every name that is accepted fits its field. */
function payTo(input: Buffer): void {
  const payee = toZenginText(input.toString());
  if (payee === null || payee.length > PAYEE_LENGTH_MAX) return;
  const file = toZenginFile(CONSIGNOR, '1130', [{ ...ACCOUNT, payee, amount: 3_000 }]);
  if (file.byteLength !== RECORDS * RECORD_BYTES) throw new Error('a record has another length');
  for (let at = RECORD_BYTES - 2; at < file.byteLength; at += RECORD_BYTES) {
    if (file.toString('latin1', at, at + 2) !== '\r\n') throw new Error('a record ends at another place');
  }
}

function readAnswer(input: Buffer): number {
  const xml = input.toString();
  const entries = ['Contents', 'Upload'].flatMap((name) => listElements(xml, name));
  const names = ['Key', 'Size', 'LastModified', 'UploadId'];
  const texts = entries.flatMap((entry) => names.map((name) => findText(entry, name) ?? ''));
  const heads = ['Code', 'IsTruncated', 'NextContinuationToken'].map((name) => findText(xml, name) ?? '');
  return [...texts, ...heads].reduce((sum, text) => sum + text.length, 0);
}

const never = () => false;
const utf8 = (texts: readonly string[]) => texts.map((text) => Buffer.from(text));
const toUtf8 = (text: string) => utf8(toTokens(text));

export const TARGETS: readonly Target[] = [
  {
    name: 'CSV tables',
    files: ['/contract/values/csv.ts'],
    seeds: () => [
      ...utf8([
        'ファイル名,タイトル,説明\r\nrain.mp3,雨,"一行目\n二行目"\r\n',
        '\uFEFFa,"b ""c""",1-2\r\n\'=1,\'\'007,"x,y"\n\n,,\r',
        'jan 1,R5.1.1,true,12E4,（1,000）',
        'jan 1 x',
        '"（1,000） pm x"',
      ]),
      Buffer.from(
        toCsv([
          ['=1+1', 'a\r\nb', "'"],
          [1, -2.5, '１２％'],
        ]),
      ),
    ],
    tokens: [...toUtf8('" "" , \r\n \n \r \' = - １ 1 . jan sep R5 pm true ％ \uFEFF \0 ￥'), ' '],
    bytesMax: 64 * 1024,
    read: readTable,
    isRefusal: never,
    outputMax: (bytes) => bytes,
  },
  {
    name: 'names in files for banks',
    files: ['/contract/payouts/zengin-text.ts', '/zengin/format.ts', '/zengin/shift-jis.ts'],
    seeds: () =>
      utf8(['みほん　たろう', 'ﾐﾎﾝ ﾀﾛｳ', 'カ）オトイチ・ー', 'さゝき じゞ ヷヸ', 'Abc-1.(x)', '山田']),
    tokens: toUtf8('ゝ ゞ ヽ ゛ ゜ \u3099 \u309a ー ― ・ 　 ヷ ヴ ｯ ﾞ パ ㍿ ﬁ ﷺ ( z'),
    bytesMax: 16 * 1024,
    read: payTo,
    isRefusal: never,
  },
  {
    name: 'mails that came back',
    files: ['/mail/delivery-status.ts'],
    seeds: () => [
      toDsn('mail+6f.34@bounces.example'),
      toDsn('"a" <b@c.example>,\r\n\td@e.example', { action: 'delayed', status: '4.4.1' }),
      Buffer.from(
        'To: a@b.example\nContent-Type: message/delivery-status\n\nAction: failed\nStatus: 5.0.0\n',
      ),
    ],
    tokens: toTokens(
      '\r\n \n \t -- To: Action: failed Status: 5.1.1 Content-Type: message/delivery-status : ;',
    ),
    bytesMax: 64 * 1024,
    read(input) {
      const { recipients = [], action = '', status = '' } = parseDeliveryStatus(input) ?? {};
      return recipients.join('').length + action.length + status.length;
    },
    isRefusal: never,
    outputMax: (bytes) => bytes,
  },
  {
    name: 'names of banks and branches',
    files: ['/zengin/banks.ts'],
    seeds: () =>
      utf8([
        'みずほ銀行\n上野支店',
        'ゆうちょ\n〇一八店',
        '0001\n107',
        'ミズホギンコウ\nウエノシテン',
        '中央信用金庫\n本店',
        '青森農協\n本所',
      ]),
    tokens: toUtf8(
      '\n 銀行 信金 信用組合 労金 農協 漁協 中金 支店 出張所 営業部 店 〇 0001 ・ ヶ ァ __proto__ ー',
    ),
    bytesMax: 4 * 1024,
    read: (input) => {
      const [bank = '', branch = ''] = input.toString().split('\n');
      const found = findBranch(loadBanks(), bank, branch);
      return 'problem' in found ? found.problem.length : 0;
    },
    isRefusal: never,
    outputMax: (bytes) => bytes + 1_000,
  },
  {
    name: 'XML of S3',
    files: ['/s3/xml.ts'],
    seeds: () =>
      utf8([
        '<?xml version="1.0"?><ListBucketResult xmlns="x"><IsTruncated>true</IsTruncated><Contents><Key>sounds/a&amp;b&#x2F;</Key><LastModified>2026-11-28T00:00:00.000Z</LastModified><Size>12</Size></Contents><Contents><Key>b</Key><Size>1</Size></Contents><NextContinuationToken>1/x==</NextContinuationToken></ListBucketResult>',
        '<ListMultipartUploadsResult><Upload><Key>a</Key><UploadId>u&lt;&#9;</UploadId></Upload></ListMultipartUploadsResult>',
        '<Error><Code>NoSuchKey</Code><Message>&quot;&unknown;&#x110000;</Message></Error>',
      ]),
    tokens: [
      ...toTokens(
        '< > </ <Contents> </Contents> <Upload> </Upload> <Key> </Key> <Code> </Code> <Size> & ; &# &#x',
      ),
      ...toTokens('&amp; &#x10ffff; &#55296; <![CDATA[ <!--'),
      '<Contents ',
      '<Key ',
      ' ',
    ],
    bytesMax: 64 * 1024,
    read: readAnswer,
    isRefusal: never,
    // An element may be inside one of another name.
    outputMax: (bytes) => 8 * bytes,
  },
];
