// The files that a dataset is exported to.
import { csvLine, spacedJson } from "../../../../kernel/csv.ts";
import { globalId } from "../../../../kernel/ids.ts";
import {
  isJsonObject,
  isRawNumber,
  type Json,
  type JsonObject,
  parseJson,
  stringifyJson,
} from "../../../../kernel/json.ts";
import { EXAMPLE, type LivingExample } from "../datasets.schema.ts";

/** An example with the names of the splits that it is in, sorted. */
export interface ExportedExample extends LivingExample {
  readonly splits: readonly string[];
}

export const nodeIdOf = ({ id }: LivingExample) => globalId(EXAMPLE, id);
export const idOf = (example: LivingExample) => example.externalId || nodeIdOf(example);

/** One line of JSON. */
export function jsonLine(example: ExportedExample): string {
  const { input, output, metadata, splits } = example;
  return `{"id":${JSON.stringify(idOf(example))},"node_id":"${nodeIdOf(example)}","input":${input},"output":${output},"metadata":${metadata},"splits":${JSON.stringify(splits)}}\n`;
}

const objectOf = (text: string) => parseJson(text) as JsonObject;
const listOf = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : []);

/** One line for fine-tuning: the messages of the input and behind them those of the output. */
export function fineTuningLine(example: LivingExample): string {
  const input = objectOf(example.input);
  const messages = [...listOf(input.messages), ...listOf(objectOf(example.output).messages)];
  const { tools } = input;
  return `${stringifyJson(isTruthy(tools) ? { messages, tools: tools! } : { messages })}\n`;
}

/** One line for evaluations: the messages, and the text of the last one of the output as the ideal answer. */
export function evaluationLine(example: LivingExample): string {
  const last = listOf(objectOf(example.output).messages).at(-1);
  const ideal = isJsonObject(last) && typeof last.content === "string" ? last.content : "";
  return `${stringifyJson({ messages: listOf(objectOf(example.input).messages), ideal })}\n`;
}

function isTruthy(value: Json | undefined): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (isJsonObject(value)) return Object.keys(value).length > 0;
  return Boolean(value);
}

/** The columns of a CSV file in the order in which they are first seen. */
interface CsvColumns {
  /** Those of one example. */
  add(example: ExportedExample): void;
  header(): string;
  row(example: ExportedExample): string;
}

export function createCsvColumns(): CsvColumns {
  const columns = new Map<string, number>();
  let hasSplits = false;
  let isEmpty = true;
  const cellsOf = (example: ExportedExample): Map<string, string> => {
    const cells = new Map<string, string>([
      ["id", idOf(example)],
      ["node_id", nodeIdOf(example)],
    ]);
    for (const bucket of ["input", "output", "metadata"] as const) {
      addCells(cells, bucket, objectOf(example[bucket]));
    }
    return cells;
  };
  return {
    add(example) {
      isEmpty = false;
      for (const name of cellsOf(example).keys()) if (!columns.has(name)) columns.set(name, columns.size);
      if (hasSplits || example.splits.length === 0) return;
      hasSplits = true;
      columns.set(SPLITS, columns.size);
    },
    header: () => (isEmpty ? "\n" : csvLine([...columns.keys()])),
    row(example) {
      const cells = cellsOf(example);
      if (hasSplits) cells.set(SPLITS, JSON.stringify(example.splits));
      return csvLine([...columns.keys()].map((name) => cells.get(name) ?? ""));
    },
  };
}

const SPLITS = "splits";

/** Members of objects each have a column of their own, lists are JSON text. */
function addCells(cells: Map<string, string>, name: string, value: Json): void {
  if (isJsonObject(value)) {
    for (const [key, member] of Object.entries(value)) addCells(cells, `${name}.${key}`, member);
    return;
  }
  cells.set(name, cellText(value));
}

function cellText(value: Json): string {
  if (value === null) return "";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "string") return value;
  if (isRawNumber(value)) return value.rawJSON;
  return Array.isArray(value) ? spacedJson(value) : String(value);
}
