import { Problem } from '../../platform/http/problem.ts';

const BLOCKERS = {
  own: [403, '自分のクレジットは承認できません。'],
  'artist-blocked': [409, 'アーティストが利用停止中のため、承認できません。'],
  'not-credited': [409, 'このクレジットは計上されていません。'],
  'paid-out': [409, 'この報酬は送金済み、または送金手続き中のため、取り消せません。'],
} as const;
export type Blocker = keyof typeof BLOCKERS;

/** Why, for the staff. */
export function toBlockerText(blocker: Blocker): string {
  return BLOCKERS[blocker][1];
}

/** A credit that cannot be decided as requested; another decision may be possible. */
export class CreditBlocked extends Problem {
  readonly blocker: Blocker;

  constructor(blocker: Blocker) {
    const [status, detail] = BLOCKERS[blocker];
    super(status, detail);
    this.blocker = blocker;
  }
}
