import type { MemberMail, ReviewedMember } from '../../../../contract/operator/members.ts';
import { useStore } from '../../ui/use-store.ts';
import { RowActions } from '../ConsoleTable.tsx';
import { toMailCause } from '../mail-causes.ts';
import { formatTime } from '../times.ts';
import { $isDeciding, retryMail } from './members.ts';

const STATES = { waiting: '送信待ち', sent: '送信済み', 'given-up': '送信できませんでした' } as const;

/** The newest mails to a member, why some failed, and a button to try again. */
export function MemberMails({ mails }: Pick<ReviewedMember, 'mails'>) {
  return (
    <section aria-labelledby="member-mails">
      <h3 id="member-mails" className="text-lg">
        メール
      </h3>
      {mails.length === 0 ? (
        <p className="text-muted">保存されている送信の記録はありません。</p>
      ) : (
        <ul className="member-lines">
          {mails.map((mail) => (
            <li key={mail.id}>
              <Mail mail={mail} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Mail({
  mail: { id, subject, state, created_at, attempts, last_error, bounce_status },
}: {
  mail: MemberMail;
}) {
  const isDeciding = useStore($isDeciding);
  return (
    <>
      <bdi className="wrap-anywhere">{subject}</bdi>
      <span className={state === 'given-up' ? 'text-danger' : undefined}>{STATES[state]}</span>
      <span className="tabular text-sm text-muted">
        {formatTime(created_at)}
        {state !== 'sent' && attempts > 0 && ` ・ ${attempts}回失敗`}
      </span>
      {bounce_status !== '' && (
        <span className="w-full text-danger">送信後に戻ってきました（{bounce_status}）</span>
      )}
      {state !== 'sent' && last_error !== '' && (
        <bdi className="w-full text-sm wrap-anywhere">失敗の理由：{toMailCause(last_error)}</bdi>
      )}
      {state === 'waiting' && attempts > 0 && (
        <RowActions
          of={`「${subject}」を`}
          actions={[{ text: '今すぐ送る', isOff: isDeciding, act: () => retryMail(id) }]}
        />
      )}
      {state === 'given-up' && (
        <span className="w-full text-sm text-muted">
          本文は削除されたため、もう一度送ることはできません。
        </span>
      )}
    </>
  );
}
