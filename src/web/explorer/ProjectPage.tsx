// The shell of every page inside a project: its name in the trail, the tabs, and what to do when there is no such project.
import { Pin } from "lucide-react";
import type { ReactNode } from "react";
import { type ProjectTab, projectTabs } from "../declared-pages.ts";
import { IconButton } from "../kit/Button.tsx";
import { FailedState } from "../kit/States.tsx";
import { TabLinks } from "../kit/Tabs.tsx";
import { linkTo } from "../lib/links.ts";
import { usePreference } from "../lib/preferences.ts";
import { openingTabPreference, openingTabs } from "../lib/project-tab.ts";
import { useGraphql } from "../lib/queries.ts";
import { trailPart } from "../shell/navigation.ts";
import { Page } from "../shell/Page.tsx";
import { text } from "../texts/texts.ts";
import { projectHead, projectOf } from "./explorer.queries.ts";
import { ExampleNotice } from "./onboarding/ExampleNotice.tsx";
import { isExample } from "./onboarding/example.ts";
import styles from "./ProjectPage.module.css";
import { ProjectSwitcher } from "./ProjectSwitcher.tsx";

interface ProjectPageProps {
  readonly projectId: string;
  readonly tab: ProjectTab;
  readonly actions?: ReactNode;
  /** Beside the work, such as facets. */
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}

/** Tabs whose filters are conditions on traces. */
const filteredAlike: ReadonlySet<ProjectTab> = new Set(["traces", "graph"]);

export function useProject(projectId: string) {
  const query = useGraphql(projectHead, { id: projectId });
  return { project: projectOf(query.data), error: query.error, refetch: query.refetch };
}

export function ProjectPage({ projectId, tab, actions, aside, children }: ProjectPageProps) {
  const { project, error, refetch } = useProject(projectId);
  const trail = [
    trailPart("projects"),
    {
      label: project?.name ?? "…",
      to: linkTo("traces", { projectId }),
      switcher: <ProjectSwitcher projectId={projectId} tab={tab} />,
    },
  ];
  // What a person chose on one tab goes along to the next.
  const search = new URLSearchParams(location.search);
  const to = (name: ProjectTab) => {
    const stays = ["range", "from", "to", ...(filteredAlike.has(name) && filteredAlike.has(tab) ? ["filter"] : [])];
    const kept = new URLSearchParams([...search].filter(([parameter]) => stays.includes(parameter))).toString();
    return linkTo(name, { projectId }) + (kept === "" ? "" : `?${kept}`);
  };
  const tabs = projectTabs.map((name) => ({
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
            <TabLinks label={text("explorer.tabs")} tabs={tabs}>
              <OpeningPin projectId={projectId} tab={tab} hasStart={project?.startView != null} />
            </TabLinks>
            {isExample(project?.name) && <ExampleNotice projectId={projectId} />}
            {children}
          </div>
        </div>
      )}
    </Page>
  );
}

interface OpeningPinProps {
  readonly projectId: string;
  readonly tab: ProjectTab;
  /** The project has a view that it opens with for everybody. */
  readonly hasStart: boolean;
}

/** Makes the tab the one that the project opens with here; pressed again, it leaves that to the project. */
function OpeningPin({ projectId, tab, hasStart }: OpeningPinProps) {
  const [opening, setOpening] = usePreference(openingTabPreference(projectId));
  const own = openingTabs.find((each) => each === tab);
  if (own === undefined) return null;
  const pinned = (opening ?? (hasStart ? null : "traces")) === own;
  return (
    <span className={styles.pin}>
      <IconButton
        small
        pressed={pinned}
        label={text(pinned ? "explorer.opening.is" : "explorer.opening.set")}
        icon={<Pin />}
        onClick={() => setOpening(opening === own ? null : own)}
      />
    </span>
  );
}
