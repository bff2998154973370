import type { Statement } from '../../../contract/payouts/statements.ts';
import { formatCount, formatMonth, formatYen } from '../../lib/format.ts';
import { nameLine } from '../../lib/statement-lines.ts';

export function StatementTable({ statement }: { statement: Statement }) {
  const { month, reward, downloads, sounds } = statement;
  return (
    <table className="statement-table">
      <caption>{formatMonth(month)}の報酬の内訳</caption>
      <thead>
        <tr>
          <th scope="col">サウンド</th>
          <th scope="col">
            ダウン
            <wbr />
            ロード数
          </th>
          <th scope="col">報酬</th>
        </tr>
      </thead>
      <tbody>
        {sounds.map((line) => (
          <tr key={line.sound_id}>
            <th scope="row">
              <bdi>{nameLine(line)}</bdi>
            </th>
            <td>{formatCount(line.downloads)}</td>
            <td>{formatYen(line.reward)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">合計</th>
          <td>{formatCount(downloads)}</td>
          <td>{formatYen(reward)}</td>
        </tr>
      </tfoot>
    </table>
  );
}
