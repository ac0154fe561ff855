// Text that neither database can hold, or only one: a NUL in a requested name or id must find nothing, not fail.
import { storableText } from "../kernel/validation-scalars.ts";

/** The parameter with every text in it as it would have been stored, so that it finds what was stored. */
export function storableParameter(parameter: unknown): unknown {
  if (typeof parameter === "string") return storableText(parameter);
  return Array.isArray(parameter) ? parameter.map(storableParameter) : parameter;
}
