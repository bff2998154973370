import type { ConversionConfig } from '@valibot/to-json-schema';
import type * as v from 'valibot';
import { ArtistCardSchema, ArtistSchema } from '../../../contract/artists.ts';
import { SessionUserSchema } from '../../../contract/accounts.ts';
import { NoticeSchema } from '../../../contract/ads.ts';
import { TransferPageSchema, TransferSchema } from '../../../contract/finance.ts';
import { GenreSchema, SoundTypeSchema, SubGenreSchema } from '../../../contract/genres.ts';
import { DeletionPreviewSchema } from '../../../contract/own-data.ts';
import { ProfileSchema } from '../../../contract/profile.ts';
import { OwnReportSchema, ReporterViewSchema } from '../../../contract/reports.ts';
import { ContentPageSchema, ExtraPageSchema, SiteConfigSchema } from '../../../contract/site.ts';
import { SoundFindingsSchema } from '../../../contract/sound-findings.ts';
import { SoundListSchema, SoundSchema } from '../../../contract/sounds.ts';
import { StatementSchema } from '../../../contract/statements.ts';
import { createSimplifier } from './simplify.ts';
import type { Purpose } from './simplify.ts';

/** A JSON Schema as it is written into the document. */
export type JsonSchema = Record<string, unknown>;

/** Schemas of replies that the document names. */
const NAMED: Readonly<Record<string, v.GenericSchema<unknown, unknown>>> = {
  Artist: ArtistSchema,
  ArtistCard: ArtistCardSchema,
  ContentPage: ContentPageSchema,
  DeletionPreview: DeletionPreviewSchema,
  ExtraPage: ExtraPageSchema,
  Genre: GenreSchema,
  Notice: NoticeSchema,
  OwnReport: OwnReportSchema,
  Profile: ProfileSchema,
  ReporterView: ReporterViewSchema,
  SessionUser: SessionUserSchema,
  SiteConfig: SiteConfigSchema,
  Sound: SoundSchema,
  SoundFindings: SoundFindingsSchema,
  SoundPage: SoundListSchema,
  SoundType: SoundTypeSchema,
  Statement: StatementSchema,
  SubGenre: SubGenreSchema,
  Transfer: TransferSchema,
  TransferPage: TransferPageSchema,
};

export interface Converter {
  /** Throws for a schema that JSON Schema cannot describe, or that would allow anything without saying so. */
  convert(schema: v.GenericSchema<unknown, unknown>, purpose: Purpose): JsonSchema;
  /** The named schemas, to which the others refer. */
  readonly named: Readonly<Record<string, JsonSchema>>;
}

/** Loads the package that converts schemas, which only the document of the API needs. */
export async function openConverter(): Promise<Converter> {
  const { toJsonSchema, toJsonSchemaDefs } = await import('@valibot/to-json-schema');
  const simplifiers = {
    query: createSimplifier('query'),
    body: createSimplifier('body'),
    reply: createSimplifier('reply'),
  };
  const definitions = Object.fromEntries(
    Object.entries(NAMED).map(([name, schema]) => [name, simplifiers.reply(schema as v.GenericSchema)]),
  );
  const config: ConversionConfig = {
    target: 'draft-2020-12',
    overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
  };
  const named = toJsonSchemaDefs(definitions, config) as Record<string, JsonSchema>;
  for (const schema of Object.values(named)) requireContent(schema, 'a named schema');
  return {
    named,
    convert(schema, purpose) {
      const simple = simplifiers[purpose](schema as v.GenericSchema);
      const {
        $schema: _,
        $defs: _defs,
        ...json
      } = toJsonSchema(simple, { ...config, ...(purpose === 'reply' && { definitions }) });
      requireContent(json, 'a schema');
      return json;
    },
  };
}

/** Throws if a schema, or a part of it, allows anything. */
function requireContent(schema: unknown, path: string): void {
  if (typeof schema !== 'object' || schema === null) return;
  const {
    properties = {},
    items,
    anyOf = [],
    oneOf = [],
    additionalProperties,
    ...own
  } = schema as JsonSchema;
  const parts: [string, unknown][] = [
    ...Object.entries(properties as object),
    ...[...(anyOf as []), ...(oneOf as [])]
      .entries()
      .map(([index, part]) => [String(index), part] as [string, unknown]),
    ...(items === undefined ? [] : [['items', items] as [string, unknown]]),
    ...(additionalProperties === undefined ? [] : [['*', additionalProperties] as [string, unknown]]),
  ];
  const says = ['type', '$ref', 'enum', 'const'].some((keyword) => keyword in own);
  if (!says && parts.length === 0) throw new Error(`${path} allows anything`);
  for (const [name, part] of parts) requireContent(part, `${path} / ${name}`);
}
