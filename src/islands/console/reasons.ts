/** A reason that the staff may edit before it is sent. Members read it. */
export interface CommonReason {
  readonly name: string;
  readonly text: string;
}

/** For the rejection of an application. */
export const SOUND_REASONS: readonly CommonReason[] = [
  {
    name: '音割れ',
    text: '音が大きすぎて割れています。音量を下げて、もう一度書き出してください。',
  },
  {
    name: '無音',
    text: '音の入っていないファイル、または長い無音があります。前後の無音を切って、書き出し直してください。',
  },
  {
    name: '途中で終わる',
    text: '音が途中で切れています。余韻まで含めて、最後まで書き出してください。',
  },
  {
    name: '雑音',
    text: '雑音が目立ちます。録音の環境やノイズの処理を見直してください。',
  },
  {
    name: '同じ音声',
    text: 'ほかの方の作品と同じ音声が含まれています。ご自身が権利を持つ音声を提出してください。',
  },
  {
    name: '音量',
    text: '音量が小さすぎます。ほかの曲と並べて聞こえる大きさで、書き出し直してください。',
  },
];

export const IDENTITY_REASONS: readonly CommonReason[] = [
  {
    name: '読めない',
    text: '写真がぼやけていて、文字を読み取れません。明るい場所で、ピントを合わせて撮り直してください。',
  },
  {
    name: '一部が切れている',
    text: '書類の一部が写っていません。四隅が入るように撮り直してください。',
  },
  {
    name: '氏名が違う',
    text: '登録された氏名と書類の氏名が一致しません。プロフィールの氏名を確かめてから、もう一度提出してください。',
  },
  {
    name: '期限切れ',
    text: '書類の有効期限が切れています。有効期限内の書類を提出してください。',
  },
  {
    name: '対象外の書類',
    text: '本人確認に使えない書類です。運転免許証など、顔写真のある公的な書類を提出してください。',
  },
  {
    name: '開けない',
    text: '画像を開けませんでした。お手数ですが、もう一度提出してください。',
  },
];
