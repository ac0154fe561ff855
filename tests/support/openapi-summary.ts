// An operation of an OpenAPI document in the short form of tests/vectors/operations.json: types as words, fields as flat paths.

export interface ParameterSummary {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly type: string;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly minLength?: number;
}

export interface ContentSummary {
  readonly type: string;
  /** `a.b[]` → type; `?` at the end of the type: may be absent. */
  readonly fields: Readonly<Record<string, string>>;
}

export interface OperationSummary {
  readonly method: string;
  readonly path: string;
  readonly operationId: string;
  readonly parameters: readonly ParameterSummary[];
  readonly body?: Readonly<Record<string, ContentSummary>>;
  readonly responses: Readonly<Record<string, Readonly<Record<string, ContentSummary>>>>;
}

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly [limit: string]: unknown;
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { name: string; in: string; required: boolean; schema: Schema }[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}

export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const LIMITS = ["default", "minimum", "maximum", "exclusiveMinimum", "minLength"] as const;

export function summariesOf(document: OpenApiDocument): OperationSummary[] {
  const resolve = (schema: Schema): Schema => {
    if (schema.$ref === undefined) return schema;
    return document.components.schemas[schema.$ref.split("/").at(-1)!]!;
  };

  const typeOf = (unresolved: Schema): string => {
    const schema = resolve(unresolved);
    if (schema.anyOf !== undefined) return joined(schema.anyOf.map(typeOf));
    if (schema.const !== undefined) return JSON.stringify(schema.const);
    if (schema.enum !== undefined) return joined(schema.enum.map((word) => JSON.stringify(word)));
    if (schema.type === "array") return `${typeOf(schema.items ?? {})}[]`;
    return schema.type === undefined ? "any" : schema.type + (schema.format === undefined ? "" : `:${schema.format}`);
  };

  const collect = (unresolved: Schema, path: string, fields: Record<string, string>): void => {
    const schema = resolve(unresolved);
    for (const branch of schema.anyOf ?? []) collect(branch, path, fields);
    if (schema.items !== undefined) collect(schema.items, `${path}[]`, fields);
    for (const [name, member] of Object.entries(schema.properties ?? {})) {
      const field = path === "" ? name : `${path}.${name}`;
      fields[field] = together(fields[field], typeOf(member) + (schema.required?.includes(name) ? "" : "?"));
      collect(member, field, fields);
    }
  };

  const contentOf = ({ content = {} }: Content): Record<string, ContentSummary> =>
    Object.fromEntries(
      Object.entries(content).map(([media, { schema }]) => {
        const fields: Record<string, string> = {};
        collect(schema, "", fields);
        return [media, { type: typeOf(schema), fields }];
      }),
    );

  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operationId: operation.operationId,
      parameters: (operation.parameters ?? []).map(({ name, in: place, required, schema }) => ({
        name,
        in: place,
        required,
        type: typeOf(schema),
        ...Object.fromEntries(LIMITS.filter((limit) => limit in schema).map((limit) => [limit, schema[limit]])),
      })),
      ...(operation.requestBody === undefined ? {} : { body: contentOf(operation.requestBody) }),
      responses: Object.fromEntries(
        Object.entries(operation.responses).map(([status, response]) => [status, contentOf(response)]),
      ),
    })),
  );
}

/** The type of a field that several branches of a union have. */
function together(one: string | undefined, other: string): string {
  if (one === undefined || one === other) return other;
  const isOptional = one.endsWith("?") || other.endsWith("?");
  return joined([one, other].map((type) => type.replace(/\?$/, ""))) + (isOptional ? "?" : "");
}

function joined(types: readonly string[]): string {
  return [...new Set(types.flatMap((type) => type.split("|")))].sort().join("|");
}
