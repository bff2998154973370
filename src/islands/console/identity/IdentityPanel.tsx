import { useEffect, useState } from 'react';
import { toLabels } from '../../../../contract/accounts/profile-fields.ts';
import type { ReviewedPersonalInfo } from '../../../../contract/operator/personal-info.ts';
import { onPage } from '../../../browser/page-cache.ts';
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
import { DeskControls } from '../desk/DeskControls.tsx';
import { DeskFrame } from '../desk/DeskFrame.tsx';
import { IdentityPhotograph } from './IdentityPhotograph.tsx';
import { KeyFile } from './KeyFile.tsx';
import { whyOff } from '../desk/outcomes.ts';
import { IDENTITY_REASONS } from '../reasons.ts';
import { UnreadEntry } from '../desk/UnreadEntry.tsx';
import { useStore } from '../../ui/use-store.ts';

const OUTCOMES = { approve: '承認', reject: '却下' };
const ZOOMS = [1, 1.5, 2, 3, 4];

/** Checks of IDs: the photograph beside what the member entered. Photographs are opened in this browser only. */
export function IdentityPanel() {
  useEffect(() => {
    const end = onPage('hide', forgetKeys);
    return () => {
      end();
      forgetKeys();
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
  useEffect(() => {
    void openPhotograph(id, keys);
    return closePhotograph;
  }, [id, keys]);

  const isOpen = photograph.state === 'open' && photograph.id === id;
  const failure = useStore(identityDesk.$failure);
  const off = whyOff(identity, failure);
  const look = isOpen ? '' : '写真を開いてから押してください。';
  const canApprove = identity?.allowed.includes('approve') ?? false;
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
      <DeskControls
        desk={identityDesk}
        outcomes={OUTCOMES}
        reasons={IDENTITY_REASONS}
        off={off}
        approvalOff={off || look || (canApprove ? '' : '未入力の項目があるため、承認できません。')}
        keys={[
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
        ]}
        onAct={touchKeys}
      />
    </>
  );
}

function Details({ identity: { details, missing } }: { identity: ReviewedPersonalInfo }) {
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
