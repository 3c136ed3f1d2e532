import type { z } from 'zod';

/** The parts of an OpenAPI 3.1 document that this service uses. */

export type JsonSchema = z.core.JSONSchema.BaseSchema;

export interface Reference {
  readonly $ref: string;
}

export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  /** Keys are path templates, then methods in lower case. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationEntry>>>>;
  /** The service sends these to endpoints of callers. Keys are types of message. */
  readonly webhooks: Readonly<Record<string, { readonly post: WebhookEntry }>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly headers: Readonly<Record<string, HeaderEntry>>;
    readonly examples: Readonly<Record<string, ExampleEntry>>;
    readonly securitySchemes: Readonly<Record<string, object>>;
  };
  /** Headers of every answer, which the answers do not repeat. */
  readonly 'x-every-answer': { readonly headers: Readonly<Record<string, HeaderEntry>> };
  /** Answers, by status, to requests that reach no operation. */
  readonly 'x-without-operation': Readonly<Record<string, AnswerEntry>>;
}

export interface OperationEntry {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  /** True for the older variant. */
  readonly deprecated?: true;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters: readonly ParameterEntry[];
  readonly requestBody?: {
    readonly required: boolean;
    readonly content: Readonly<
      Record<
        string,
        {
          readonly schema: JsonSchema;
          readonly example?: unknown;
          readonly examples?: Readonly<Record<string, ExampleEntry>>;
        }
      >
    >;
  };
  /** Keys are statuses. */
  readonly responses: Readonly<Record<string, AnswerEntry>>;
  readonly 'x-scope': string | null;
  readonly 'x-module': string | null;
  readonly 'x-cost-class': string;
}

export interface WebhookEntry
  extends Pick<OperationEntry, 'operationId' | 'summary' | 'description' | 'tags' | 'security'> {
  readonly parameters: readonly ParameterEntry[];
  readonly requestBody: {
    readonly required: true;
    readonly content: Readonly<Record<string, { readonly schema: JsonSchema; readonly example: unknown }>>;
  };
  /** Keys are statuses: what the service makes of the answers of receivers. */
  readonly responses: Readonly<Record<string, WebhookAnswerEntry>>;
}

export interface WebhookAnswerEntry {
  readonly description: string;
  readonly headers?: Readonly<Record<string, HeaderEntry>>;
}

export interface ParameterEntry {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly description: string;
  readonly required: boolean;
  readonly schema: JsonSchema;
  /** The values of a list come each with the name of the parameter; one text with commas is taken, too. */
  readonly style?: 'form';
  readonly explode?: true;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, ExampleEntry>>;
}

export interface ExampleEntry {
  readonly summary: string;
  readonly description?: string;
  readonly value: unknown;
}

export interface AnswerEntry {
  readonly description: string;
  readonly headers: Readonly<Record<string, Reference>>;
  /** Keys are media types; absent = no body. */
  readonly content?: Readonly<
    Record<
      string,
      { readonly schema: JsonSchema; readonly examples?: Readonly<Record<string, ExampleEntry | Reference>> }
    >
  >;
}

export interface HeaderEntry {
  readonly description: string;
  /** True when the header is always present where it is described. */
  readonly required?: true;
  readonly schema: JsonSchema;
}
