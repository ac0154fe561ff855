// Ordered operations on the examples of a dataset, and their net effect: each example is changed or removed once.
import type { JsonObject } from "../../../../kernel/json.ts";
import type { ExampleName } from "../dataset-content.rules.ts";
import { operationRefused } from "../datasets.errors.ts";

export interface NewExample {
  readonly input: JsonObject;
  readonly output: JsonObject;
  readonly metadata: JsonObject;
  readonly externalId: string | null;
  /** Row id of the span that it was made of. */
  readonly spanId: number | null;
}

/** What of an example is replaced; the rest stays. */
export interface ReplacedFields {
  readonly input?: JsonObject;
  readonly output?: JsonObject;
  readonly metadata?: JsonObject;
}

/** An example as a request names it. */
export interface NamedExample extends ExampleName {
  readonly text: string;
}

export type ExampleOperation =
  | { readonly kind: "add"; readonly example: NewExample }
  | { readonly kind: "replace"; readonly named: NamedExample; readonly fields: ReplacedFields }
  | { readonly kind: "remove"; readonly named: NamedExample };

/** The net effect of operations. */
interface SummedOperations {
  readonly added: readonly NewExample[];
  readonly replaced: ReadonlyMap<number, ReplacedFields>;
  readonly removed: readonly number[];
}

/** `rowIds` are those of the operations' examples, in their order. Throws kind `invalid` for what comes behind a removal. */
export function sumOperations(
  operations: readonly ExampleOperation[],
  rowIds: readonly (number | null)[],
): SummedOperations {
  const added: NewExample[] = [];
  const replaced = new Map<number, ReplacedFields>();
  const removed = new Set<number>();
  for (const [position, operation] of operations.entries()) {
    if (operation.kind === "add") {
      added.push(operation.example);
      continue;
    }
    const rowId = rowIds[position]!;
    if (removed.has(rowId)) {
      const does = operation.kind === "remove" ? "removes" : "replaces";
      throw operationRefused(
        `operations[${position}] ${does} example ${operation.named.text}, which an earlier operation removed.`,
      );
    }
    if (operation.kind === "replace") replaced.set(rowId, { ...replaced.get(rowId), ...operation.fields });
    else {
      removed.add(rowId);
      replaced.delete(rowId);
    }
  }
  return { added, replaced, removed: [...removed] };
}
