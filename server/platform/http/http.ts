export {
  READS,
  accepted,
  byAddress,
  byMember,
  byVisitorAddress,
  declare,
  enforceAccess,
  inService,
  requireDeclarations,
  silently,
} from './access.ts';
export type { Access, AccessDeps, Identify } from './access.ts';
export { toAddressGroup, toNetworkGroup, toProviderGroup } from './address-limits.ts';
export type { Api, ApiEnv, Caller, Platform } from './context.ts';
export { listCookieValues } from './cookies.ts';
export { answerFailure, answerUnknown } from './failures.ts';
export { toFileName } from './form-file-names.ts';
export { tooLarge } from './form-limits.ts';
export { serveForm } from './form-serve.ts';
export type { FormCall, FormRules } from './form-serve.ts';
export { requireFile } from './form.ts';
export type { Form, FormFile } from './form.ts';
export { boundedQuery, isSafeMethod, requestId, sameOriginOnly } from './guards.ts';
export { listScheduledJobs } from './module.ts';
export type { Module } from './module.ts';
export { Problem, notFound, parseInput } from './problem.ts';
export { admitReads } from './read-admission.ts';
export { hideSecrets } from './secrets-in-urls.ts';
export { NOT_STORED, requireMember, serve } from './serve.ts';
export { xsrfToken } from './xsrf.ts';
