import type { Signatures } from '../media/signatures.ts';
import type { Platform } from '../platform/http/context.ts';
import type { Module } from '../platform/http/module.ts';
import type { Route } from '../platform/http/route.ts';
import type { Log } from '../platform/log.ts';
import type { Settings } from '../settings.ts';
import type { ApiTexts } from './api-docs/call-text.ts';
import type { MemberErasure } from './member-erasure.ts';
import type { MemberFile } from './member-export.ts';
import type { WaitingQueue } from './waiting-queues.ts';
import type { Undoable } from './undo/undoable.ts';
import type { Check } from './doctor/check.ts';
import type { FileOwner } from './stored-files/owners.ts';

/** What the options of modules are opened from. */
export interface FeatureHost {
  readonly settings: Settings;
  readonly log: Log;
  readonly signatures: Signatures;
  /** See `DownloadsOptions`. */
  readonly detectsOwnDownloads: boolean;
}

/** What routes of the staff's console may use. */
export type DeskDeps = Platform &
  Pick<Settings, 'operatorEmail' | 'rewardPendingDays' | 'adProviders' | 'zengin'> & {
    /** For the addresses of files under review. */
    readonly signatures: Signatures;
  };

/** What a module that loops over all features gets. */
export interface EveryFeature {
  readonly features: readonly Feature<unknown>[];
  /** Call it after all modules have been created. */
  listModules(): readonly Module[];
}

/**
 * One feature of the server, declared once, in its own `module.ts`. What loops over features reads the declarations: it
 * gets the list of `server/features.ts` and imports no feature.
 */
export interface Feature<Options = undefined> {
  /** Unique. */
  readonly name: string;
  /** The options of its module. Opens the keys that it needs. Tests give options of their own. */
  openOptions?(host: FeatureHost): Options;
  /** Calls of the staff. The console serves them, and the commands of the staff call them in process. */
  readonly desk?: readonly Route<DeskDeps>[];
  /** What waits for decisions of the staff. */
  readonly queues?: readonly WaitingQueue[];
  /** Loads what the document of the API says about its public calls. Called only while the document is made. */
  apiTexts?(): Promise<{ readonly API_TEXTS: ApiTexts }>;
  /** What becomes of its rows and files when an account is deleted. */
  readonly erasure?: MemberErasure;
  /** What a member exports of it. */
  readonly exports?: readonly MemberFile[];
  /** What the links of its mails take back. */
  readonly undo?: readonly Undoable[];
  /** What the doctor checks of it. Checks of one name are parts of one check. */
  readonly checks?: readonly Check[];
  /** Its tables with files in the storage. */
  readonly files?: readonly FileOwner[];
  /** Called once for each host. */
  createModule(options: Options, every: EveryFeature): Omit<Module, 'name'>;
}

/** Every table with files in the storage. */
export function listFileOwners(features: readonly Pick<Feature, 'files'>[]): readonly FileOwner[] {
  return features.flatMap(({ files = [] }) => files);
}

/** Creates the module of every feature, in their order. */
export function createModules(
  features: readonly Feature<unknown>[],
  toOptions: (feature: Feature<unknown>) => unknown,
): readonly Module[] {
  const every: EveryFeature = { features, listModules: () => modules };
  const modules: readonly Module[] = features.map((feature) => ({
    name: feature.name,
    ...feature.createModule(toOptions(feature), every),
  }));
  return modules;
}
