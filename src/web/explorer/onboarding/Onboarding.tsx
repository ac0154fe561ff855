// What a project without traces shows: three steps to send the first one, and the ghost of a trace, which becomes the real one when
// it arrives. The page stays until the reader goes on to it.
import { useEffect } from "react";
import { useParams } from "wouter";
import { useGraphql, useRefresh } from "../../lib/queries.ts";
import { text } from "../../texts/texts.ts";
import { projectHead, projectOf } from "../explorer.queries.ts";
import { ExampleOffer } from "./ExampleOffer.tsx";
import { FirstTrace } from "./FirstTrace.tsx";
import styles from "./Onboarding.module.css";
import { Steps } from "./Steps.tsx";

const LOOK_EVERY_MS = 2000;
const DEFAULT_PROJECT = "default";

const arriving = ["traces"] as const;

export default function Onboarding() {
  const { projectId = "" } = useParams<{ projectId: string }>();
  const { data, refetch } = useGraphql(projectHead, { id: projectId });
  const head = projectOf(data);
  const arrived = head?.hasTraces === true;
  useEffect(() => {
    if (arrived) return;
    const timer = setInterval(() => {
      if (!document.hidden) void refetch();
    }, LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }, [refetch, arrived]);
  // What the lists found before the first trace came is no answer any more.
  const refresh = useRefresh(arriving);
  useEffect(() => refresh, [refresh]);
  const project = head?.name ?? DEFAULT_PROJECT;
  return (
    <div className={styles.page}>
      <div className={styles.columns}>
        <div>
          <h2 className={styles.title}>{text("onboarding.title")}</h2>
          <p className={styles.text}>{text("onboarding.text", { project })}</p>
          <Steps project={project} />
          <ExampleOffer />
        </div>
        <FirstTrace projectId={projectId} arrived={arrived} />
      </div>
    </div>
  );
}
