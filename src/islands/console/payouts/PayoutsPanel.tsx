import { type FormEvent, useRef, useState } from 'react';
import { toNumber } from '../../../../contract/values/digits.ts';
import type { Payout } from '../../../../contract/operator/operator.ts';
import { formatCount, formatYen } from '../../../lib/format.ts';
import {
  $chosen,
  $isPaying,
  $payouts,
  choose,
  listChosen,
  pay,
  refuse,
  savePayouts,
  sumYen,
} from './payouts.ts';
import { Icon } from '../../ui/Icon.tsx';
import { ACTIONS, ConsoleTable } from '../ConsoleTable.tsx';
import { DecisionDialog } from '../DecisionDialog.tsx';
import { ChoiceOfAll, RowChoice } from '../RowChoice.tsx';
import { DecidedPayouts } from './DecidedPayouts.tsx';
import { ZenginForm } from './ZenginForm.tsx';
import { formatSince, formatTime } from '../times.ts';
import { Loaded } from '../Loaded.tsx';
import { type RowBox, useRowChoice } from '../../ui/use-row-choice.ts';
import { useStore } from '../../ui/use-store.ts';

/** Payout requests: choose, save for the bank, and book as paid against the bank's total. */
export function PayoutsPanel() {
  return (
    <Loaded query={$payouts} title="送金依頼を読み込めませんでした">
      {(payouts) => (
        <>
          <Payouts payouts={payouts} />
          <DecidedPayouts />
        </>
      )}
    </Loaded>
  );
}

function Payouts({ payouts }: { payouts: readonly Payout[] }) {
  const chosen = useStore($chosen);
  const [refused, setRefused] = useState<Payout | null>(null);
  const payable = payouts.filter(({ obstacle }) => obstacle === '').map(({ id }) => id);
  const toBox = useRowChoice(payable, chosen, choose);
  if (payouts.length === 0) return <p className="form-note">待っている送金依頼はありません。</p>;
  return (
    <>
      <ConsoleTable
        label="送金依頼の表"
        columns={[
          <ChoiceOfAll
            key="all"
            label="送金できるものをすべて選ぶ"
            all={payable}
            chosen={chosen}
            onChoose={choose}
          />,
          '受付',
          '受取人',
          '口座',
          { number: '金額' },
          ACTIONS,
        ]}
      >
        {payouts.map((payout) => (
          <PayoutRow
            key={payout.id}
            payout={payout}
            box={toBox(payout.id)}
            onRefuse={() => setRefused(payout)}
          />
        ))}
      </ConsoleTable>
      <ZenginForm ids={listChosen(payouts, chosen).map(({ id }) => id)} />
      <Booking payouts={listChosen(payouts, chosen)} />
      <DecisionDialog
        key={refused?.id}
        title={refused ? `${refused.username} さんの依頼を却下しますか？` : ''}
        effect={refused ? `${formatYen(refused.amount)}は残高に戻り、理由はメールで伝わります。` : ''}
        verb="却下する"
        isOpen={refused !== null}
        onClose={() => setRefused(null)}
        onSend={async (reason) => {
          if (refused && (await refuse(refused.id, reason))) setRefused(null);
        }}
      />
    </>
  );
}

interface PayoutRowProps {
  payout: Payout;
  box: RowBox;
  onRefuse: () => void;
}

function PayoutRow({ payout, box, onRefuse }: PayoutRowProps) {
  const { obstacle } = payout;
  return (
    <tr>
      <RowChoice
        label={`${payout.username} さんの依頼を選ぶ`}
        {...box}
        checked={box.checked && obstacle === ''}
        disabled={obstacle !== ''}
      />
      <td className="tabular whitespace-nowrap">
        {formatTime(payout.created_at)}
        <p className="text-muted">{formatSince(payout.created_at)}</p>
      </td>
      <td>
        <p className="font-semibold">
          <bdi>{payout.name || '（未入力）'}</bdi>
        </p>
        <p className="text-muted">
          <bdi>{payout.furigana}</bdi> ・ <bdi>{payout.username}</bdi>
        </p>
        {obstacle && (
          <p className="flex items-center gap-1 text-danger">
            <Icon name="warning" className="size-4 flex-none" />
            {obstacle}
          </p>
        )}
      </td>
      <td>
        <bdi>{payout.bank_name}</bdi> <bdi>{payout.branch_name}</bdi>
        <p className="tabular">
          {payout.deposit_type} {payout.account_number}
        </p>
      </td>
      <td className="console-number tabular font-semibold">{formatYen(payout.amount)}</td>
      <td>
        <button type="button" className="button" onClick={onRefuse}>
          却下…
        </button>
      </td>
    </tr>
  );
}

/** The chosen requests are booked once the bank's total has been typed and matches. */
function Booking({ payouts }: { payouts: readonly Payout[] }) {
  const isPaying = useStore($isPaying);
  const [total, setTotal] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const sum = sumYen(payouts);
  const typed = toNumber(total.normalize('NFKC').replace(/[,\s円¥]/g, ''));
  const isSame = payouts.length > 0 && typed === sum;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!isSame || !(await pay(payouts))) return;
    setTotal('');
    // The button is disabled now.
    input.current?.focus();
  };
  return (
    <form className="panel console-booking" onSubmit={(event) => void submit(event)}>
      <p className="tabular" role="status">
        選択 {formatCount(payouts.length)}件 ・ 合計 <strong>{formatYen(sum)}</strong>
      </p>
      <button
        type="button"
        className="button"
        disabled={payouts.length === 0}
        onClick={() => savePayouts(payouts)}
      >
        <Icon name="download" className="size-5" />
        振込用のCSV
      </button>
      <label className="form-label" htmlFor="bank-total">
        銀行が振り込んだ合計（円）
      </label>
      <input
        ref={input}
        id="bank-total"
        className="field tabular"
        inputMode="numeric"
        autoComplete="off"
        value={total}
        aria-describedby="bank-total-hint"
        onChange={(event) => setTotal(event.currentTarget.value)}
      />
      <button className="button button-primary" disabled={!isSame} aria-busy={isPaying || undefined}>
        送金済みにする
      </button>
      <p id="bank-total-hint" className="form-hint">
        {total !== '' && !isSame
          ? '選んだ依頼の合計と一致しません。'
          : '選んだ依頼の合計と一致したときだけ、送金済みにできます。'}
      </p>
    </form>
  );
}
