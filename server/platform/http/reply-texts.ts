/** Error texts that several entries of the site send. This module imports nothing: the edge entry uses it. */

export const FAULT_TEXT = 'サーバーでエラーが発生しました。時間をおいてもう一度お試しください。';
export const NOT_FOUND_TEXT = '見つかりませんでした。';
export const BAD_REQUEST_TEXT = 'リクエストの形式が正しくありません。';
export const READ_ONLY_TEXT = 'GET か HEAD で取得してください。';
