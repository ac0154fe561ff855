// Numbers of answers whose type is a float are written with a fraction (`1.0`), so that programs that tell floats from integers
// read a float. Which members are floats, the schema of the answer says.
import type { TSchema } from "@sinclair/typebox";
import { doubleToJson } from "./json.ts";

type Write = (value: unknown) => unknown;
type Members = readonly (readonly [name: string, write: Write])[];

/** What writes the floats of an answer of this schema; null for a schema without any. A value that is not a number stays as it is. */
export function floatWriter(schema: TSchema): Write | null {
  if (schema.type === "number") return (value) => (typeof value === "number" ? doubleToJson(value) : value);
  if (schema.type === "array") return listWriter(floatWriter(schema.items));
  if (schema.type === "object" && schema.properties !== undefined) return objectWriter(membersOf(schema));
  if (schema.anyOf !== undefined) return unionWriter(schema as Union);
  return null;
}

function listWriter(write: Write | null): Write | null {
  return write && ((value) => (Array.isArray(value) ? value.map(write) : value));
}

function membersOf(schema: TSchema): Members {
  return Object.entries<TSchema>(schema.properties).flatMap(([name, member]) => {
    const write = floatWriter(member);
    return write === null ? [] : [[name, write] as const];
  });
}

function objectWriter(members: Members): Write | null {
  if (members.length === 0) return null;
  return (value) => {
    if (typeof value !== "object" || value === null) return value;
    const written: Record<string, unknown> = { ...value };
    for (const [name, write] of members) if (Object.hasOwn(written, name)) written[name] = write(written[name]);
    return written;
  };
}

interface Union extends TSchema {
  readonly anyOf: readonly TSchema[];
  readonly discriminator?: { readonly propertyName: string };
}

/** Branches of different kinds do not touch each other's values; objects are distinguished by their discriminator member. */
function unionWriter({ anyOf, discriminator }: Union): Write | null {
  const branches = anyOf.map((branch) => ({ branch, write: floatWriter(branch) }));
  if (branches.every(({ write }) => write === null)) return null;
  const tag = discriminator?.propertyName;
  return (value) =>
    branches.reduce((written, { branch, write }) => {
      const isMeant =
        tag === undefined || branch.properties[tag].const === (value as Record<string, unknown> | null)?.[tag];
      return write !== null && isMeant ? write(written) : written;
    }, value);
}
