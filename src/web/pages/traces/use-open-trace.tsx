// The trace that is open over a list: its id is in the path, everything about the list stays in the parameters.
import { useCallback } from "react";
import { useLocation, useParams } from "wouter";
import type { PageName } from "../../declared-pages.ts";
import { OverList } from "../../explorer/OverList.tsx";
import { linkTo } from "../../lib/links.ts";
import { panelParameters, SELECTED } from "./panel/panel-address.ts";
import { TracePanel } from "./panel/TracePanel.tsx";

interface OpenableTrace {
  readonly traceId: string;
  /** Of the span that is to be shown first. */
  readonly spanNodeId?: string;
}

type ListName = Extract<PageName, "traces" | "spans">;
type PanelName = Extract<PageName, "trace" | "traceOfSpan">;

export function useOpenTrace(list: ListName, panel: PanelName) {
  const { projectId = "", traceId = null } = useParams<{ projectId: string; traceId?: string }>();
  const [, navigate] = useLocation();
  const go = useCallback(
    (path: string, changes: Readonly<Record<string, string>>) => {
      const parameters = new URLSearchParams(location.search);
      for (const name of panelParameters) parameters.delete(name);
      for (const [name, value] of Object.entries(changes)) parameters.set(name, value);
      const search = parameters.toString();
      navigate(search === "" ? path : `${path}?${search}`);
    },
    [navigate],
  );
  const onOpen = useCallback(
    ({ traceId: opened, spanNodeId }: OpenableTrace) =>
      go(linkTo(panel, { projectId, traceId: opened }), spanNodeId === undefined ? {} : { [SELECTED]: spanNodeId }),
    [go, panel, projectId],
  );
  const onClose = () => go(linkTo(list, { projectId }), {});
  return {
    projectId,
    traceId,
    onOpen,
    /** The open trace, with its neighbours among the rows. */
    over: (rows: readonly OpenableTrace[]) =>
      traceId !== null && (
        <OverList rows={rows} isOpen={(row) => row.traceId === traceId} onOpen={onOpen} onClose={onClose}>
          {(navigation) => <TracePanel projectId={projectId} traceId={traceId} navigation={navigation} />}
        </OverList>
      ),
  };
}
