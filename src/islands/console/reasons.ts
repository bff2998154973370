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
