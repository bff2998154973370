import { Problem } from '../../platform/http/http.ts';

const OBSTACLES = {
  own: [403, '自分のクレジットは承認できません。'],
  'artist-blocked': [409, 'アーティストが利用停止中のため、承認できません。'],
  'not-credited': [409, 'このクレジットは計上されていません。'],
  'paid-out': [409, 'この報酬は送金済み、または送金手続き中のため、取り消せません。'],
} as const;
export type Obstacle = keyof typeof OBSTACLES;

/** A credit that cannot be decided as requested; another decision may be possible. */
export class UnfitCredit extends Problem {
  readonly why: Obstacle;

  constructor(why: Obstacle) {
    const [status, detail] = OBSTACLES[why];
    super(status, detail);
    this.why = why;
  }
}
