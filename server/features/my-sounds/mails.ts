import { formatDateTime } from '../../../contract/values/date-times.ts';
import { UNTITLED } from '../../../contract/sounds/sounds.ts';
import type { Mail } from '../../platform/mail/port.ts';
import { SOUND_FIELDS, forEachField } from '../catalogue/sound-fields.ts';
import type { FieldName } from '../catalogue/sound-fields.ts';
import { toMail } from '../mail/layout.ts';
import type { Part, Sender } from '../mail/layout.ts';
import type { SoundValues, ValueName } from './worsening.ts';

const FIELD_LABELS: Readonly<Record<ValueName, string>> = {
  title: 'タイトル',
  description: '説明',
  filename: 'ファイル名',
  is_published: '公開の設定',
  sub_genres: 'サブジャンル',
  ...forEachField<Record<FieldName, string>>((name) => SOUND_FIELDS[name].label),
  bpm: 'BPM',
  key: 'キー',
  thumbnail: 'サムネイル',
};

/** A sound by its name before these changes, oldest first, and which fields they replaced. */
export function describeChanged(
  changes: readonly {
    readonly title: string;
    readonly filename: string;
    readonly before: Partial<SoundValues>;
  }[],
): string {
  const [first] = changes;
  const former = changes.find(({ before }) => before.title)?.before.title;
  const names = new Set(changes.flatMap(({ before }) => Object.keys(before) as ValueName[]));
  const labels = [...names].map((name) => FIELD_LABELS[name]).join('、');
  return `「${former || first?.title || first?.filename || UNTITLED}」（${labels}）`;
}

interface Happened {
  /** Of deleted sounds. */
  readonly names: readonly string[];
  readonly changed: { readonly count: number; readonly lines: readonly string[] };
  readonly erasedAtMs: number;
}

/**
 * Names deleted and changed sounds, and when the deleted ones will be erased; ends with the link that `addUndo` creates,
 * after the advice when to use it.
 */
export async function toSoundsMail(
  sender: Sender,
  owner: { readonly username: string; readonly email: string },
  { names, changed, erasedAtMs }: Happened,
  addUndo: (advice: string) => Promise<Part[]>,
): Promise<Mail> {
  const isDeleted = names.length > 0;
  const isChanged = changed.count > 0;
  const action = isDeleted && isChanged ? '変更または削除' : isChanged ? '変更' : '削除';
  const mistake = isChanged && !isDeleted ? '変更' : '操作';
  const advice = isChanged
    ? `誤って${mistake}したときも、心当たりがないときも、次のリンクから元に戻せます。ご自身の${mistake}なら、何もする必要はありません。`
    : '誤って削除したときも、心当たりがないときも、次のリンクから元に戻せます。誤って削除したときは、パスワードはこれまでのまま使えます。';
  const subject = isChanged ? `サウンドを${action}しました` : 'サウンドの削除を受け付けました';
  const more = changed.count - changed.lines.length;
  return toMail(sender, owner.email, subject, [
    `${owner.username} さん`,
    ...(isChanged
      ? [
          `次の${formatCount(changed.count)}件のサウンドを変更しました。`,
          ...changed.lines,
          ...(more > 0 ? [`ほか${formatCount(more)}件`] : []),
        ]
      : []),
    ...(isDeleted
      ? [
          `次の${formatCount(names.length)}件のサウンドを削除しました。すでに、どのページにも表示されません。`,
          ...names.map((name) => `「${name}」`),
          `${formatDateTime(erasedAtMs)}（日本時間）以降に、ファイルとお気に入りも含めて完全に削除します。`,
        ]
      : []),
    ...(await addUndo(advice)),
  ]);
}

/** After a change of mind; the password has stayed. */
export function toRestoredMail(
  sender: Sender,
  owner: { readonly username: string; readonly email: string },
  { deleted, changed }: { readonly deleted: number; readonly changed: number },
  downloads: number,
): Mail {
  const restored = [
    changed > 0 && `メールのリンクから、変更した${formatCount(changed)}件のサウンドを元の内容に戻しました。`,
    deleted > 0 &&
      `メールのリンクから、削除した${formatCount(deleted)}件のサウンドを元に戻しました。公開していたサウンドは、ふたたび公開されています。`,
  ];
  return toMail(sender, owner.email, 'サウンドを元に戻しました', [
    `${owner.username} さん`,
    ...restored.filter((line) => line !== false),
    ...toDownloadsNote(downloads),
    { label: 'サウンドは、プロフィールで確認できます。', url: `${sender.siteUrl}/profile` },
  ]);
}

/** What the owner has to know of downloads under terms that are taken back. */
export function toDownloadsNote(downloads: number): string[] {
  if (downloads === 0) return [];
  return [
    `使いみちかContent IDの変更から元に戻すまでのあいだに、対象のサウンドは${formatCount(downloads)}回ダウンロードされました。その利用証明書は、ダウンロードしたときの条件のまま有効です。`,
  ];
}

function formatCount(count: number): string {
  return count.toLocaleString('ja-JP');
}
