// An old page after an upgrade of the server loads itself again, where it stands: when it is idle, or when the reader goes to
// another page of it. Until then the shell says so and offers it.
import { useEffect, useRef } from "react";
import { useLocation } from "wouter";
import { idleMs } from "../lib/at-work.ts";
import { useConnection } from "../lib/connection.ts";
import { reloadByItself } from "../lib/reload.ts";

const IDLE_AFTER_MS = 30_000;

export function useUpgrade(): void {
  const upgraded = useConnection().kind === "upgraded";
  const [path] = useLocation();
  const pathBefore = useRef(path);
  useEffect(() => {
    if (upgraded && path !== pathBefore.current) reloadByItself();
    pathBefore.current = path;
  }, [upgraded, path]);
  useEffect(() => {
    if (!upgraded) return;
    if (document.hidden || idleMs() > IDLE_AFTER_MS) reloadByItself();
    const onHide = () => {
      if (document.hidden) reloadByItself();
    };
    document.addEventListener("visibilitychange", onHide);
    return () => document.removeEventListener("visibilitychange", onHide);
  }, [upgraded]);
}
