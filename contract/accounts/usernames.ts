import * as v from 'valibot';
import { USERNAME_LENGTH_MAX, USERNAME_LENGTH_MIN } from './username-lengths.ts';

/** Latin letters, kana, kanji and digits, with a few marks between them, all available on a Japanese keyboard. */
const CHARACTERS = /^[\p{sc=Latin}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Han}\p{Nd}ー々〆・＆&_. -]+$/u;
const EDGES = /^[^・&_. -].*[^・&_. -]$/u;

/** Each group looks alike and is represented by its first character. Kana are compared by shape, so じ and ジ differ. */
const LOOK_ALIKES = new Map(
  [
    'o0〇○',
    'l1iıł',
    'dđ',
    'hħ',
    'tŧ',
    'ー一―',
    'ニ二',
    'ハ八',
    'カ力',
    'ロ口囗',
    'エ工',
    'タ夕',
    'ト卜',
    'チ千',
    'ヘへ',
    'ベべ',
    'ペぺ',
    'リり',
    'ミ三',
    'オ才',
    'ヌ又',
    'セ七',
    'イ亻',
    '土士',
    '日曰',
    '未末',
    '己已巳',
    '人入',
  ].flatMap((group) => {
    const [first = '', ...others] = group;
    return others.map((character) => [character, first] as const);
  }),
);

/** Names that could be mistaken for the site itself or for a part of an address. */
const RESERVED = new Set(
  [
    'admin administrator root system operator staff support help info contact security abuse postmaster',
    'webmaster hostmaster noreply no-reply mailer-daemon moderator mod official api www mail ftp login logout',
    'register profile artist artists sounds sound content contact-us null undefined true false me you user',
    'guest anonymous everyone all 運営 運営者 運営事務局 運営局 事務局 管理者 管理人 管理局 公式 公式アカウント スタッフ',
    'サポート お知らせ ゲスト 名無し 匿名 退会者',
  ].flatMap((line) => line.split(' ').map(toUsernameSkeleton)),
);

/** Normalises a name for storage: NFKC, trimmed, with single spaces. */
export function normaliseUsername(text: string): string {
  return text.toWellFormed().normalize('NFKC').replace(/\s+/g, ' ').trim();
}

/** Why a normalised, non-empty name is not allowed; null when it is. */
export function findUsernameProblem(username: string): string | null {
  const length = [...username].length;
  if (length < USERNAME_LENGTH_MIN || length > USERNAME_LENGTH_MAX) {
    return `ユーザー名は${USERNAME_LENGTH_MIN}文字以上${USERNAME_LENGTH_MAX}文字以内で入力してください。`;
  }
  if (!CHARACTERS.test(username)) {
    return 'ユーザー名に使えるのは、ひらがな、カタカナ、漢字、英数字と「_ - . & ・」、空白です。';
  }
  if (!EDGES.test(username)) return 'ユーザー名の先頭と末尾には、記号を使えません。';
  if (RESERVED.has(toUsernameSkeleton(username))) return 'このユーザー名はサイトが使うため、登録できません。';
  return null;
}

/** The key for comparing usernames; ignores width and case. */
export function toUsernameKey(username: string): string {
  return toComparable(username);
}

/**
 * The skeleton of a username: names with the same skeleton look alike. Folds case, accents, marks, and characters of
 * our scripts that share a shape (after Unicode TS 39).
 */
export function toUsernameSkeleton(username: string): string {
  const plain = toComparable(username)
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .replace(/[・&_. -]/g, '');
  return [...plain]
    .map((character) => LOOK_ALIKES.get(character) ?? character)
    .join('')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w');
}

/** A newly chosen name (spec §5). Whether it is missing is checked before. */
export const UsernameSchema = v.pipe(
  v.string(),
  v.transform(normaliseUsername),
  v.rawCheck(({ dataset, addIssue }) => {
    const problem = dataset.typed ? findUsernameProblem(dataset.value) : null;
    if (problem !== null) addIssue({ message: problem });
  }),
);

/** Removes control characters; PostgreSQL rejects NUL in text. */
function toComparable(text: string): string {
  return text
    .toWellFormed()
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\p{Cc}/gu, '')
    .trim();
}
