// TypeBox schemas as schemas of OpenAPI 3.1: named ones become components, members with a default are not required of a sender.
import type { TSchema } from "@sinclair/typebox";

export interface SchemaObject {
  readonly [keyword: string]: unknown;
}

export interface SchemaWriter {
  write(schema: TSchema): SchemaObject;
  /** Schemas with an `$id`, by that name, as far as they were written. */
  readonly components: Readonly<Record<string, SchemaObject>>;
}

interface Keywords {
  readonly $id?: string;
  readonly anyOf?: readonly TSchema[];
  readonly items?: TSchema;
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly required?: readonly string[];
  readonly [keyword: string]: unknown;
}

export function createSchemaWriter(known: Readonly<Record<string, SchemaObject>>): SchemaWriter {
  const components: Record<string, SchemaObject> = { ...known };

  function write(schema: TSchema): SchemaObject {
    const { $id } = schema as Keywords;
    if ($id === undefined) return writeHere(schema as Keywords);
    components[$id] ??= writeHere(schema as Keywords);
    return { $ref: `#/components/schemas/${$id}` };
  }

  function writeHere({ $id: _named, anyOf, items, properties, required, ...keywords }: Keywords): SchemaObject {
    // Members under symbols are TypeBox's and ours; entries() leaves them behind.
    const written: Record<string, unknown> = Object.fromEntries(Object.entries(keywords));
    if (anyOf !== undefined) written.anyOf = anyOf.map(write);
    if (items !== undefined) written.items = write(items);
    if (properties !== undefined) {
      written.properties = Object.fromEntries(
        Object.entries(properties).map(([name, member]) => [name, write(member)]),
      );
      const demanded = (required ?? []).filter((name) => properties[name]?.default === undefined);
      if (demanded.length > 0) written.required = demanded;
    }
    return written;
  }

  return { write, components };
}
