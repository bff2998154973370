/** The second factor of a staff account. */
interface SecondFactorsTable {
  user_id: string;
  /** Sealed with a key derived from the host's secret, in base64. */
  secret: string;
  /** The last time step whose code was used; no code is accepted twice. */
  last_step: number;
  created_at: number;
  /** null until the first code was given: it has no effect before. */
  confirmed_at: number | null;
}

/** Codes for a lost device. A used one is deleted. */
interface RecoveryCodesTable {
  user_id: string;
  /** Keyed hash. */
  code_hash: string;
}

export interface SecondFactorSchema {
  second_factors: SecondFactorsTable;
  recovery_codes: RecoveryCodesTable;
}
