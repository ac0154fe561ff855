// From one project to another of those that were active last, on the same tab.
import { ChevronsUpDown, ListTree } from "lucide-react";
import type { ProjectTab } from "../declared-pages.ts";
import { IconButton } from "../kit/Button.tsx";
import { Menu, MenuLabel, MenuLink, MenuSeparator } from "../kit/Menu.tsx";
import { graphql } from "../lib/graphql.ts";
import { linkTo } from "../lib/links.ts";
import { useGraphql } from "../lib/queries.ts";
import { text } from "../texts/texts.ts";

const recentProjects = graphql(`
  query RecentProjects($first: Int!) {
    projects(first: $first, sort: { col: endTime, dir: desc }) { edges { node { id name } } }
  }
`);

const SHOWN = 12;

interface ProjectSwitcherProps {
  readonly projectId: string;
  readonly tab: ProjectTab;
}

export function ProjectSwitcher(props: ProjectSwitcherProps) {
  return (
    <Menu align="start" trigger={<IconButton small label={text("explorer.switch")} icon={<ChevronsUpDown />} />}>
      <Projects {...props} />
    </Menu>
  );
}

/** Drawn, and asked for, only while the menu is open. */
function Projects({ projectId, tab }: ProjectSwitcherProps) {
  const { data } = useGraphql(recentProjects, { first: SHOWN });
  const others = data?.projects.edges.filter(({ node }) => node.id !== projectId) ?? [];
  return (
    <>
      <MenuLabel>{text("explorer.switch.recent")}</MenuLabel>
      {others.map(({ node }) => (
        <MenuLink key={node.id} to={linkTo(tab, { projectId: node.id })}>
          {node.name}
        </MenuLink>
      ))}
      <MenuSeparator />
      <MenuLink to={linkTo("projects")} icon={<ListTree />}>
        {text("explorer.switch.all")}
      </MenuLink>
    </>
  );
}
