// The session that is open over the list: its id is in the path, everything about the list stays in the parameters.
import { useCallback } from "react";
import { useLocation, useParams } from "wouter";
import { CHOSEN_TURN } from "../../domain/trace/selected.ts";
import { linkTo, pathParameter } from "../../lib/links.ts";

export function useOpenSession() {
  const { projectId = "", sessionId } = useParams<{ projectId: string; sessionId?: string }>();
  const [, navigate] = useLocation();
  const go = useCallback(
    (path: string) => {
      const parameters = new URLSearchParams(location.search);
      for (const name of [CHOSEN_TURN, "find"]) parameters.delete(name);
      const search = parameters.toString();
      navigate(search === "" ? path : `${path}?${search}`);
    },
    [navigate],
  );
  const openSession = useCallback(
    ({ id }: { readonly id: string }) => go(linkTo("session", { projectId, sessionId: id })),
    [go, projectId],
  );
  const closeSession = useCallback(() => go(linkTo("sessions", { projectId })), [go, projectId]);
  return { projectId, sessionId: sessionId === undefined ? null : pathParameter(sessionId), openSession, closeSession };
}
