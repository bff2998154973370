import { useEffect } from 'react';
import {
  LISTED_MAILS_MAX,
  type ListedMail,
  type ListedMailState,
  MAIL_STATES,
} from '../../../../contract/operator/mails.ts';
import { formatCount } from '../../../lib/format.ts';
import { Chips } from '../../ui/Chips.tsx';
import { useStore } from '../../ui/use-store.ts';
import { ACTIONS, ConsoleTable, RowActions } from '../ConsoleTable.tsx';
import { toMailCause } from '../mail-causes.ts';
import { Paged } from '../../ui/Paged.tsx';
import { formatTime } from '../times.ts';
import { dropMail, mailList, retryMail } from './mails.ts';

const STATES: Readonly<Record<ListedMailState, { readonly name: string; readonly hint: string }>> = {
  waiting: {
    name: '送信待ち',
    hint: '失敗したメールは、間隔をあけて1日のあいだ自動で送り直します。',
  },
  'given-up': {
    name: '送信できなかったもの',
    hint: '本文は削除されたため、もう一度送ることはできません。',
  },
  'came-back': {
    name: '戻ってきたもの',
    hint: '送信したあとで、届かなかったという知らせがあったメールです。アドレスが正しいか確かめてください。',
  },
  sent: {
    name: '送信済み',
    hint: '相手のメールサーバーが受け取ったメールです。',
  },
};

/** Mails by state, with their causes, and what can be done about those that wait. */
export function MailsPanel() {
  const { query: state = 'waiting', items } = useStore(mailList.$list);
  useEffect(() => {
    const asked = new URLSearchParams(location.search).get('state');
    void mailList.load(MAIL_STATES.find((each) => each === asked) ?? 'waiting');
  }, []);
  const { hint } = STATES[state ?? 'waiting'];
  return (
    <>
      <Chips
        label="表示するメール"
        choices={MAIL_STATES.map((each) => [each, STATES[each].name] as const)}
        chosen={state ?? 'waiting'}
        onChoose={(each) => void mailList.load(each)}
      />
      <p className="form-note my-4">
        {hint}
        {items.length === LISTED_MAILS_MAX &&
          `新しいものから${formatCount(LISTED_MAILS_MAX)}件を表示しています。`}
      </p>
      <Paged
        list={mailList}
        title="メールを読み込めませんでした"
        empty="メールはありません。"
        more="続きを表示"
      >
        {(mails) => (
          <ConsoleTable
            label="メールの表"
            columns={[
              '作成',
              '宛先',
              '件名',
              ...(state === 'sent' ? [] : ['理由']),
              ...(state === 'waiting' ? [ACTIONS] : []),
            ]}
          >
            {mails.map((mail) => (
              <MailRow key={mail.id} mail={mail} state={state ?? 'waiting'} />
            ))}
          </ConsoleTable>
        )}
      </Paged>
    </>
  );
}

function MailRow({ mail, state }: { mail: ListedMail; state: ListedMailState }) {
  const { id, to, subject, created_at, attempts, next_attempt_at, cause } = mail;
  return (
    <tr>
      <td className="tabular whitespace-nowrap">{formatTime(created_at)}</td>
      <td>
        <bdi className="wrap-anywhere">{to}</bdi>
      </td>
      <td>
        <bdi className="wrap-anywhere">{subject}</bdi>
      </td>
      {state !== 'sent' && (
        <td>
          <bdi className="wrap-anywhere">{toMailCause(cause) || '—'}</bdi>
          {state === 'waiting' && attempts > 0 && (
            <p className="tabular text-sm text-muted">
              {attempts}回失敗
              {next_attempt_at !== null && `、次は${formatTime(next_attempt_at)}`}
            </p>
          )}
        </td>
      )}
      {state === 'waiting' && (
        <td>
          <RowActions
            of={`「${subject}」の`}
            actions={[
              { text: '今すぐ送る', act: () => retryMail(id) },
              { text: '送信をやめる…', label: '送信をやめる', act: () => dropMail(mail) },
            ]}
          />
        </td>
      )}
    </tr>
  );
}
