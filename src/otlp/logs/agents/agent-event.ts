// An event in the logs of a coding agent, and how its attributes are read.
import { integerOf } from "../../../ingest/span-columns.ts";
import { numberOf } from "../../../kernel/json.ts";
import type { DecodedAttributes } from "../../decoded/decoded.ts";
import { present, scalarText } from "../../genai/values.ts";

/** An event with its name without the prefix of its program. */
export interface AgentEvent {
  readonly name: string;
  readonly timeUs: number;
  readonly attributes: DecodedAttributes;
}

export function attributeText({ attributes }: AgentEvent, key: string): string | undefined {
  const text = scalarText(present(attributes, key));
  return text === "" ? undefined : text;
}

/** A count or a duration, sent as a number or as text; 0 for a missing one. */
export function countAt({ attributes }: AgentEvent, key: string): number {
  return Math.max(0, numberOf(integerOf(present(attributes, key))) ?? 0);
}

/** Whether the program says that a call failed; some send texts. */
export function hasFailed(event: AgentEvent): boolean {
  return attributeText(event, "success")?.toLowerCase() === "false";
}
