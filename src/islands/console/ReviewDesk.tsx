import { useStore } from '@nanostores/react';
import { useState } from 'react';
import type { WaitingApplication } from '../../../contract/operator.ts';
import { reviewDesk, togglePark } from '../../stores/console/console.ts';
import { DecisionHistory } from './DecisionHistory.tsx';
import { DeskFrame } from './DeskFrame.tsx';
import { type DeskKey, DeskKeys } from './DeskKeys.tsx';
import { SOUND_REASONS } from './reasons.ts';
import { RejectPanel } from './RejectPanel.tsx';
import { ReviewFileRow } from './ReviewFileRow.tsx';
import { useAudition } from './use-audition.ts';
import { useDeskKeys } from './use-desk-keys.ts';

const OUTCOMES = { approve: '合格', reject: '不合格' };
const SKIP_MS = 10_000;
const SLOTS = [1, 2, 3, 4, 5, 6];

/** Quality checks, one application on the screen at a time, by keyboard with one hand. */
export function ReviewDesk() {
  return (
    <DeskFrame desk={reviewDesk} outcomes={OUTCOMES} About={About}>
      {({ id }) => <Workplace key={id} />}
    </DeskFrame>
  );
}

function About({ entry }: { entry: WaitingApplication }) {
  const application = useStore(reviewDesk.$current);
  return (
    <>
      {application && ` ・ ${application.types.join('、')} ・ ${application.email}`}
      {entry.is_parked && ' ・ あとに回した申請'}
    </>
  );
}

/** One application; what plays and what is typed end with it. */
function Workplace() {
  const application = useStore(reviewDesk.$current);
  const [audio, audition] = useAudition(application?.files ?? []);
  const [isRejecting, setRejecting] = useState(false);
  const canDecide = application?.allowed.includes('approve') ?? false;
  const isParked = application?.allowed.includes('unpark') ?? false;

  const keys: readonly DeskKey[] = [
    {
      key: 'e',
      name: OUTCOMES.approve,
      isOff: !canDecide,
      isMain: true,
      act: () => reviewDesk.decide('approve'),
    },
    { key: 'r', name: `${OUTCOMES.reject}…`, isOff: !canDecide, act: () => setRejecting(true) },
    {
      key: 's',
      name: isParked ? '順番に戻す' : 'あとに回す',
      isOff: !canDecide,
      act: () => void togglePark(),
    },
    { key: 'd', name: '次へ', act: () => reviewDesk.move(1) },
    { key: 'a', name: '前へ', act: () => reviewDesk.move(-1) },
    { key: ' ', name: audition.isPlaying ? '一時停止' : '再生', act: audition.toggle },
    { key: 'q', name: '10秒戻る', act: () => audition.skip(-SKIP_MS) },
    { key: 'w', name: '10秒進む', act: () => audition.skip(SKIP_MS) },
  ];
  const slots = SLOTS.map((slot) => ({ key: String(slot), act: () => audition.play(slot) }));
  useDeskKeys(isRejecting ? null : [...keys, ...slots, { key: 'z', act: reviewDesk.undo }]);

  return (
    <>
      {/* eslint-disable-next-line jsx-a11y/media-has-caption -- music under review */}
      <audio ref={audio} preload="auto" />
      {application === undefined ? (
        <p className="desk-files" aria-busy="true">
          読み込んでいます…
        </p>
      ) : (
        <>
          <ul className="desk-files" aria-label="提出された音声">
            {application.files.map((file) => (
              <ReviewFileRow key={file.slot} file={file} audition={audition} />
            ))}
          </ul>
          <DecisionHistory history={application.history} outcomes={OUTCOMES} />
        </>
      )}
      {isRejecting ? (
        <RejectPanel
          outcome={OUTCOMES.reject}
          reasons={SOUND_REASONS}
          onSend={(reason) => {
            if (reviewDesk.decide('reject', reason)) setRejecting(false);
          }}
          onClose={() => {
            setRejecting(false);
            document.getElementById('applicant')?.focus();
          }}
        />
      ) : (
        <DeskKeys
          keys={keys}
          hint={
            <>
              <kbd className="desk-key">1</kbd>〜<kbd className="desk-key">6</kbd> で各ファイルを再生
            </>
          }
        />
      )}
    </>
  );
}
