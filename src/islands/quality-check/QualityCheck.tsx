import { useEffect, useLayoutEffect, useRef } from 'react';
import type { Profile } from '../../../contract/accounts/profile.ts';
import { guardUnsaved } from '../../browser/unsaved.ts';
import { $hasUnsent, hasRefusal, qualityCheck } from '../../stores/quality-check/quality-check.ts';
import { useSection } from '../profile/use-section.ts';
import { ProblemNote } from '../ui/ProblemNote.tsx';
import { ApplicationDialog } from './ApplicationDialog.tsx';
import { SendProgress } from './SendProgress.tsx';
import { StandingText, Steps } from './StandingText.tsx';
import { toReviewState } from './standing.ts';
import { useStore } from '../ui/use-store.ts';

/** The quality check of an unverified member (spec §2): its state, the next steps, and the application. */
export function QualityCheck({ profile }: { profile: Profile }) {
  const section = useRef<HTMLElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const wasOpen = useRef(false);
  const isOpen = useStore(qualityCheck.$isOpen);
  const application = useStore(qualityCheck.$application);
  const review = toReviewState(profile);
  const isPending = review.state === 'pending';
  const isSending = application.state === 'sending';
  const hasFailed = application.state === 'editing' && hasRefusal(application);

  useEffect(() => {
    // The application was sent in another tab, or its reply was lost: these files can no longer be sent.
    if (isPending && !isSending) qualityCheck.clear();
  }, [isPending, isSending]);
  useEffect(() => {
    // The button that opened the dialog is disabled by now.
    if (wasOpen.current && !isOpen && isPending) heading.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen, isPending]);
  useSection('upload', heading);
  useLayoutEffect(() => {
    const element = section.current;
    // After the check is passed, another section replaces this one; focus moves to their parent.
    return () => {
      if (element?.contains(document.activeElement)) element.parentElement?.focus({ preventScroll: true });
    };
  }, []);
  useEffect(() => qualityCheck.close, []);
  useEffect(() => $hasUnsent.listen(() => undefined), []);
  useEffect(() => guardUnsaved(() => $hasUnsent.get()), []);

  return (
    <section ref={section} className="profile-panel quality-check">
      <h2 ref={heading} tabIndex={-1} className="text-lg outline-none">
        クオリティチェック
      </h2>
      <StandingText review={review} />
      <Steps review={review} />
      {isSending && !isOpen && <SendProgress {...application} />}
      {hasFailed && !isOpen && (
        <ProblemNote problems={['申請を送信できませんでした。選んだファイルは残っています。']} />
      )}
      <button
        type="button"
        className="button button-primary justify-self-start"
        aria-haspopup="dialog"
        disabled={isPending}
        onClick={qualityCheck.open}
      >
        {isSending ? '送信のようすを見る' : hasFailed ? '申請に戻る' : '申請する'}
      </button>
      {!isPending && <ApplicationDialog isOpen={isOpen} userId={profile.id} onClose={qualityCheck.close} />}
    </section>
  );
}
