import type { WaitingApplication } from '../../../../contract/operator/operator.ts';
import { reviewDesk, togglePark } from './review.ts';
import { DecidedNotice } from '../desk/DecidedNotice.tsx';
import { DecisionHistory } from '../desk/DecisionHistory.tsx';
import { DeskControls } from '../desk/DeskControls.tsx';
import { DeskFrame } from '../desk/DeskFrame.tsx';
import { whyOff } from '../desk/outcomes.ts';
import { SOUND_REASONS } from '../reasons.ts';
import { ReviewFileRow } from './ReviewFileRow.tsx';
import { UnreadEntry } from '../desk/UnreadEntry.tsx';
import { useAudition } from './use-audition.ts';
import { useStore } from '../../ui/use-store.ts';

const OUTCOMES = { approve: '合格', reject: '不合格' };
const SKIP_MS = 10_000;
const SLOTS = [1, 2, 3, 4, 5, 6];

/** Quality checks, one application on the screen at a time, by keyboard with one hand. */
export function ReviewPanel() {
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

/** One application; playback and typed text end with it. */
function Workplace() {
  const application = useStore(reviewDesk.$current);
  const [audio, audition] = useAudition(application?.files ?? []);
  const failure = useStore(reviewDesk.$failure);
  const off = whyOff(application, failure);
  const listen = (slot = audition.slot) =>
    off ||
    (application?.files.some((file) => file.slot === slot) ? '' : '再生するファイルの番号を押してください。');
  const isParked = application?.allowed.includes('unpark') ?? false;

  return (
    <>
      {/* eslint-disable-next-line jsx-a11y/media-has-caption -- music under review */}
      <audio ref={audio} preload="auto" />
      {application === undefined ? (
        <div className="desk-files">
          <UnreadEntry failure={failure} onRetry={reviewDesk.read} />
        </div>
      ) : (
        <>
          <DecidedNotice entry={application} outcomes={OUTCOMES} />
          <ul className="desk-files" aria-label="提出された音声">
            {application.files.map((file) => (
              <ReviewFileRow key={file.slot} file={file} audition={audition} />
            ))}
          </ul>
          <DecisionHistory history={application.history} outcomes={OUTCOMES} />
        </>
      )}
      <DeskControls
        desk={reviewDesk}
        outcomes={OUTCOMES}
        reasons={SOUND_REASONS}
        off={off}
        park={{ key: 's', name: isParked ? '順番に戻す' : 'あとに回す', off, act: () => void togglePark() }}
        keys={[
          { key: ' ', name: audition.isPlaying ? '一時停止' : '再生', off, act: audition.toggle },
          { key: 'q', name: '10秒戻る', off: listen(), act: () => audition.skip(-SKIP_MS) },
          { key: 'w', name: '10秒進む', off: listen(), act: () => audition.skip(SKIP_MS) },
        ]}
        hiddenKeys={SLOTS.map((slot) => ({
          key: String(slot),
          off: listen(slot),
          act: () => audition.play(slot),
        }))}
        hint={
          <>
            <kbd className="desk-key">1</kbd>〜<kbd className="desk-key">6</kbd> で各ファイルを再生
          </>
        }
      />
    </>
  );
}
