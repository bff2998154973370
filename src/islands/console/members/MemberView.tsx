import { useState } from 'react';
import { DAY_MS } from '../../../../contract/values/time-units.ts';
import type { MemberDecision, ReviewedMember } from '../../../../contract/operator/members.ts';
import { DELETION_GRACE_DAYS } from '../../../../contract/accounts/own-data.ts';
import { formatCount, formatYen } from '../../../lib/format.ts';
import { artistPath } from '../../../lib/paths.ts';
import {
  $member,
  $isDeciding,
  MEMBER_DECISION_TEXTS,
  REASONED,
  confirmDecision,
  decideOn,
} from './members.ts';
import { ActionLines } from '../actions/ActionLines.tsx';
import { MemberMails } from './MemberMails.tsx';
import { MemberPayouts } from './MemberPayouts.tsx';
import { MemberTags } from './MemberTags.tsx';
import { toSoundSearchUrl } from '../sounds/sounds.ts';
import { DecisionDialog } from '../DecisionDialog.tsx';
import { Decisions, useFocusAfterDecision } from '../Decisions.tsx';
import { Fact } from '../Fact.tsx';
import { formatSince, formatTime } from '../times.ts';
import { useStore } from '../../ui/use-store.ts';

const QUALITY_CHECKS = { none: '未合格', pending: '審査中', passed: '合格' } as const;
const PERSONAL_INFOS = {
  none: '未提出',
  pending: '審査中',
  confirmed: '確認済み',
  rejected: '却下',
} as const;

/** A member with everything that a decision needs, and the decisions that the server allows. */
export function MemberView({ member }: { member: ReviewedMember }) {
  const { state, suspension_reason, deletion_requested_at, reward } = member;
  const isHidden = state === 'suspended' || state === 'deleting';
  return (
    <article className="grid grid-cols-1 gap-6" aria-labelledby="member-name">
      <header className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <h2 id="member-name" tabIndex={-1} className="text-2xl wrap-anywhere outline-none">
          <bdi>{member.username}</bdi>
        </h2>
        <MemberTags member={member} />
      </header>
      <dl className="panel member-facts">
        {suspension_reason !== null && <Fact name="停止の理由">{suspension_reason}</Fact>}
        {deletion_requested_at !== null && (
          <Fact name="削除の手続き">
            {formatTime(deletion_requested_at)}に依頼 ・{' '}
            {formatTime(deletion_requested_at + DELETION_GRACE_DAYS * DAY_MS)}以降に削除
          </Fact>
        )}
        <Fact name="メールアドレス">
          <bdi>{member.email}</bdi>
        </Fact>
        <Fact name="氏名">{member.name === '' ? '未入力' : <bdi>{member.name}</bdi>}</Fact>
        <Fact name="ふりがな">{member.furigana === '' ? '未入力' : <bdi>{member.furigana}</bdi>}</Fact>
        <Fact name="クオリティチェック">{QUALITY_CHECKS[member.quality_check]}</Fact>
        <Fact name="本人確認">{PERSONAL_INFOS[member.personal_info]}</Fact>
        <Fact name="サウンド">
          <a className="link" href={toSoundSearchUrl({ artist: member.username })}>
            {formatCount(member.sounds)}件
          </a>
          {member.quality_check === 'passed' && !isHidden && (
            <a className="link ml-4" href={artistPath(member.username)}>
              公開ページ
            </a>
          )}
        </Fact>
        <Fact name="送金できる報酬">{formatYen(reward.payable)}</Fact>
        <Fact name="確定前の報酬">{formatYen(reward.pending)}</Fact>
        <Fact name="登録">{formatTime(member.created_at)}</Fact>
        <Fact name="ID">
          <span className="console-id">{member.id}</span>
        </Fact>
      </dl>
      <MemberDecisions member={member} />
      <Sessions member={member} />
      <MemberPayouts payouts={member.payouts} />
      <MemberMails mails={member.mails} />
      <ActionLines actions={member.actions} />
    </article>
  );
}

function MemberDecisions({ member }: { member: ReviewedMember }) {
  const isDeciding = useStore($isDeciding);
  const isReading = useStore($member).loading;
  const [reasoned, setReasoned] = useState<MemberDecision | null>(null);
  const focus = useFocusAfterDecision('member-name');
  const texts = reasoned && MEMBER_DECISION_TEXTS[reasoned];
  const start = async (decision: MemberDecision) => {
    if (REASONED.includes(decision)) setReasoned(decision);
    else if (await confirmDecision(member, decision)) focus();
  };
  if (member.allowed.length === 0) {
    return <p className="form-note">{toReason(member)}</p>;
  }
  return (
    <Decisions
      id="member-decisions"
      allowed={member.allowed}
      texts={MEMBER_DECISION_TEXTS}
      isOff={isDeciding || isReading}
      onChoose={(decision) => void start(decision)}
    >
      <DecisionDialog
        key={reasoned}
        title={`${member.username} さん：${texts?.action ?? ''}`}
        effect={texts?.effect}
        verb={texts?.action ?? ''}
        isOpen={reasoned !== null}
        onClose={() => setReasoned(null)}
        onSend={async (reason) => {
          if (reasoned === null || !(await decideOn(member.id, reasoned, reason))) return;
          setReasoned(null);
          focus();
        }}
      />
    </Decisions>
  );
}

function toReason({ state }: ReviewedMember): string {
  return state === 'deleting'
    ? '削除の手続き中のため、操作できません。'
    : 'ご自身のアカウントは操作できません。';
}

function Sessions({ member: { sessions } }: { member: ReviewedMember }) {
  return (
    <section aria-labelledby="member-sessions">
      <h3 id="member-sessions" className="text-lg">
        ログイン
      </h3>
      {sessions.length === 0 ? (
        <p className="text-muted">ログイン中の端末はありません。</p>
      ) : (
        <ul className="member-lines">
          {sessions.map(({ started_at, used_at, authenticated_at, device, network }) => (
            <li key={`${started_at} ${used_at}`}>
              <span>
                最後の利用 {formatSince(used_at)}
                {device !== '' && ` ・ ${device}`}
              </span>
              <span className="tabular text-sm text-muted">
                {formatTime(started_at)}にログイン
                {network !== '' && ` ・ ${network}`}
                {authenticated_at > started_at && ` ・ ${formatTime(authenticated_at)}にパスワードを入力`}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
