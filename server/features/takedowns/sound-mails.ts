import { UNTITLED } from '../../../contract/sounds/sounds.ts';
import type { Mail } from '../../platform/mail/port.ts';
import { toMail } from '../mail/layout.ts';
import type { Sender } from '../mail/layout.ts';

/** The sound of a staff decision, and its artist. */
interface Judged {
  readonly title: string;
  readonly artist: string;
  readonly artist_email: string;
}

export function toHiddenMail(sender: Sender, sound: Judged, reason: string): Mail {
  return toMail(sender, sound.artist_email, 'サウンドを非公開にしました', [
    `${sound.artist} さん`,
    '運営者が、次のサウンドを非公開にしました。ほかの方には表示されず、再生もダウンロードもできません。',
    `サウンド: ${toTitle(sound)}`,
    `理由: ${reason}`,
    'サウンドは削除されていません。プロフィールで、引き続きご自身で再生・編集・削除できます。',
    toContact(sender),
  ]);
}

export function toUnhiddenMail(sender: Sender, sound: Judged, isPublished: boolean): Mail {
  return toMail(sender, sound.artist_email, 'サウンドの非公開を解除しました', [
    `${sound.artist} さん`,
    '運営者による次のサウンドの非公開を解除しました。',
    `サウンド: ${toTitle(sound)}`,
    `現在のステータス: ${isPublished ? '公開' : '非公開'}`,
    { label: 'ステータスは、プロフィールで確認できます。', url: `${sender.siteUrl}/profile` },
  ]);
}

export function toDeletedMail(sender: Sender, sound: Judged, reason: string): Mail {
  return toMail(sender, sound.artist_email, 'サウンドを削除しました', [
    `${sound.artist} さん`,
    '運営者が、次のサウンドを削除しました。元に戻すことはできません。これまでの報酬の記録は残ります。',
    `サウンド: ${toTitle(sound)}`,
    `理由: ${reason}`,
    toContact(sender),
  ]);
}

function toTitle({ title }: Judged): string {
  return title || UNTITLED;
}

function toContact({ siteUrl }: Sender) {
  return { label: 'ご質問やご意見は、お問い合わせからお寄せください。', url: `${siteUrl}/contact` };
}
