import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createAccountsModule } from './features/accounts/module.ts';
import { createApiDocsModule } from './features/api-docs/module.ts';
import { createArtistsModule } from './features/artists/module.ts';
import { createBackupsModule } from './features/backups/module.ts';
import { createCatalogueModule } from './features/catalogue/module.ts';
import { createCertificateSigner } from './features/certificates/signer.ts';
import { createCertificatesModule } from './features/certificates/module.ts';
import { createConsoleModule } from './features/console/module.ts';
import { createDownloadsModule } from './features/downloads/module.ts';
import { createDrillModule } from './features/drill/module.ts';
import { createLedgerModule } from './features/ledger/module.ts';
import { createMailModule } from './features/mail/module.ts';
import { createMessagesModule } from './features/messages/module.ts';
import { createMySoundsModule } from './features/my-sounds/module.ts';
import { createOwnDataModule } from './features/own-data/module.ts';
import { createPicturesModule } from './features/pictures/module.ts';
import { createProfileModule } from './features/profile/module.ts';
import { createReportsModule } from './features/reports/module.ts';
import { createReviewsModule } from './features/reviews/module.ts';
import { createSiteModule } from './features/site/module.ts';
import { createStatisticsModule } from './features/statistics/module.ts';
import { createUsesModule } from './features/uses/module.ts';
import { createNoticesModule } from './features/notices/module.ts';
import { areNoticesShown, findNoticeSeconds } from './features/notices/notices.ts';
import { openPersonalInfoKey } from './features/reviews/personal-info/key.ts';
import type { Signatures } from './media/signatures.ts';
import { openSecret, openSecrets } from './platform/crypto/secrets.ts';
import type { Module } from './platform/http/module.ts';
import type { Log } from './platform/log.ts';
import { readVersion } from './platform/version.ts';
import type { Settings } from './settings.ts';

/** The text that the page of the terms shows on a site without its own (src/texts/default-pages.ts). */
const MEMBER_TERMS = join(import.meta.dirname, '../src/texts/member-terms.md');

/** Dependencies of modules that the platform does not provide, by module. */
export interface ModuleOptions {
  readonly console: Parameters<typeof createConsoleModule>[0];
  readonly backups: Parameters<typeof createBackupsModule>[0];
  readonly downloads: Parameters<typeof createDownloadsModule>[0];
  readonly drill: Parameters<typeof createDrillModule>[0];
  readonly ledger: Parameters<typeof createLedgerModule>[0];
  readonly messages: Parameters<typeof createMessagesModule>[0];
  readonly ownData: Parameters<typeof createOwnDataModule>[0];
  readonly profile: Parameters<typeof createProfileModule>[0];
  readonly reports: Parameters<typeof createReportsModule>[0];
  readonly reviews: Parameters<typeof createReviewsModule>[0];
}

/** The features of the server. ScheduledJobs run in this order: those that protect members first, the longest last. */
export function createModules(options: ModuleOptions): readonly Module[] {
  const modules = [
    createSiteModule(),
    createReviewsModule(options.reviews),
    createAccountsModule(),
    createProfileModule(options.profile),
    createPicturesModule(),
    createArtistsModule(),
    createMailModule(),
    createMessagesModule(options.messages),
    createReportsModule(options.reports),
    createLedgerModule(options.ledger),
    createMySoundsModule(),
    createNoticesModule(),
    createCertificatesModule(),
    createDownloadsModule(options.downloads),
    createStatisticsModule(),
    createUsesModule(),
    createOwnDataModule(options.ownData),
    createCatalogueModule(),
    createBackupsModule(options.backups),
    createDrillModule(options.drill),
    createConsoleModule(options.console),
  ];
  return [...modules, createApiDocsModule(modules)];
}

/** The options of each module from the settings. Opens the key of ID images. */
export function openModuleOptions(
  settings: Settings,
  log: Log,
  {
    signatures,
    detectsOwnDownloads,
  }: {
    readonly signatures: Signatures;
    readonly detectsOwnDownloads: boolean;
  },
): ModuleOptions {
  const { dataDir, operatorEmail, rewardPendingDays, personalInfoKeyFile } = settings;
  const { retainMessagesDays, retainIdentityDays } = settings;
  const personalInfoKey = openPersonalInfoKey(settings, log);
  const { downloadLimits, adProviders, rewardYenPerDownload } = settings;
  const { siteName, database, storage, backups: schedule } = settings;
  return {
    console: { signatures, settings, operatorEmail, rewardPendingDays, adProviders },
    backups: {
      site: { siteName, version: readVersion(), dataDir, database, storage },
      schedule,
      copies: settings.backupCopies,
      operatorEmail,
    },
    downloads: {
      downloadLimits,
      adProviders,
      notices: { findSeconds: findNoticeSeconds, areShown: areNoticesShown },
      rewardYenPerDownload,
      detectsOwnDownloads,
      signer: createCertificateSigner(openSecret(settings, 'certificates')),
      memberTerms: { title: '会員規約', body: readFileSync(MEMBER_TERMS, 'utf8') },
    },
    drill: { site: { dataDir }, schedule, everyDays: settings.backupDrillDays, operatorEmail },
    ledger: { operatorEmail, rewardPendingDays },
    messages: { operatorEmail, retainMessagesDays },
    ownData: { rewardPendingDays },
    profile: { donationHost: settings.donationHost, operatorEmail, rewardPendingDays },
    reports: { operatorEmail, retainMessagesDays },
    reviews: {
      operatorEmail,
      sessionSecrets: openSecrets(settings, 'sessions'),
      retainIdentityDays,
      personalInfoKey,
      personalInfoKeyFile: settings.personalInfoPublicKey === null ? personalInfoKeyFile : null,
    },
  };
}
