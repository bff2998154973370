import { UNTITLED } from '../../../../contract/sounds/sounds.ts';
import { useEffect, useState } from 'react';
import {
  type FoundSound,
  SOUND_SEARCH_LENGTH_MAX,
  SOUND_STATES,
} from '../../../../contract/operator/sounds.ts';
import { formatCount } from '../../../lib/format.ts';
import { focusOnMount } from '../../ui/focus-on-mount.ts';
import { useStore } from '../../ui/use-store.ts';
import { Chips } from '../../ui/Chips.tsx';
import { Paged } from '../../ui/Paged.tsx';
import { formatTime } from '../times.ts';
import { STATE_NAMES } from './sound-texts.ts';
import { SoundTag } from './SoundTag.tsx';
import { type SoundFilter, searchSounds, soundSearch, toSoundUrl } from './sounds.ts';

/** Debounce of typing. */
const PAUSE_MS = 300;
const STATE_CHOICES: readonly (readonly [state: SoundFilter['state'], name: string])[] = [
  ['', 'すべて'],
  ...SOUND_STATES.map((state) => [state, STATE_NAMES[state]] as const),
];

/** Finds sounds by what is typed and chosen, at first by the page's address. */
export function SoundSearch({ first }: { first: SoundFilter }) {
  const { query } = useStore(soundSearch.$list);
  const [filter, setFilter] = useState(first);
  const { search, artist, state } = filter;
  useEffect(() => {
    const wanted = { search: search.trim(), artist: artist.trim(), state };
    const timer = setTimeout(() => void searchSounds(wanted), filter === first ? 0 : PAUSE_MS);
    return () => clearTimeout(timer);
  }, [search, artist, state, filter, first]);
  return (
    <search>
      <div className="console-tools">
        <label className="console-field" htmlFor="sound-search">
          タイトルの先頭、またはID
          <input
            id="sound-search"
            className="field"
            type="search"
            autoComplete="off"
            spellCheck={false}
            maxLength={SOUND_SEARCH_LENGTH_MAX}
            ref={focusOnMount}
            value={search}
            onChange={(event) => setFilter({ ...filter, search: event.currentTarget.value })}
          />
        </label>
        <label className="console-field" htmlFor="sound-artist">
          投稿者のユーザー名
          <input
            id="sound-artist"
            className="field"
            type="search"
            autoComplete="off"
            spellCheck={false}
            maxLength={SOUND_SEARCH_LENGTH_MAX}
            value={artist}
            onChange={(event) => setFilter({ ...filter, artist: event.currentTarget.value })}
          />
        </label>
      </div>
      <Chips
        label="状態"
        choices={STATE_CHOICES}
        chosen={state}
        onChoose={(each) => setFilter({ ...filter, state: each })}
      />
      <Paged
        list={soundSearch}
        title="検索できませんでした"
        empty="見つかりませんでした。投稿者は、ユーザー名の全体を入力してください。"
        more="もっと表示する"
      >
        {(sounds, isBusy) => (
          <ul className="member-list" aria-busy={isBusy || undefined}>
            {sounds.map((sound) => (
              <li key={sound.id}>
                <Row sound={sound} filter={query} />
              </li>
            ))}
          </ul>
        )}
      </Paged>
    </search>
  );
}

function Row({ sound, filter }: { sound: FoundSound; filter: SoundFilter | null }) {
  return (
    <a className="member-row" href={toSoundUrl(sound.id, filter ?? {})}>
      <bdi className="font-semibold wrap-anywhere">{sound.title || UNTITLED}</bdi>
      <bdi className="text-sm wrap-anywhere">{sound.artist}</bdi>
      <SoundTag state={sound.state} />
      <span className="tabular text-sm text-muted">
        {formatCount(sound.downloads)}回 ・ {formatTime(sound.created_at)}
      </span>
    </a>
  );
}
