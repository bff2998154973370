interface Failure {
  /** HTTP status; 0 without a reply. */
  readonly status: number;
  readonly retryAfterSec?: number | undefined;
  /** Whether the browser gave up waiting. */
  readonly isTimeout?: boolean;
  /** Whether the server failed, or answered with something else than what was asked for. */
  readonly isBroken?: boolean;
}

/** What went wrong, and what to do. The visitor's connection is mentioned only when no reply came. */
export function toFailureText({ status, retryAfterSec, isTimeout, isBroken }: Failure): string {
  if (isTimeout || status === 408 || status === 504)
    return 'サーバーの応答に時間がかかっています。時間をおいて、もう一度お試しください。';
  if (status === 0) {
    return navigator.onLine === false
      ? 'インターネットに接続していません。接続を確かめて、もう一度お試しください。'
      : 'サーバーに接続できませんでした。通信の状態を確かめて、もう一度お試しください。';
  }
  const wait = toWait(retryAfterSec);
  if (status === 429) return `操作の回数が多すぎます。${wait}もう一度お試しください。`;
  if (isBroken) return `サーバーで問題が起きています。${wait}もう一度お試しください。`;
  return 'うまくいきませんでした。時間をおいて、もう一度お試しください。';
}

function toWait(seconds: number | undefined): string {
  if (seconds === undefined) return '時間をおいて、';
  return seconds < 60 ? `${Math.ceil(seconds)}秒後に` : `${Math.ceil(seconds / 60)}分後に`;
}
