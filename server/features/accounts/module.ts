import {
  logIn,
  logOut,
  reauthenticate,
  refreshAccess,
  register,
  requestPasswordReset,
  resetPassword,
  verifyEmail,
} from '../../../contract/accounts.ts';
import { byAddress, declare, inService, silently } from '../../platform/http/http.ts';
import type { Module } from '../../platform/http/http.ts';
import { deleteAllExpired } from './expiry.ts';
import * as limits from './limits.ts';
import { serveAccounts } from './routes.ts';

/** Registration, sessions and passwords. */
export function createAccountsModule(): Module {
  return {
    name: 'accounts',
    access: [
      declare(
        register,
        'anyone',
        'nothing',
        byAddress(limits.REGISTRATIONS),
        silently(limits.REGISTRATION_MAILS),
      ),
      declare(verifyEmail, 'anyone', 'secret', byAddress(limits.CONFIRMATIONS)),
      declare(
        logIn,
        'anyone',
        'secret',
        byAddress(limits.LOG_INS),
        inService('e-mail address', limits.UNKNOWN_DEVICE_FAILURES),
        inService('device', limits.KNOWN_DEVICE_FAILURES),
        inService('provider', limits.PROVIDER_FAILURES),
        silently(limits.CONFIRMATION_MAILS),
      ),
      declare(
        refreshAccess,
        'anyone',
        'secret',
        byAddress(limits.REFRESHES),
        inService('session', limits.SESSION_REFRESHES),
      ),
      declare(
        reauthenticate,
        'member',
        'own',
        byAddress(limits.LOG_INS),
        inService('device', limits.KNOWN_DEVICE_FAILURES),
      ),
      declare(logOut, 'anyone', 'secret', byAddress(limits.LOG_OUTS)),
      declare(
        requestPasswordReset,
        'anyone',
        'nothing',
        byAddress(limits.RESET_REQUESTS),
        silently(limits.RESET_MAILS),
      ),
      declare(resetPassword, 'anyone', 'secret', byAddress(limits.RESETS)),
    ],
    serve: serveAccounts,
    scheduledJobs: (platform) => [
      { name: 'expired sessions and links', run: () => deleteAllExpired(platform) },
    ],
  };
}
