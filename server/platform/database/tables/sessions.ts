import type { Generated } from 'kysely';

/** One log-in, with its chain of refresh tokens. Deleted when it ends. */
export interface SessionsTable {
  id: string;
  user_id: string;
  /** SHA-256 of the current refresh token, in hex. */
  token_hash: string;
  /** The previous one, which a second tab may still send; initially null. */
  previous_hash: string | null;
  /** When the previous one was exchanged. */
  rotated_at: number | null;
  created_at: number;
  /** Extended by each refresh, up to a limit. */
  expires_at: number;
  /** When the password and a code of the second factor were last given; 0: never. Not changed by a refresh. */
  authenticated_at: Generated<number>;
  second_factor_at: Generated<number>;
  /** Where it began: `describeDevice`, and `toNetworkGroup` of the address; '' where it is not known. */
  device: Generated<string>;
  network: Generated<string>;
}

/** Links to choose a new password. */
export interface PasswordResetsTable {
  /** SHA-256 of the token in the mail, in hex. */
  token_hash: string;
  user_id: string;
  expires_at: number;
  used_at: number | null;
  created_at: number;
}

/** Wrong passwords and codes of the last day. All columns except counts and times are keyed hashes. */
interface PasswordFailuresTable {
  /** Of an e-mail address, with or without an account. */
  account: string;
  /** Of a known device, or of a network. */
  source: string;
  /** Of a network; '' for a device. */
  provider: string;
  failures: number;
  /** Time of the first failure; failures are deleted a day later. */
  since: number;
  /** Time of the last failure. */
  failed_at: number;
}

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

/** Log-ins, and what proves or protects them. */
export interface SessionTables {
  sessions: SessionsTable;
  password_resets: PasswordResetsTable;
  password_failures: PasswordFailuresTable;
  second_factors: SecondFactorsTable;
  recovery_codes: RecoveryCodesTable;
}

export const SESSION_TABLES: readonly string[] = [
  `create table sessions (
    id text primary key,
    user_id text not null references users (id) on delete cascade,
    token_hash text not null,
    previous_hash text,
    rotated_at bigint,
    created_at bigint not null,
    expires_at bigint not null,
    authenticated_at bigint not null default 0,
    second_factor_at bigint not null default 0
  )`,
  `create index sessions_user on sessions (user_id)`,
  `create index sessions_expiry on sessions (expires_at)`,
  `create table password_resets (
    token_hash text primary key,
    user_id text not null references users (id) on delete cascade,
    expires_at bigint not null,
    used_at bigint,
    created_at bigint not null
  )`,
  `create index password_resets_user on password_resets (user_id)`,
  `create index password_resets_expiry on password_resets (expires_at)`,
  `create table password_failures (
    account text not null,
    source text not null,
    provider text not null,
    failures integer not null,
    since bigint not null,
    failed_at bigint not null,
    primary key (account, source)
  )`,
  `create index password_failures_since on password_failures (since)`,
  `create table second_factors (
    user_id text primary key references users (id) on delete cascade,
    secret text not null,
    last_step bigint not null,
    created_at bigint not null,
    confirmed_at bigint
  )`,
  `create table recovery_codes (
    user_id text not null references second_factors (user_id) on delete cascade,
    code_hash text not null,
    primary key (user_id, code_hash)
  )`,
];
