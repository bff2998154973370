export {
  NOT_STORED,
  GENERAL,
  READS,
  accepted,
  byAddress,
  byMember,
  byNetwork,
  byVisitorAddress,
  inService,
  silently,
} from './access.ts';
export type { Access, AccessDeps, Identify, Rule } from './access.ts';
export { createAddressBudgets } from './address-budgets.ts';
export {
  NETWORK_MULTIPLE,
  PROVIDER_MULTIPLE,
  acquireByAddress,
  takeByAddress,
  toAddressGroup,
  toNetworkGroup,
  toProviderGroup,
} from './address-limits.ts';
export { createAdmissions, unlimitedAdmissions } from './admissions.ts';
export type { Admissions } from './admissions.ts';
export type { ApiEnv, Caller, Platform } from './context.ts';
export { listCookieValues } from './cookies.ts';
export { answerFailure, answerUnknown, toFailureReply } from './failures.ts';
export { toFileName } from './form-file-names.ts';
export { tooLarge } from './form-limits.ts';
export { requireFile } from './form.ts';
export type { Form, FormFile } from './form.ts';
export { boundedQuery, isSafeMethod, requestId, sameOriginOnly } from './guards.ts';
export { mailing, mailingStranger, mayMail, takeMails } from './mail-budget.ts';
export { listScheduledJobs } from './module.ts';
export type { Module } from './module.ts';
export { Problem, notFound, parseInput } from './problem.ts';
export { admitReads } from './read-admission.ts';
export { hideSecrets } from './secrets-in-urls.ts';
export { callInProcess, formRoute, rawRoute, route, serveRoutes, withDeps } from './route.ts';
export type { Route } from './route.ts';
export { xsrfToken } from './xsrf.ts';
