import { PersonalInfoAcceptedSchema, verifyPersonalInfo } from '../../../contract/profile.ts';
import { ApplicationAcceptedSchema, applyForQualityCheck } from '../../../contract/quality-check.ts';
import { byMember, declare } from '../../platform/http/http.ts';
import type { Module } from '../../platform/http/http.ts';
import { collectLeftovers } from './life-cycle.ts';
import { deleteOldSubmissions } from './old-submissions.ts';
import type { ReviewsOptions } from './options.ts';
import { expirePersonalInfo } from './personal-info/expiry.ts';
import { warnOfMissingKeys } from './personal-info/key.ts';
import { PERSONAL_INFO } from './personal-info/kind.ts';
import { SUBMISSIONS, servePersonalInfo } from './personal-info/routes.ts';
import { QUALITY_CHECK } from './quality-check/kind.ts';
import { APPLICATIONS, serveQualityCheck } from './quality-check/routes.ts';

/** Submissions that staff review: IDs and applications for the quality check. */
export function createReviewsModule(options: ReviewsOptions): Module {
  return {
    name: 'reviews',
    access: [
      declare(
        { ...verifyPersonalInfo, reply: PersonalInfoAcceptedSchema },
        'member',
        'own',
        byMember(SUBMISSIONS),
      ),
      declare(
        { ...applyForQualityCheck, reply: ApplicationAcceptedSchema },
        'member not blocked',
        'own',
        byMember(APPLICATIONS),
      ),
    ],
    serve(api) {
      servePersonalInfo(api, options);
      serveQualityCheck(api, options);
    },
    scheduledJobs: (platform) => [
      { name: 'images of undecided IDs', run: () => expirePersonalInfo(platform) },
      { name: 'images of decided IDs', run: () => collectLeftovers(platform, PERSONAL_INFO) },
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
  };
}
