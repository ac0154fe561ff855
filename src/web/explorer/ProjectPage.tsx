// The shell of every page inside a project: its name in the trail, the tabs, and what to do when there is no such project.
import type { ReactNode } from "react";
import { FailedState } from "../kit/States.tsx";
import { TabLinks } from "../kit/Tabs.tsx";
import { linkTo } from "../lib/links.ts";
import { useGraphql } from "../lib/queries.ts";
import { Page } from "../shell/Page.tsx";
import { text } from "../texts/texts.ts";
import { projectHead, projectOf } from "./explorer.queries.ts";
import styles from "./ProjectPage.module.css";

export type ProjectTab = (typeof tabNames)[number];
const tabNames = ["traces", "spans", "sessions", "metrics", "config"] as const;

interface ProjectPageProps {
  readonly projectId: string;
  readonly tab: ProjectTab;
  readonly actions?: ReactNode;
  /** Beside the work, such as facets. */
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}

export function useProject(projectId: string) {
  const query = useGraphql(projectHead, { id: projectId });
  return { project: projectOf(query.data), error: query.error, refetch: query.refetch };
}

export function ProjectPage({ projectId, tab, actions, aside, children }: ProjectPageProps) {
  const { project, error, refetch } = useProject(projectId);
  const trail = [
    { label: text("projects.title"), to: linkTo("projects") },
    { label: project?.name ?? "…", to: linkTo("traces", { projectId }) },
  ];
  // What a person chose on one tab goes along to the next.
  const search = new URLSearchParams(location.search);
  const kept = new URLSearchParams([...search].filter(([name]) => ["range", "from", "to"].includes(name))).toString();
  const to = (name: ProjectTab) => linkTo(name, { projectId }) + (kept === "" ? "" : `?${kept}`);
  const tabs = tabNames.map((name) => ({
    to: to(name),
    label: text(`explorer.tab.${name}`),
    current: name === tab,
  }));
  return (
    <Page title={text(`explorer.tab.${tab}`)} trail={trail} actions={actions}>
      {error && project === undefined ? (
        <FailedState failure={error} onRetry={() => void refetch()} />
      ) : (
        <div className={styles.project}>
          {aside}
          <div className={styles.work}>
            <TabLinks label={text("explorer.tabs")} tabs={tabs} />
            {children}
          </div>
        </div>
      )}
    </Page>
  );
}
