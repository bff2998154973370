/** What a decision is called in one queue. */
export interface Outcomes {
  readonly approve: string;
  readonly reject: string;
}
