import { formatDateTime } from '../../../contract/values/date-times.ts';
import type { Mail } from '../../platform/mail/port.ts';
import { toMail } from '../mail/layout.ts';
import type { Part, Sender } from '../mail/layout.ts';

/** The recipient of a payout. */
interface Payee {
  readonly id: string;
  readonly username: string;
  readonly email: string;
}

/** `undo`: the paragraphs of `addUndoLink`. */
export function toReceivedMail(sender: Sender, payee: Payee, amount: number, undo: readonly Part[]): Mail {
  return toMail(sender, payee.email, '送金依頼を受け付けました', [
    `${payee.username} さん`,
    `送金依頼を受け付けました。金額: ${toYen(amount)}`,
    '内容を確認のうえ、ご登録の口座へお振り込みします。金融機関の手数料が差し引かれることがあります。手続きが終わりましたら、メールでお知らせします。',
    { label: '進み具合は、プロフィールでご覧いただけます。', url: `${sender.siteUrl}/profile` },
    ...undo,
  ]);
}

export function toPaidMail(sender: Sender, payee: Payee, amount: number): Mail {
  return toMail(sender, payee.email, '送金の手続きが完了しました', [
    `${payee.username} さん`,
    `ご依頼の送金の手続きが完了しました。金額: ${toYen(amount)}`,
    '口座への反映には、数日かかることがあります。また、金融機関の手数料が差し引かれることがあります。',
  ]);
}

export function toRefusedMail(sender: Sender, payee: Payee, amount: number, reason: string): Mail {
  return toMail(sender, payee.email, '送金依頼をお受けできませんでした', [
    `${payee.username} さん`,
    `ご依頼の送金（${toYen(amount)}）は、次の理由によりお受けできませんでした。`,
    reason,
    {
      label: '金額は報酬残高に戻りました。ご確認のうえ、もう一度ご依頼ください。',
      url: `${sender.siteUrl}/profile`,
    },
  ]);
}

export function toOperatorMail(
  sender: Sender & { readonly operatorEmail: string },
  payee: Payee,
  receipt: { readonly amount: number; readonly requestedAtMs: number },
): Mail {
  return toMail(sender, sender.operatorEmail, `送金依頼 ${toYen(receipt.amount)}`, [
    `${payee.username} さんから送金依頼がありました。`,
    `金額: ${toYen(receipt.amount)}\n受付: ${formatDateTime(receipt.requestedAtMs)}\n会員ID: ${payee.id}`,
  ]);
}

/** For the operator: a member has undone a request that is in a file for the bank. */
export function toInFileMail(
  sender: Sender & { readonly operatorEmail: string },
  username: string,
  amount: number,
): Mail {
  return toMail(sender, sender.operatorEmail, '取り消された送金依頼が振込データに入っています', [
    `${username} さんが送金依頼（${toYen(amount)}）を取り消そうとしましたが、この依頼はすでに振込データに入っています。`,
    '銀行に確かめ、振り込みを止められたときは却下し、振り込まれたときは送金済みにしてください。この依頼は、新しい振込データには入りません。',
  ]);
}

function toYen(amount: number): string {
  return `${amount.toLocaleString('ja-JP')}円`;
}
