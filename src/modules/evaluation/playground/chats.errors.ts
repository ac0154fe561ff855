// What can be wrong with a chat that is to be tried.
import { type Failure, fail } from "../../../kernel/failure.ts";

export const numberOutOfRange = (what: string, most: number) =>
  fail("playground.out_of_range", "invalid", `${what} must be from 1 to ${most}`);

/** The same refusal with its place among several variants. */
export const variantRefused = (position: number, { code, kind, message, details }: Failure) =>
  fail(code, kind, `variants[${position}]: ${message}`, details);

export const wrongNode = (type: string, found: string) =>
  fail(
    "playground.wrong_node",
    "invalid",
    `The node id must correspond to a node of type ${type}, but instead corresponds to a node of type: ${found}`,
  );
