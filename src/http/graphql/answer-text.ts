// The JSON of an answer, written in slices of time where it is long.
import type { TimeSlices } from "../../graphql/time-slices.ts";
import { isRawNumber } from "../../kernel/json.ts";

/** Values, and KiB of text, that are written at once: a few milliseconds. */
const AT_ONCE = 5000;

/** `value` as JSON.stringify writes it. */
export async function textInSlices(value: unknown, slices: TimeSlices): Promise<string> {
  const parts: string[] = [];

  async function write(written: unknown): Promise<void> {
    if (!isContainer(written) || weightOf(written, AT_ONCE) < AT_ONCE) {
      await slices.next();
      parts.push(JSON.stringify(written) ?? "null");
    } else if (Array.isArray(written)) {
      parts.push("[");
      for (let at = 0; at < written.length; at++) {
        if (at > 0) parts.push(",");
        await write(written[at]);
      }
      parts.push("]");
    } else {
      parts.push("{");
      let isFirst = true;
      for (const [name, member] of Object.entries(written)) {
        if (member === undefined) continue;
        parts.push(isFirst ? "" : ",", JSON.stringify(name), ":");
        isFirst = false;
        await write(member);
      }
      parts.push("}");
    }
  }

  await write(value);
  return parts.join("");
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null && !isRawNumber(value);
}

/** Values in it and KiB of their texts; counted up to `most`. */
function weightOf(value: unknown, most: number): number {
  if (typeof value === "string") return 1 + (value.length >> 10);
  if (!isContainer(value)) return 1;
  let weight = 1;
  for (const member of Array.isArray(value) ? value : Object.values(value)) {
    if (weight >= most) break;
    weight += weightOf(member, most - weight);
  }
  return weight;
}
