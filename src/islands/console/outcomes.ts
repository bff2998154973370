/** What a decision is called in one queue. */
export interface Outcomes {
  readonly approve: string;
  readonly reject: string;
}

/** Why keys of a desk have no effect. */
export const WHY_OFF = {
  loading: '読み込んでいます。表示されてから、もう一度押してください。',
  decided: 'この申請は、もう決まっています。',
  alone: '待っている申請は、ほかにありません。',
} as const;
