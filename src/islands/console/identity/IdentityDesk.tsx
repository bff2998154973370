import { useEffect, useState } from 'react';
import { toLabels } from '../../../../contract/profile-fields.ts';
import type { ReviewedIdentity } from '../../../../contract/operator/personal-info.ts';
import { followPasswordPrompt } from '../../../stores/account/account.ts';
import {
  $openingKeys,
  $photograph,
  closePhotograph,
  forgetKeys,
  identityDesk,
  openPhotograph,
  touchKeys,
} from './identity.ts';
import { DecidedNotice } from '../desk/DecidedNotice.tsx';
import { DecisionHistory } from '../desk/DecisionHistory.tsx';
import { DeskFrame } from '../desk/DeskFrame.tsx';
import { type DeskKey, DeskKeys } from '../desk/DeskKeys.tsx';
import { IdentityPhotograph } from './IdentityPhotograph.tsx';
import { KeyFile } from './KeyFile.tsx';
import { WHY_OFF, whyOff } from '../desk/outcomes.ts';
import { IDENTITY_REASONS } from '../reasons.ts';
import { RejectPanel } from '../desk/RejectPanel.tsx';
import { UnreadEntry } from '../desk/UnreadEntry.tsx';
import { useDeskKeys } from '../desk/use-desk-keys.ts';
import { useStore } from '../../ui/use-store.ts';

const OUTCOMES = { approve: '承認', reject: '却下' };
const ZOOMS = [1, 1.5, 2, 3, 4];

/** Checks of IDs: the photograph beside what the member entered. Photographs are opened in this browser only. */
export function IdentityDesk() {
  useEffect(followPasswordPrompt, []);
  useEffect(() => {
    const leave = () => forgetKeys();
    addEventListener('pagehide', leave);
    return () => {
      removeEventListener('pagehide', leave);
      leave();
    };
  }, []);
  return (
    <>
      <KeyFile />
      <DeskFrame desk={identityDesk} outcomes={OUTCOMES}>
        {({ id }) => <Workplace key={id} id={id} />}
      </DeskFrame>
    </>
  );
}

function Workplace({ id }: { id: string }) {
  const identity = useStore(identityDesk.$current);
  const photograph = useStore($photograph);
  const keys = useStore($openingKeys);
  const [zoom, setZoom] = useState(0);
  const [turns, setTurns] = useState(0);
  const [isRejecting, setRejecting] = useState(false);
  useEffect(() => {
    void openPhotograph(id, keys);
    return closePhotograph;
  }, [id, keys]);

  const isOpen = photograph.state === 'open' && photograph.id === id;
  const first = useStore(identityDesk.$reason);
  const isAlone = useStore(identityDesk.$desk).queue.length < 2;
  const failure = useStore(identityDesk.$failure);
  const off = whyOff(identity, failure);
  const look = isOpen ? '' : '写真を開いてから押してください。';
  const actions: readonly DeskKey[] = [
    {
      key: 'e',
      name: OUTCOMES.approve,
      off:
        off ||
        look ||
        (identity?.allowed.includes('approve') ? '' : '未入力の項目があるため、承認できません。'),
      isMain: true,
      act: () => identityDesk.decide('approve'),
    },
    { key: 'r', name: `${OUTCOMES.reject}…`, off, act: () => setRejecting(true) },
    { key: 'd', name: '次へ', off: isAlone ? WHY_OFF.alone : '', act: () => identityDesk.move(1) },
    { key: 'a', name: '前へ', off: isAlone ? WHY_OFF.alone : '', act: () => identityDesk.move(-1) },
    {
      key: 'w',
      name: '拡大',
      off: look || (zoom === ZOOMS.length - 1 ? 'これより大きくできません。' : ''),
      act: () => setZoom(zoom + 1),
    },
    {
      key: 'q',
      name: '縮小',
      off: look || (zoom === 0 ? 'これより小さくできません。' : ''),
      act: () => setZoom(zoom - 1),
    },
    { key: 's', name: '回転', off: look, act: () => setTurns((turns + 1) % 4) },
  ].map((action) => ({
    ...action,
    act: () => {
      touchKeys();
      action.act();
    },
  }));
  const isPanelOpen = isRejecting && off !== WHY_OFF.decided;
  const answer = useDeskKeys(isPanelOpen ? null : [...actions, { key: 'z', act: identityDesk.undo }]);

  return (
    <>
      <div className="desk-compare">
        <IdentityPhotograph id={id} zoom={ZOOMS[zoom] ?? 1} turns={turns} />
        {identity === undefined ? (
          <UnreadEntry failure={failure} onRetry={identityDesk.read} />
        ) : (
          <div className="grid content-start gap-4">
            <DecidedNotice entry={identity} outcomes={OUTCOMES} />
            <Details identity={identity} />
            <DecisionHistory history={identity.history} outcomes={OUTCOMES} />
          </div>
        )}
      </div>
      {isPanelOpen ? (
        <RejectPanel
          outcome={OUTCOMES.reject}
          reasons={IDENTITY_REASONS}
          first={first}
          onSend={(reason) => {
            if (identityDesk.decide('reject', reason)) setRejecting(false);
          }}
          onClose={() => {
            setRejecting(false);
            document.getElementById('applicant')?.focus();
          }}
        />
      ) : (
        <DeskKeys keys={actions} answer={answer} />
      )}
    </>
  );
}

function Details({ identity: { details, missing } }: { identity: ReviewedIdentity }) {
  const account = [details.bank_name, details.branch_name, details.deposit_type, details.account_number];
  const facts = [
    ['氏名', details.name],
    ['ふりがな', details.furigana],
    ['振込先', account.filter((part) => part !== '').join(' ')],
  ] as const;
  return (
    <section aria-labelledby="details-title">
      <h3 id="details-title" className="form-label">
        登録内容
      </h3>
      <dl className="desk-details">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value || '（未入力）'}</dd>
          </div>
        ))}
      </dl>
      {missing.length > 0 && (
        <p className="text-sm text-danger">未入力の項目があるため、承認できません：{toLabels(missing)}</p>
      )}
    </section>
  );
}
