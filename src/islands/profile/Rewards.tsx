import { useState } from 'react';
import type { PendingRelease, Profile } from '../../../contract/accounts/profile.ts';
import { isExtended } from '../../browser/extended-host.ts';
import { formatCount, formatDate, formatYen } from '../../lib/format.ts';
import { createPayout } from '../../stores/rewards/rewards.ts';
import { OwnDownloadsNote } from '../statement/OwnDownloadsNote.tsx';
import { Icon } from '../ui/Icon.tsx';
import { MonthPicker } from './MonthPicker.tsx';
import { PayoutDialog } from './PayoutDialog.tsx';
import { RewardFigure, showCount, showYen } from './RewardFigure.tsx';
import { TransferHistory, TransferLine } from './TransferHistory.tsx';

/** Earnings, the amount waiting for payout, and the figures by month (spec §2). */
export function RewardBlock({ profile }: { profile: Profile | undefined }) {
  return (
    <section className="profile-panel" aria-labelledby="rewards-title" aria-busy={!profile || undefined}>
      <h2 id="rewards-title" className="text-lg">
        報酬
      </h2>
      <dl className="reward-figures">
        <RewardFigure
          label="報酬残高（先月まで）"
          value={profile && showYen(profile.reward_balance)}
          isMain={true}
        />
        <RewardFigure label="総ダウンロード数" value={profile && showCount(profile.total_download_balance)} />
        {profile?.pending_reward !== undefined && (
          <>
            <RewardFigure label="確認中の報酬" value={showYen(profile.pending_reward)} />
            {!!profile.pending_release?.until_last_month && (
              <RewardFigure
                label="うち先月までの分"
                value={showYen(profile.pending_release.until_last_month)}
              />
            )}
          </>
        )}
      </dl>
      {profile?.pending_reward !== undefined && !!profile.pending_days && (
        <p className="form-hint">
          ダウンロードから{formatCount(profile.pending_days)}
          日後に、確認が済んで報酬残高へ加わります。今月の分は、早くても来月です。
          {profile.pending_release && <Release {...profile.pending_release} />}
        </p>
      )}
      <Payout profile={profile} />
      <MonthPicker profile={profile} />
      {profile && isExtended() && (
        <>
          <OwnDownloadsNote />
          <a className="button" href="/profile/statistics">
            サウンドの統計を見る
          </a>
        </>
      )}
    </section>
  );
}

/** When the pending amount is added to the balance. */
function Release({ next_on, next_amount, last_on }: PendingRelease) {
  const next = formatDate(next_on);
  if (next_on === last_on) return <>{next}にすべて加わります。</>;
  return (
    <>
      次は{next}に<span className="tabular">{formatYen(next_amount)}</span>、{formatDate(last_on)}
      までにすべて加わります。
    </>
  );
}

/** The button that opens the dialog; while a request is open, its state and the next step. */
function Payout({ profile }: { profile: Profile | undefined }) {
  const [payout] = useState(createPayout);
  const request = profile?.transfer_request;
  const canAsk = profile !== undefined && request === undefined;
  return (
    <>
      {request && <OpenRequest {...request} />}
      {canAsk && profile.last_transfer?.state === 'refused' && (
        <div className="form-note grid gap-1">
          <p className="font-semibold">前回の送金依頼について</p>
          <TransferLine {...profile.last_transfer} />
        </div>
      )}
      <button
        type="button"
        className="button reward-payout"
        aria-haspopup="dialog"
        aria-describedby={request && 'payout-reason'}
        // Not disabled: the dialog returns focus to it after a request was accepted.
        aria-disabled={!canAsk || undefined}
        onClick={canAsk ? payout.open : undefined}
      >
        送金を依頼する
      </button>
      {request && (
        <p id="payout-reason" className="form-hint">
          送金が済むまで、次の依頼はできません。
        </p>
      )}
      {profile && isExtended() && <TransferHistory />}
      {profile && <PayoutDialog payout={payout} profile={profile} />}
    </>
  );
}

function OpenRequest({ amount, requested_at }: NonNullable<Profile['transfer_request']>) {
  const since = formatDate(requested_at);
  return (
    <div className="form-note flex gap-2">
      <Icon name="clock" className="mt-0.5 size-5 flex-none" />
      <div>
        <p className="font-semibold">送金依頼を受け付けています</p>
        <p>
          <strong className="tabular">{formatYen(amount)}</strong>
          {since && `（${since}に依頼）`}
        </p>
        <p>運営者が確認し、ご登録の口座に振り込みます。結果はメールでお知らせします。</p>
      </div>
    </div>
  );
}
