import { useEffect, useState } from 'react';
import { PAYOUT_MIN_YEN, type OwnPayout } from '../../../contract/payouts/payouts.ts';
import { formatDate, formatYen } from '../../lib/format.ts';
import { openTransferHistory, transferHistory } from '../../stores/rewards/rewards.ts';
import { Icon } from '../ui/Icon.tsx';
import { Paged } from '../ui/Paged.tsx';

/** For each state: its name, its icon, the label of the decision's date, and the next step. */
const STATES = {
  requested: {
    name: '確認中',
    icon: 'clock',
    decided: '',
    next: '運営者が確認し、ご登録の口座に振り込みます。結果はメールでお知らせします。',
  },
  paid: {
    name: '送金済み',
    icon: 'check',
    decided: '送金手続き',
    next: '口座への反映には、数日かかることがあります。',
  },
  refused: {
    name: '受け付けられませんでした',
    icon: 'warning',
    decided: '回答',
    next: '金額は報酬残高に戻りました。理由をご確認のうえ、もう一度ご依頼ください。',
  },
} as const;

/** A member's payout requests. Loaded when first opened. */
export function TransferHistory() {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => (isOpen ? openTransferHistory() : undefined), [isOpen]);
  useEffect(() => transferHistory.close, []);
  return (
    <details
      className="profile-details transfer-history"
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary className="font-semibold">
        <span>送金依頼の履歴</span>
        <Icon name="chevron" className="profile-chevron size-5" />
      </summary>
      <Paged
        list={transferHistory}
        empty={
          <p className="form-hint">
            まだ送金を依頼していません。報酬残高が{formatYen(PAYOUT_MIN_YEN)}以上になると、依頼できます。
          </p>
        }
        loading={
          <>
            <span className="sr-only">読み込んでいます</span>
            <span className="profile-bar w-full" />
          </>
        }
        more="もっと見る"
        moreClassName=""
      >
        {(transfers) => (
          <ul className="transfer-list">
            {transfers.map((transfer) => (
              <li key={transfer.id}>
                <TransferLine {...transfer} />
              </li>
            ))}
          </ul>
        )}
      </Paged>
    </details>
  );
}

/** One request: amount, state with date, reason, and the next step. */
export function TransferLine({ amount, state, requested_at, decided_at, reason }: OwnPayout) {
  const { name, icon, decided, next } = STATES[state];
  return (
    <>
      <p className="flex flex-wrap items-center justify-between gap-x-3">
        <strong className="tabular">{formatYen(amount)}</strong>
        <span className={`flex items-center gap-1 transfer-${state}`}>
          <Icon name={icon} className="size-5 flex-none" />
          {name}
        </span>
      </p>
      <p className="form-hint">
        <Day at={requested_at} what="に依頼" />
        {decided_at !== undefined && (
          <>
            、<Day at={decided_at} what={`に${decided}`} />
          </>
        )}
      </p>
      {reason !== undefined && <p>理由：{reason}</p>}
      <p className="form-hint">{next}</p>
    </>
  );
}

function Day({ at, what }: { at: string; what: string }) {
  const day = formatDate(at);
  return (
    day !== '' && (
      <>
        <time dateTime={at}>{day}</time>
        {what}
      </>
    )
  );
}
