/** The causes of errors in the contract, in Japanese. Causes that are the same for all calls are in `responses.ts`. */
export const ERROR_TEXTS: Readonly<Record<string, string>> = {
  'a field is wrong, or the username is taken; the body names it':
    '項目に誤りがあるか、ユーザー名が使われている。項目名は本文に示す',
  'a field is wrong, taken, locked or unknown; the body names it':
    '項目に誤りがある、すでに使われている、変更できない、または存在しない。項目名は本文に示す',
  'a field is wrong; the body names it': '項目に誤りがある。項目名は本文に示す',
  'a query value is out of its bounds; the body names it': '条件の値が正しくない。項目名は本文に示す',
  'a value is wrong; the body names it': '値に誤りがある。項目名は本文に示す',
  'fewer than three files, one that is neither MP3 nor M4A, no type, or a foreign id; the body names it':
    'ファイルが3つより少ない、MP3でもM4Aでもない、種類がない、または他人のid。項目名は本文に示す',
  'less than 3,000 yen, another address, or personal info that is not verified or incomplete':
    '3,000円に満たない、自分のものでないメールアドレス、または本人確認が済んでいないか項目が足りない',
  'no month': '月の形式が正しくない',
  'no report has this secret': 'リンクに当てはまる報告がない',
  'no such month': '月または年の形式が正しくない',
  'no such page': 'ページ番号が正しくない',
  'the balance is not the one that the member gives up': '送った残高が現在の残高と異なる',
  'the file is missing, neither MP3 nor M4A inside, too long, or a duplicate; the body names it':
    'ファイルがない、中身がMP3でもM4Aでもない、長すぎる、または同じものがある。項目名は本文に示す',
  'the file is missing, or no picture that is taken; the body names it':
    'ファイルがないか、受け付けられる画像ではない。項目名は本文に示す',
  'the link is unknown or too old': 'リンクが正しくないか、期限が切れている',
  'the link is unknown, used or too old': 'リンクが正しくない、使用済み、または期限が切れている',
  'the link is unknown, used or too old, or the password will not do':
    'リンクが正しくない、使用済み、または期限が切れている。またはパスワードが条件に合わない',
  'the link is unknown, used, replaced or too old':
    'リンクが正しくない、使用済み、新しいものに替わった、または期限が切れている',
  'the password is wrong': 'パスワードが正しくない',
  'the search is too long': '検索する言葉が長すぎる',
  'the text is empty or too long': '本文が空か、長すぎる',
  'the text is empty or too long, or the artist takes no messages':
    '本文が空か長すぎる、またはアーティストがメッセージを受け付けていない',
  'the two do not belong together, or the address is not confirmed yet':
    'メールアドレスとパスワードが合わないか、メールアドレスの確認が済んでいない',
  'the token is unknown, used up or expired': 'refresh が正しくない、使用済み、または期限が切れている',
  'registration is closed': '会員登録を受け付けていない',
  'the account is being deleted': '退会の手続き中',
  'the body names the fields of a blocked member that others see; or the password has to be given again first (contract/errors.ts)':
    '制限されている会員が公開の項目を変更しようとした。またはパスワードの確認が必要',
  'the member is blocked': 'アカウントが制限されている',
  'the member is blocked, who is paid was changed a short while ago, or the password has to be given again':
    'アカウントが制限されている、振込先などを変更した直後、またはパスワードの確認が必要',
  'the member is not verified, or is blocked':
    'クオリティチェックを通過していないか、アカウントが制限されている',
  'the password has to be given again': 'パスワードの確認が必要',
  'the password has to be given again first': 'パスワードの確認が必要',
  'the sound may not be edited, or the member is blocked':
    'このサウンドは変更できないか、アカウントが制限されている',
  'no certificate has this id': 'このidの利用証明書はない',
  'no terms have this hash': 'このハッシュの利用条件はない',
  'no artist has this username': 'このユーザー名のアーティストはいない',
  'no intent of this visitor has this id, or it is over': '当てはまるダウンロードがないか、終わっている',
  'no page has this slug': 'この名前のページはない',
  'no public sound has this id': 'このidの公開中のサウンドはない',
  'no report of a sound of the caller has this id': '自分のサウンドへの、このidの報告はない',
  'no sound has this id, or it is private and not the caller’s':
    'このidのサウンドはないか、他人の非公開のサウンド',
  'no sound of the caller has this id': '自分のサウンドに、このidのものはない',
  'no upload of the caller has this id, or it has expired':
    '自分のアップロードに、このidのものはないか、期限が切れている',
  'a payout is under way, or it is the last staff account': '送金の手続き中か、最後の運営アカウント',
  'a request is under way already': 'すでに送金の手続き中',
  'it is not waiting for its confirmation, or the same person has reported the sound already':
    '確認を待っている報告ではないか、同じ人がすでに報告している',
  'it was answered or decided before': 'すでに回答したか、判断されている',
  'one is under review or approved already': '審査中か、すでに承認されている',
  'the member has as many sounds, or bytes, as one may have; or the upload is not finished':
    'サウンドの数か容量の上限に達している。またはアップロードが終わっていない',
  'the member has as many sounds, or bytes, as one may have; or the upload is not finished, or in use':
    'サウンドの数か容量の上限に達している。またはアップロードが終わっていないか、使われている',
  'other calls are using the upload': '別の通信で処理している',
  'the notice has not been watched long enough': 'お知らせ広告の視聴時間が足りない',
  'all of them were answered or decided before': 'すべて、すでに回答したか、判断されている',
  'no report is chosen, or the text is empty or too long': '報告を選んでいない。または本文が空か、長すぎる',
  'one of them is no report of a sound of the caller': '自分のサウンドへの報告ではないものがある',
  'verified already, or an application is under review': 'すでに通過しているか、審査中',
  'a file is too large': 'ファイルが大きすぎる',
  'the file is too large': 'ファイルが大きすぎる',
  'the picture is too large': '画像が大きすぎる',
  'the thumbnail is too large': 'サムネイルが大きすぎる',
  'too many passwords are being checked just now': '混み合っている。Retry-After のあとに再試行する',
  'another content type': 'Content-Type が application/offset+octet-stream ではない',
  'another version of the protocol': 'tus の版が 1.0.0 ではない',
  'the offset is not the one that the host has, or other calls are using the upload':
    '続きの位置が合わない。位置を調べてから送り直す。または別の通信で処理している',
  'the host has no room left': 'サーバーの保存容量が足りない',
};
