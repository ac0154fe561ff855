// Examples out of the spans of a selection. They are read and stored in parts, and make one version.

import { type JsonObject, stringifyJson } from "../../../../kernel/json.ts";
import { countFitting } from "../../../../kernel/list.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import type { SpanReadsService } from "../../../tracing/spans/reading/span-reads.service.ts";
import { hashedContent } from "../dataset-content.rules.ts";
import { editsOfOthers, nothingChosen } from "../datasets.errors.ts";
import type { DatasetChange, VersionWords } from "../datasets.schema.ts";
import type { DatasetChangesService, DatasetTarget } from "../examples/dataset-changes.service.ts";
import { type UploadPart, type UploadRow, uploadPart } from "../uploads/upload-parts.rules.ts";
import { type ExpectedOutputRule, wholeOutput } from "./expected-output.rules.ts";
import type { SelectedExample, SelectedExamplesService } from "./selected-examples.service.ts";
import type { SpanExample } from "./span-example.rules.ts";
import type { SpanSelection, SpanSelections } from "./span-selections.service.ts";

interface SpanSourcesDependencies {
  readonly selections: SpanSelections;
  readonly spanReads: SpanReadsService;
  readonly selected: SelectedExamplesService;
  readonly changes: DatasetChangesService;
}

/** What the example of one span says instead; null is as it would be. */
export interface ExampleEdit {
  /** Row id. */
  readonly spanId: number;
  readonly input: JsonObject | null;
  readonly output: JsonObject | null;
}

interface AdditionOptions {
  /** Names of the splits that the examples are put into; those that are not there are made. */
  readonly splits?: readonly string[];
  readonly rule?: ExpectedOutputRule;
  /** Of each span at most one. */
  readonly edits?: readonly ExampleEdit[];
}

/** The first examples of a selection. */
interface SelectionPreview {
  readonly examples: readonly SelectedExample[];
  readonly hasMore: boolean;
}

export interface SpanSourcesService {
  /** Adds an example for each of the spans, in one version. Throws kind `not_found` for spans, traces and sessions that are not
   *  there, `invalid` when nothing is chosen and for edits of spans that are not chosen, `conflict` for the name of a new dataset
   *  that is taken, and as a list of spans does for a condition. */
  addSpans(
    context: CallContext,
    target: DatasetTarget,
    selection: SpanSelection,
    words: VersionWords,
    options?: AdditionOptions,
  ): Promise<DatasetChange>;
  /** What `addSpans` would add first: at most `limit`, and no more than a page can hold. Throws as it does. */
  preview(
    context: CallContext,
    selection: SpanSelection,
    rule: ExpectedOutputRule,
    limit: number,
  ): Promise<SelectionPreview>;
  /** What spans would be as examples, by row id. */
  findSpanExamples(context: CallContext, spanIds: readonly number[]): Promise<Map<number, SpanExample>>;
}

/** Of the texts of examples that are held at once. */
const PART_CHARACTERS = 2 * 1024 * 1024;

/** Spans of a preview that are read at once, and the characters after which it ends. */
const PREVIEWED_AT_ONCE = 10;
const PREVIEW_CHARACTERS = 4 * 1024 * 1024;

export function createSpanSourcesService(dependencies: SpanSourcesDependencies): SpanSourcesService {
  const { selections, spanReads, selected, changes } = dependencies;

  async function* partsOf(
    context: CallContext,
    selection: SpanSelection,
    { splits = [], rule = wholeOutput, edits = [] }: AdditionOptions,
  ): AsyncGenerator<UploadPart> {
    const expected = { rule, areRoots: choosesRoots(selection) };
    const editOf = new Map(edits.map((edit) => [edit.spanId, edit]));
    let position = 0;
    for await (const spans of selections.chosen(context, selection)) {
      const found = await selected.read(context, spans, expected);
      const rows = spans.flatMap(({ id }): UploadRow[] => {
        const example = found.get(id);
        if (example === undefined) return [];
        const { input, output } = editOf.get(id) ?? example;
        editOf.delete(id);
        return [rowOf(id, { ...example, input: input ?? example.input, output: output ?? example.output }, splits)];
      });
      for (let at = 0; at < rows.length; ) {
        const rest = rows.slice(at);
        const part = rest.slice(0, countFitting(rest, PART_CHARACTERS, lengthOf));
        yield uploadPart(position, part);
        position += part.length;
        at += part.length;
      }
    }
    if (position === 0) throw nothingChosen();
    if (editOf.size > 0) throw editsOfOthers([...editOf.keys()]);
  }

  return {
    addSpans(context, target, selection, words, options = {}) {
      const parts = partsOf(context, selection, options);
      const next = async () => {
        const { done, value } = await parts.next();
        return done === true ? null : value;
      };
      return changes.addParts(context, target, next, words);
    },

    async preview(context, selection, rule, limit) {
      const expected = { rule, areRoots: choosesRoots(selection) };
      const examples: SelectedExample[] = [];
      let characters = 0;
      for await (const spans of selections.chosen(context, selection)) {
        for (let at = 0; at < spans.length; at += PREVIEWED_AT_ONCE) {
          if (examples.length === limit) return { examples, hasMore: true };
          const part = spans.slice(at, at + Math.min(PREVIEWED_AT_ONCE, limit - examples.length + 1));
          const found = await selected.read(context, part, expected);
          for (const { id } of part) {
            const example = found.get(id);
            if (example === undefined) continue;
            characters += stringifyJson(example.input).length + stringifyJson(example.answer).length;
            const isFull = examples.length === limit || characters > PREVIEW_CHARACTERS;
            if (isFull && examples.length > 0) return { examples, hasMore: true };
            examples.push(example);
          }
        }
      }
      if (examples.length === 0) throw nothingChosen();
      return { examples, hasMore: false };
    },

    async findSpanExamples(context, spanIds) {
      const found = await spanReads.findSpans(context, spanIds);
      return selected.read(context, [...found.values()]);
    },
  };
}

/** Chosen are traces and turns, for which their root spans stand. */
function choosesRoots(selection: SpanSelection): boolean {
  return "matching" in selection ? selection.matching.rootsOnly : !("spanIds" in selection);
}

function rowOf(spanId: number, { input, output, metadata }: SpanExample, splits: readonly string[]): UploadRow {
  const content = hashedContent(input, output, metadata);
  return { ...content, externalId: null, namedExample: null, spanKey: null, spanId, splits };
}

const lengthOf = ({ input, output, metadata }: UploadRow) => input.length + output.length + metadata.length;
