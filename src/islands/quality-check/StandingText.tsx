import { formatDate } from '../../lib/format.ts';
import { Icon } from '../ui/Icon.tsx';
import type { ReviewState } from './standing.ts';

/** The text of spec §2, with the date and the reason if the host sends them. */
export function StandingText({ review }: { review: ReviewState }) {
  if (review.state === 'pending') {
    return (
      <p className="flex gap-2 font-semibold">
        <Icon name="clock" className="mt-0.5 size-5 flex-none" />
        <span>
          申請を受け付けました。
          <Day at={review.submittedAt} what="に申請" />
          スタッフが確認していますので、結果をお待ちください。
          {review.submittedAt !== undefined && '結果はメールでもお知らせします。'}
        </span>
      </p>
    );
  }
  return (
    <>
      {review.state === 'rejected' && (
        <>
          <p className="flex gap-2 font-semibold text-danger">
            <Icon name="warning" className="mt-0.5 size-5 flex-none" />
            <span>
              現在、合格していません。もう一度申請できます。
              <Day at={review.decidedAt} what="に確認" />
            </span>
          </p>
          {review.reason !== '' && <p className="form-note whitespace-pre-line">理由：{review.reason}</p>}
        </>
      )}
      <p>
        メディアをアップロードするには、クオリティチェックに合格する必要があります。曲を3つ以上、または効果音を3つ以上お送りください。
      </p>
    </>
  );
}

function Day({ at, what }: { at: string | undefined; what: string }) {
  const day = at === undefined ? '' : formatDate(at);
  return (
    day !== '' && (
      <>
        （<time dateTime={at}>{day}</time>
        {what}）
      </>
    )
  );
}

/** The next steps. */
export function Steps({ review }: { review: ReviewState }) {
  const current = review.state === 'pending' ? 1 : 0;
  return (
    <ol className="quality-check-steps">
      {[
        ['申請', '音声ファイルを3つから6つ、種類を選んで送ります。'],
        ['スタッフの確認', '一つずつ聴いて確認します。結果は、このページでお知らせします。'],
        ['合格', 'このページから、サウンドをアップロードできるようになります。'],
      ].map(([title, text], index) => (
        <li key={title} aria-current={index === current ? 'step' : undefined}>
          <span className="quality-check-number" aria-hidden="true">
            {index < current ? <Icon name="check" className="size-4" /> : index + 1}
          </span>
          <span>
            <strong>{title}</strong>
            {index < current && <span className="sr-only">（済み）</span>}
            <span className="form-hint block">{text}</span>
          </span>
        </li>
      ))}
    </ol>
  );
}
