/** What a decision is called in one queue. */
export interface Outcomes {
  readonly approve: string;
  readonly reject: string;
}

/** Why keys of a desk have no effect. */
export const WHY_OFF = {
  loading: '読み込んでいます。表示されてから、もう一度押してください。',
  failed: '読み込めませんでした。「もう一度読み込む」を押してください。',
  decided: 'この申請は、もう決まっています。',
  alone: '待っている申請は、ほかにありません。',
} as const;

/** Why the decisions about an entry have no effect; '' if they have one. */
export function whyOff(entry: { readonly state: string } | undefined, failure: unknown): string {
  if (entry !== undefined) return entry.state === 'pending' ? '' : WHY_OFF.decided;
  return failure === undefined ? WHY_OFF.loading : WHY_OFF.failed;
}
