import type { SoundType } from '../../../contract/sounds/genres.ts';
import { formatCount } from '../../lib/format.ts';
import { toWave } from '../../lib/wave.ts';
import { $chosenIds, chooseRows, manyRows } from '../../stores/many-sounds/many-sounds.ts';
import type { ManyRow } from '../../stores/many-sounds/many-sounds.ts';
import { $genres } from '../../stores/my-sounds/my-sounds.ts';
import { WaveShape } from '../sounds/Waveform.tsx';
import { Paged } from '../ui/Paged.tsx';
import { useRowChoice } from '../ui/use-row-choice.ts';
import { useStore } from '../ui/use-store.ts';

/** The sounds and uploads as a list with check boxes. */
export function SoundChoices({ types }: { types: readonly SoundType[] }) {
  return (
    <Paged list={manyRows} empty="サウンドはまだありません。" more="もっと見る" moreClassName="">
      {(rows) => <Choices rows={rows} types={types} />}
    </Paged>
  );
}

function Choices({ rows, types }: { rows: readonly ManyRow[]; types: readonly SoundType[] }) {
  const chosen = useStore($chosenIds);
  const ids = rows.map(({ id }) => id);
  const isAll = ids.every((id) => chosen.includes(id));
  const toBox = useRowChoice(ids, chosen, chooseRows);
  return (
    <>
      <div className="flex flex-wrap items-center gap-3">
        <button type="button" className="button" onClick={() => chooseRows(isAll ? [] : ids)}>
          {isAll ? '選択をすべて外す' : `表示中の${formatCount(rows.length)}件をすべて選ぶ`}
        </button>
        <p className="form-hint">
          Shiftを押しながら選ぶと、間もまとめて選べます。キーボードでは↑↓で移り、スペースで選びます。
        </p>
      </div>
      <ul className="many-list" aria-label="サウンド">
        {rows.map((row) => (
          <li key={row.id}>
            <label className="form-check many-row">
              <input type="checkbox" {...toBox(row.id)} />
              <Row row={row} typeName={types.find(({ id }) => id === row.sound?.type)?.name} />
            </label>
          </li>
        ))}
      </ul>
    </>
  );
}

function Row({
  row: { sound, title, saved, filename },
  typeName,
}: {
  row: ManyRow;
  typeName: string | undefined;
}) {
  const { data: genres = [] } = useStore($genres);
  const names = genres
    .flatMap(({ sub_genres }) => sub_genres)
    .filter(({ id }) => saved.sub_genres.includes(id))
    .map(({ name }) => name);
  const status = saved.is_published === 'true' ? '公開' : '非公開';
  const facts = [sound === null ? '送信後' : typeName, status, ...names];
  return (
    <>
      <span className="picture-frame many-picture">
        {sound?.thumbnail_url ? (
          <img src={sound.thumbnail_url} alt="" loading="lazy" />
        ) : (
          <WaveShape wave={toWave(sound?.peaks)} className="p-1.5 text-field" />
        )}
      </span>
      <span className="grid min-w-0 flex-1">
        <span className="font-semibold wrap-anywhere">{title}</span>
        <span className="form-hint">{facts.filter(Boolean).join('・')}</span>
        {filename !== title && <span className="form-hint truncate">{filename}</span>}
      </span>
    </>
  );
}
