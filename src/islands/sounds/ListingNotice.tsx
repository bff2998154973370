import type { BrowserState } from '../../stores/search/search.ts';

const RESULTS_ID = 'results';

const DELAYS = {
  searching: {
    slow: '検索に時間がかかっています。下は前の検索結果です。',
    retrying: 'うまく検索できなかったため、もう一度試しています。下は前の検索結果です。',
  },
  'loading-more': {
    slow: '読み込みに時間がかかっています。',
    retrying: 'うまく読み込めなかったため、もう一度試しています。',
  },
};

interface ListingNoticeProps {
  state: BrowserState;
  /** The notice above the cards is about searches, the one below about もっと見る. */
  about: 'searching' | 'loading-more';
}

/** Says that a call takes long, is being retried or has failed, next to the content concerned. */
export function ListingNotice({ state, about }: ListingNoticeProps) {
  const delay = state.state === about ? state.delay : undefined;
  const failure = state.state === 'failed' && state.during === about ? state : undefined;
  return (
    <>
      {/* Always present: a live region announces only changes of its content. */}
      <div role="status">
        {delay && (
          <p className="listing-notice">
            {DELAYS[about][delay.reason]}
            <RetryButton retry={delay.retry} />
          </p>
        )}
      </div>
      {failure && (
        <p role="alert" className="listing-notice text-danger">
          {failure.messages?.join('') ?? '読み込めませんでした。もう一度お試しください。'}
          <RetryButton retry={failure.retry} />
        </p>
      )}
    </>
  );
}

function RetryButton({ retry }: { retry: () => void }) {
  return (
    <button
      type="button"
      className="button"
      onClick={() => {
        // The button is removed with its notice, so focus has to move.
        document.getElementById(RESULTS_ID)?.focus({ preventScroll: true });
        retry();
      }}
    >
      もう一度試す
    </button>
  );
}
