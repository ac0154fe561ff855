// Scalars of values that no answer has.
import { GraphQLError } from "graphql";

declare module "../../../graphql/builder.ts" {
  interface Scalars {
    RedactedString: { Input: string; Output: string };
    SecretString: { Input: string; Output: never };
  }
}

export const redactedScalar = {
  name: "RedactedString",
  description: "What stands for a secret value: a mask from which the value cannot be recovered.",
  serialize: (value: unknown) => String(value),
  parseValue: (value: unknown) => String(value),
};

export const secretScalar = {
  name: "SecretString",
  description: "A secret value as it is sent; no answer has it.",
  serialize(): never {
    throw new GraphQLError("A SecretString is never answered");
  },
  parseValue(value: unknown): string {
    if (typeof value === "string") return value;
    throw new GraphQLError("A SecretString must be a text");
  },
};
