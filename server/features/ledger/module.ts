import { withDeps } from '../../platform/http/http.ts';
import type { Module } from '../../platform/http/http.ts';
import type { LedgerOptions } from './options.ts';
import { LEDGER_ROUTES } from './routes.ts';

/** Rewards of artists, transfer requests and statements. */
export function createLedgerModule(options: LedgerOptions): Module {
  return {
    name: 'ledger',
    routes: withDeps((platform) => ({ ...platform, ...options }), LEDGER_ROUTES),
  };
}
