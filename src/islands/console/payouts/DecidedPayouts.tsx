import { useEffect } from 'react';
import type { DecidedPayout } from '../../../../contract/operator/operator.ts';
import { formatYen } from '../../../lib/format.ts';
import { ConsoleTable } from '../ConsoleTable.tsx';
import { Paged } from '../../ui/Paged.tsx';
import { toMemberUrl } from '../members/members.ts';
import { formatTime } from '../times.ts';
import { PAYOUT_STATES } from './payout-states.ts';
import { decidedPayouts } from './payouts.ts';

/** The payout requests that were paid or refused, the latest decision first. */
export function DecidedPayouts() {
  useEffect(() => {
    void decidedPayouts.load();
    return () => decidedPayouts.close();
  }, []);
  return (
    <section className="mt-10" aria-labelledby="decided-title">
      <h2 id="decided-title" className="mb-3 text-lg">
        送金の履歴
      </h2>
      <Paged
        list={decidedPayouts}
        title="送金の履歴を読み込めませんでした"
        empty="送金した依頼はまだありません。"
        more="もっと古い履歴"
      >
        {(payouts, isBusy) => (
          <ConsoleTable
            label="送金の履歴の表"
            columns={['決定', '受取人', { number: '金額' }, '結果', '担当', '理由']}
            isBusy={isBusy}
          >
            {payouts.map((payout) => (
              <tr key={payout.id}>
                <td className="tabular whitespace-nowrap">
                  {formatTime(payout.decided_at)}
                  <p className="text-muted">{formatTime(payout.created_at)} 受付</p>
                </td>
                <td>
                  <Recipient payout={payout} />
                </td>
                <td className="console-number tabular font-semibold">{formatYen(payout.amount)}</td>
                <td>{PAYOUT_STATES[payout.state]}</td>
                <td>
                  <bdi>{payout.decided_by}</bdi>
                </td>
                <td>{payout.reason !== '' && <bdi>{payout.reason}</bdi>}</td>
              </tr>
            ))}
          </ConsoleTable>
        )}
      </Paged>
    </section>
  );
}

function Recipient({ payout }: { payout: DecidedPayout }) {
  return (
    <a className="link" href={toMemberUrl(payout.member_id)}>
      <bdi>{payout.username}</bdi>
    </a>
  );
}
