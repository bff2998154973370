import type { SoundType } from '../../../contract/sounds/genres.ts';
import { formatCount } from '../../lib/format.ts';
import { toWave } from '../../lib/wave.ts';
import { $chosenIds, $manyRows, chooseRows } from '../../stores/many-sounds/many-sounds.ts';
import type { ManyRow } from '../../stores/many-sounds/many-sounds.ts';
import { $genres, mySounds } from '../../stores/my-sounds/my-sounds.ts';
import { WaveShape } from '../sounds/Waveform.tsx';
import { LoadFailure } from '../ui/LoadFailure.tsx';
import { More } from '../ui/More.tsx';
import { useRowChoice } from '../ui/use-row-choice.ts';
import { useStore } from '../ui/use-store.ts';

/** The sounds and uploads as a list with check boxes. */
export function SoundChoices({ types }: { types: readonly SoundType[] }) {
  const list = useStore(mySounds.$list);
  const rows = useStore($manyRows);
  const chosen = useStore($chosenIds);
  const ids = rows.map(({ id }) => id);
  const count = ids.filter((id) => chosen.includes(id)).length;
  const toBox = useRowChoice(ids, chosen, chooseRows);
  const { isRead, hasMore, failure } = list;
  if (!isRead && failure === null && rows.length === 0) return <p role="status">読み込んでいます…</p>;
  return (
    <>
      {failure?.at === 'first' && (
        <LoadFailure error={failure.error} onRetry={() => void mySounds.reload()} />
      )}
      {rows.length > 0 && (
        <div className="flex flex-wrap items-center gap-3">
          <button
            type="button"
            className="button"
            onClick={() => chooseRows(count === rows.length ? [] : ids)}
          >
            {count === rows.length ? '選択をすべて外す' : `表示中の${formatCount(rows.length)}件をすべて選ぶ`}
          </button>
          <p className="form-hint">
            Shiftを押しながら選ぶと、間もまとめて選べます。キーボードでは↑↓で移り、スペースで選びます。
          </p>
        </div>
      )}
      {rows.length > 0 ? (
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
      ) : (
        isRead && !hasMore && <p className="form-note">サウンドはまだありません。</p>
      )}
      <More list={list} onMore={() => void mySounds.more()} label="もっと見る" busyLabel="Loading..." />
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
