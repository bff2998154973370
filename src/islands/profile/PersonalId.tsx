import { useState } from 'react';
import type { Profile } from '../../../contract/accounts/profile.ts';
import { toLabels } from '../../../contract/accounts/profile-fields.ts';
import { formatDate } from '../../lib/format.ts';
import { canSendId, listMissingForId, personalId } from '../../stores/profile/profile.ts';
import { Icon } from '../ui/Icon.tsx';
import { PictureDialog } from './PictureDialog.tsx';
import { describeId } from './personal-id-states.ts';

const SIGNS = { plain: 'person', waiting: 'clock', good: 'check', bad: 'warning' } as const;

/** The state of the identity check, and the form that sends an ID (spec §4, §5). */
export function PersonalId({ profile }: { profile: Profile }) {
  const [isOpen, setOpen] = useState(false);
  const state = describeId(profile);
  const missing = listMissingForId(profile);
  const since = profile.personal_info_submitted_at && formatDate(profile.personal_info_submitted_at);
  return (
    <div className="grid gap-3">
      <p className={`id-state id-state-${state.tone}`}>
        <Icon name={SIGNS[state.tone]} className="mt-0.5 size-5 flex-none" />
        <span>
          {state.long}
          {state.tone === 'waiting' && <>{since && <>（{since}に提出）</>} 結果はメールでお知らせします。</>}
        </span>
      </p>
      {state.tone === 'bad' && profile.personal_info_reason && (
        <p className="form-note">理由：{profile.personal_info_reason}</p>
      )}
      {state.canSend && (
        <>
          {missing.length > 0 && <p className="form-hint">先に入力が必要な項目：{toLabels(missing)}</p>}
          <IdDrawing />
          <button
            type="button"
            className="button justify-self-start"
            aria-haspopup="dialog"
            onClick={() => canSendId() && setOpen(true)}
          >
            <Icon name="camera" className="size-5" />
            本人確認書類を提出
          </button>
          <PictureDialog
            isOpen={isOpen}
            onClose={() => setOpen(false)}
            upload={personalId}
            title="本人確認書類の提出"
            sendLabel="提出する"
            shape="whole"
          >
            <p>
              運転免許証、保険証、マイナンバーカードのいずれかの<strong>表面だけ</strong>
              を、四隅が入るように撮影してください。
            </p>
            <p className="form-hint">
              マイナンバーカードの裏面（番号の面）は送らないでください。画像は暗号化して保存し、確認が終わりしだい削除します。
            </p>
          </PictureDialog>
        </>
      )}
    </div>
  );
}

/** Shows what to send: the front of the ID, entirely in the picture. */
function IdDrawing() {
  return (
    <figure className="id-drawing">
      <svg viewBox="0 0 200 112" width="200" height="112" aria-hidden="true">
        <path
          d="M4 22V4h22M196 22V4h-22M4 90v18h22M196 90v18h-22"
          fill="none"
          stroke="currentColor"
          strokeWidth="3"
        />
        <rect x="22" y="16" width="156" height="80" rx="8" className="id-card" />
        <rect x="128" y="30" width="36" height="46" rx="4" className="id-photo" />
        <circle cx="146" cy="47" r="8" className="id-person" />
        <path d="M132 72c2-9 8-12 14-12s12 3 14 12z" className="id-person" />
        <path d="M36 36h76M36 50h60M36 64h76M36 78h44" className="id-lines" />
      </svg>
      <figcaption>表面だけを、四隅が入るように</figcaption>
    </figure>
  );
}
