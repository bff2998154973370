import { DAY_SEC, HOUR_SEC } from '../../../contract/values/time-units.ts';
import { verifyPersonalInfo } from '../../../contract/accounts/profile.ts';
import { applyForQualityCheck as applyForQualityCheckCall } from '../../../contract/accounts/quality-check.ts';
import { accepted, byMember, byNetwork } from '../../platform/http/access.ts';
import { formRoute, withDeps } from '../../platform/http/route.ts';
import { mailing } from '../../platform/http/mail-budget.ts';
import { requireFile } from '../../platform/http/form.ts';
import type { Platform } from '../../platform/http/context.ts';
import type { Route } from '../../platform/http/route.ts';
import type { RateLimit } from '../../platform/limits/rate-limits.ts';
import { describeDevice } from '../accounts/user-agents.ts';
import { requireRecentLogIn } from '../accounts/recent-login.ts';
import { openSecrets } from '../../platform/crypto/secrets.ts';
import type { Feature } from '../feature.ts';
import { withdrawSubmissions } from './withdrawal.ts';
import { SUBMISSIONS_FILE } from './export.ts';
import { REVIEW_CHECKS } from './checks.ts';
import { APPLICATION_ROUTES } from './quality-check/desk.ts';
import { PERSONAL_INFO_ROUTES } from './personal-info/desk.ts';
import { orRefusePicture } from '../pictures/problems.ts';
import { collectLeftovers, requireSubmitter } from './life-cycle.ts';
import { deleteOldSubmissions } from './old-submissions.ts';
import type { ReviewsOptions } from './options.ts';
import { expirePersonalInfo } from './personal-info/expiry.ts';
import { openPersonalInfoKey, warnOfMissingKeys } from './personal-info/key.ts';
import { PERSONAL_INFO } from './personal-info/kind.ts';
import { submitPersonalInfo } from './personal-info/submission.ts';
import { PERSONAL_INFO_UNDO } from './personal-info/undo.ts';
import { recordMissingDetails } from './personal-info/verified-details.ts';
import { analyseFiles } from './quality-check/analysis.ts';
import { applyForQualityCheck } from './quality-check/application.ts';
import { QUALITY_CHECK } from './quality-check/kind.ts';
import { REVIEW_FILES } from './stored-files.ts';

/** Per member: allows for a few blurred photographs. */
const PERSONAL_INFO_SUBMISSIONS: RateLimit = { name: 'personal-info', points: 10, perSec: HOUR_SEC };
/** Per member: allows for rejected files and lost connections. */
const APPLICATIONS: RateLimit = { name: 'quality-check', points: 10, perSec: HOUR_SEC };
/** Each stores up to 600 MB until it is decided, and an account costs its owner only a mailbox. */
const APPLICATIONS_OF_NETWORK: RateLimit = {
  name: 'quality-checks-of-network',
  points: 10,
  perSec: DAY_SEC,
};

const IMAGE = 'personal_id_image';

const ROUTES: readonly Route<Platform & ReviewsOptions>[] = [
  formRoute(
    verifyPersonalInfo,
    // To the member, to the staff, and that it was undone.
    { caller: 'member', owner: 'own', limits: [byMember(PERSONAL_INFO_SUBMISSIONS)], mails: mailing(3) },
    {
      admit: async (deps, caller) => {
        await requireSubmitter(deps, PERSONAL_INFO, caller.id);
        requireRecentLogIn(caller, deps.clock.now());
      },
      areFilesSealed: true,
    },
    async ({ caller, form, context }, deps) => {
      const device = describeDevice(context.req.header('user-agent'));
      await orRefusePicture(IMAGE, submitPersonalInfo(deps, caller, requireFile(form, IMAGE), device));
      return { detail: '本人確認書類を受け付けました。', personal_info_status: 'pending' };
    },
  ),

  formRoute(
    applyForQualityCheckCall,
    // To the member and to the staff.
    {
      caller: 'member not blocked',
      owner: 'own',
      limits: [byMember(APPLICATIONS), accepted(byNetwork(APPLICATIONS_OF_NETWORK))],
      mails: mailing(2),
    },
    { admit: (deps, { id }) => requireSubmitter(deps, QUALITY_CHECK, id) },
    async ({ caller, form }, deps) => {
      const applicationId = await applyForQualityCheck(deps, caller.id, form);
      deps.backgroundJobs.start((ending) => analyseFiles(deps, applicationId, ending));
      return { detail: 'クオリティチェックの申請を受け付けました。', status: 'pending' };
    },
  ),
];

/** Submissions that staff review: IDs and applications for the quality check. */
export const reviewsFeature: Feature<ReviewsOptions> = {
  name: 'reviews',
  checks: REVIEW_CHECKS,
  files: REVIEW_FILES,
  desk: [...APPLICATION_ROUTES, ...PERSONAL_INFO_ROUTES],
  queues: [
    { name: 'quality-checks', table: 'quality_checks', states: ['pending'], since: 'submitted_at' },
    { name: 'personal-info', table: 'personal_info_submissions', states: ['pending'], since: 'submitted_at' },
  ],
  erasure: { submissions: withdrawSubmissions },
  exports: [SUBMISSIONS_FILE],
  undo: [PERSONAL_INFO_UNDO],
  openOptions: ({ settings, log }) => ({
    operatorEmail: settings.operatorEmail,
    sessionSecrets: openSecrets(settings, 'sessions'),
    retainIdentityDays: settings.retainIdentityDays,
    personalInfoKey: openPersonalInfoKey(settings, log),
    personalInfoKeyFile: settings.personalInfoPublicKey === null ? settings.personalInfoKeyFile : null,
  }),
  apiTexts: () => import('./api-texts.ts'),
  createModule: (options) => ({
    routes: withDeps((platform) => ({ ...platform, ...options }), ROUTES),
    scheduledJobs: (platform) => [
      { name: 'images of undecided IDs', run: () => expirePersonalInfo(platform) },
      { name: 'images of decided IDs', run: () => collectLeftovers(platform, PERSONAL_INFO) },
      {
        name: 'details of verified members',
        run: () => recordMissingDetails(platform.database, options.sessionSecrets),
      },
      { name: 'files of decided quality checks', run: () => collectLeftovers(platform, QUALITY_CHECK) },
      {
        name: 'records of decided IDs',
        run: () => deleteOldSubmissions(platform, PERSONAL_INFO, options.retainIdentityDays),
      },
      {
        name: 'records of decided quality checks',
        run: () => deleteOldSubmissions(platform, QUALITY_CHECK, options.retainIdentityDays),
      },
    ],
    start(platform) {
      const { personalInfoKeyFile: file } = options;
      if (file !== null) platform.backgroundJobs.start(() => warnOfMissingKeys(platform, file));
      return () => undefined;
    },
  }),
};
