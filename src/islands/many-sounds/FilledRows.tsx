import type { Outcome } from '../../stores/many-sounds/many-sounds.ts';
import { $genres } from '../../stores/my-sounds/my-sounds.ts';
import { FIELD_NAMES, toText } from './fields.ts';
import { useStore } from '../ui/use-store.ts';

const COLUMNS = ['title', 'sub_genres', 'description'] as const;

/** The new values of each row before they are applied; a dash where a value stays. */
export function FilledRows({ outcomes }: { outcomes: readonly Outcome[] }) {
  const { data: genres = [] } = useStore($genres);
  return (
    <div className="many-table" role="region" aria-label="入力の結果" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">ファイル名</th>
            {COLUMNS.map((column) => (
              <th key={column} scope="col">
                {FIELD_NAMES[column]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {outcomes.map(({ row, values, problem }) => (
            <tr key={row.id}>
              <th scope="row" className="font-normal">
                {row.filename}
              </th>
              {problem === null ? (
                COLUMNS.map((column) => {
                  const value = values[column];
                  return (
                    <td key={column}>
                      {typeof value === 'object'
                        ? value.map((id) => toText(id, genres)).join('、')
                        : (value ?? '–')}
                    </td>
                  );
                })
              ) : (
                <td colSpan={COLUMNS.length} className="text-danger">
                  {problem}
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
