// What an id leads to: a trace by 32 hexadecimal digits, a span by 16, a session by the id that its sender gave it.
import { SELECTED_SPAN } from "../domain/trace/selected.ts";
import type { ResultOf } from "../lib/graphql.ts";
import { linkTo } from "../lib/links.ts";
import { useGraphql } from "../lib/queries.ts";
import { text } from "../texts/texts.ts";
import { foundById } from "./palette.queries.ts";

interface FoundById {
  readonly key: string;
  readonly label: string;
  /** The project it is in. */
  readonly project: string;
  readonly to: string;
}

/** Shorter words are hardly ids; sessions may be called anything. */
const SHORTEST_ID = 3;

export function useFoundById(typed: string): readonly FoundById[] {
  const isTrace = /^[0-9a-f]{32}$/i.test(typed);
  const isSpan = /^[0-9a-f]{16}$/i.test(typed);
  const id = isTrace || isSpan ? typed.toLowerCase() : typed;
  const { data } = useGraphql(foundById, typed.length < SHORTEST_ID ? null : { id, isTrace, isSpan });
  return data === undefined ? [] : placesOf(data);
}

function placesOf({ getTraceByOtelId, getSpanByOtelId, getProjectSessionById }: ResultOf<typeof foundById>) {
  const found: FoundById[] = [];
  if (getTraceByOtelId) {
    const { traceId, rootSpan, project } = getTraceByOtelId;
    found.push({
      key: `trace ${traceId}`,
      label: text("palette.trace", { name: rootSpan?.name ?? traceId }),
      project: project.name,
      to: linkTo("trace", { projectId: project.id, traceId }),
    });
  }
  if (getSpanByOtelId) {
    const { id, name, trace, project } = getSpanByOtelId;
    const address = linkTo("trace", { projectId: project.id, traceId: trace.traceId });
    found.push({
      key: `span ${id}`,
      label: text("palette.span", { name }),
      project: project.name,
      to: `${address}?${new URLSearchParams({ [SELECTED_SPAN]: id })}`,
    });
  }
  if (getProjectSessionById) {
    const { id, sessionId, project } = getProjectSessionById;
    found.push({
      key: `session ${id}`,
      label: text("palette.session", { name: sessionId }),
      project: project.name,
      to: linkTo("session", { projectId: project.id, sessionId: id }),
    });
  }
  return found;
}
