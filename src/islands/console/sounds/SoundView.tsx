import { UNTITLED } from '../../../../contract/sounds/sounds.ts';
import { useState } from 'react';
import { formatLength } from '../../../../contract/sounds/durations.ts';
import { REPORT_STATE_NAMES } from '../../../../contract/operator/action-texts.ts';
import {
  type ReviewedSound,
  SOUND_CREDITS_MAX,
  type SoundDecision,
} from '../../../../contract/operator/sounds.ts';
import { REASON_LABELS } from '../../../../contract/reports.ts';
import { formatCount, formatYen } from '../../../lib/format.ts';
import { soundPath } from '../../../lib/paths.ts';
import { useStore } from '../../ui/use-store.ts';
import { ActionLines } from '../actions/ActionLines.tsx';
import { DecisionDialog } from '../DecisionDialog.tsx';
import { Decisions, useFocusAfterDecision } from '../Decisions.tsx';
import { Fact } from '../Fact.tsx';
import { toMemberUrl } from '../members/members.ts';
import { formatTime } from '../times.ts';
import { DECISION_TEXTS } from './sound-texts.ts';
import { StaffUses } from '../uses/StaffUses.tsx';
import { SoundDays } from './SoundDays.tsx';
import { SoundTag } from './SoundTag.tsx';
import { $isDeciding, $sound, decideOn, toSoundSearchUrl } from './sounds.ts';

/** A sound with everything that a decision needs, and the decisions that the server allows. */
export function SoundView({ sound }: { sound: ReviewedSound }) {
  const { credits, artist, hidden_reason, state } = sound;
  return (
    <article className="grid grid-cols-1 gap-6" aria-labelledby="sound-title">
      <header className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <h2 id="sound-title" tabIndex={-1} className="text-2xl wrap-anywhere outline-none">
          <bdi>{sound.title || UNTITLED}</bdi>
        </h2>
        <SoundTag state={state} />
      </header>
      {sound.audio === null ? (
        <p className="form-note">
          投稿者が削除したため、再生できません。1週間以内なら、投稿者が元に戻せます。
        </p>
      ) : (
        // eslint-disable-next-line jsx-a11y/media-has-caption -- music
        <audio className="w-full" controls preload="none" src={sound.audio} aria-label="サウンド" />
      )}
      <dl className="panel member-facts">
        {hidden_reason !== null && <Fact name="非公開の理由">{hidden_reason}</Fact>}
        <Fact name="投稿者">
          <a className="link" href={toMemberUrl(sound.artist_id)}>
            <bdi>{artist}</bdi>
          </a>
          <a className="link ml-4" href={toSoundSearchUrl({ artist })}>
            ほかのサウンド
          </a>
        </Fact>
        <Fact name="種類">
          {sound.type} ・ {formatLength(sound.duration_ms / 1000)}
        </Fact>
        <Fact name="投稿">{formatTime(sound.created_at)}</Fact>
        <Fact name="ダウンロード">
          {formatCount(sound.downloads)}回
          {state === 'public' && (
            <a className="link ml-4" href={soundPath(sound.id)}>
              公開ページ
            </a>
          )}
        </Fact>
        <Fact name="お気に入り">{formatCount(sound.favorites)}件</Fact>
        <Fact name="計上した報酬">{describe(credits.credited)}</Fact>
        <Fact name="保留中の報酬">{describe(credits.held)}</Fact>
        <Fact name="報酬にならなかったダウンロード">{formatTimes(credits.refused.count)}</Fact>
        <Fact name="ファイル名">
          <bdi>{sound.filename}</bdi>
        </Fact>
        <Fact name="説明">{sound.description === '' ? 'なし' : <bdi>{sound.description}</bdi>}</Fact>
        <Fact name="ID">
          <span className="console-id">{sound.id}</span>
        </Fact>
      </dl>
      <SoundDecisions sound={sound} />
      <SoundDays days={sound.days} />
      <Reports reports={sound.reports} />
      <StaffUses sound={sound.id} />
      <ActionLines actions={sound.actions} />
    </article>
  );
}

function describe({ count, yen }: ReviewedSound['credits']['held']): string {
  return `${formatYen(yen)}（${formatTimes(count)}）`;
}

function formatTimes(count: number): string {
  return `${formatCount(count)}件${count === SOUND_CREDITS_MAX ? '以上' : ''}`;
}

function SoundDecisions({ sound }: { sound: ReviewedSound }) {
  const isDeciding = useStore($isDeciding);
  const isReading = useStore($sound).loading;
  const [action, setAction] = useState<SoundDecision | null>(null);
  const focus = useFocusAfterDecision('sound-title');
  const texts = action && DECISION_TEXTS[action];
  if (sound.is_own) return <p className="form-note">ご自身のサウンドは操作できません。</p>;
  return (
    <Decisions
      id="sound-decisions"
      allowed={sound.allowed}
      texts={DECISION_TEXTS}
      isOff={isDeciding || isReading}
      onChoose={setAction}
    >
      <DecisionDialog
        key={action}
        title={`「${sound.title || UNTITLED}」：${texts?.action ?? ''}`}
        effect={texts?.effect}
        verb={texts?.action ?? ''}
        isFinal={action === 'delete'}
        reasonLabel={action === 'unhide' ? null : '理由'}
        reasons={texts?.reasons}
        isOpen={action !== null}
        onClose={() => setAction(null)}
        onSend={async (reason) => {
          if (action === null || !(await decideOn(sound.id, action, reason))) return;
          setAction(null);
          focus();
        }}
      />
    </Decisions>
  );
}

function Reports({ reports }: Pick<ReviewedSound, 'reports'>) {
  return (
    <section aria-labelledby="sound-reports">
      <h3 id="sound-reports" className="text-lg">
        権利の報告
      </h3>
      {reports.length === 0 ? (
        <p className="text-muted">報告はありません。</p>
      ) : (
        <ul className="member-lines">
          {reports.map(({ id, created_at, reason, state }) => (
            <li key={id}>
              <a className="link" href={`/operator/reports?id=${id}`}>
                {REASON_LABELS[reason]}
              </a>
              <span>{REPORT_STATE_NAMES[state]}</span>
              <span className="tabular text-sm text-muted">{formatTime(created_at)}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
