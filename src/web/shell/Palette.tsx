// The command palette: pages, projects (found by the server), actions. Loaded when it is opened for the first time.
import { Command } from "cmdk";
import { useState } from "react";
import { useLocation } from "wouter";
import { Dialog } from "../kit/Dialog.tsx";
import { useDebounced } from "../lib/debounced.ts";
import { graphql } from "../lib/graphql.ts";
import { linkToProject } from "../lib/links.ts";
import { useGraphql } from "../lib/queries.ts";
import { chooseTheme, type Theme, themes } from "../lib/theme.ts";
import { text } from "../texts/texts.ts";
import { openShellDialog } from "./dialogs.ts";
import { navigation } from "./navigation.ts";
import styles from "./Palette.module.css";

const FOUND_AT_ONCE = 8;

const foundProjects = graphql(`
  query PaletteProjects($first: Int!, $search: String!) {
    projects(first: $first, filter: { col: name, value: $search }, sort: { col: endTime, dir: desc }) {
      edges { node { id name } }
    }
  }
`);

export default function Palette({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }) {
  return (
    <Dialog bare open={open} onClose={onClose} title={text("palette.title")}>
      <Commands onClose={onClose} />
    </Dialog>
  );
}

function Commands({ onClose }: { readonly onClose: () => void }) {
  const [typed, setTyped] = useState("");
  const search = useDebounced(typed.trim());
  const [, navigate] = useLocation();
  const projects = useGraphql(foundProjects, { first: FOUND_AT_ONCE, search }, { keepPrevious: true });
  const goTo = (to: string) => {
    onClose();
    navigate(to);
  };
  const theme = (chosen: Theme) => {
    onClose();
    chooseTheme(chosen);
  };
  return (
    <Command label={text("palette.title")} loop>
      <Command.Input
        value={typed}
        onValueChange={setTyped}
        placeholder={text("palette.placeholder")}
        className={styles.input}
      />
      <Command.List className={styles.list}>
        <Command.Empty className={styles.empty}>{text("palette.empty")}</Command.Empty>
        <Command.Group heading={text("shell.projects")} className={styles.group}>
          {projects.data?.projects.edges.map(({ node }) => (
            <Command.Item
              key={node.id}
              value={`${node.name} ${node.id}`}
              className={styles.item}
              onSelect={() => goTo(linkToProject(node.id))}
            >
              {node.name}
            </Command.Item>
          ))}
        </Command.Group>
        <Command.Group heading={text("palette.pages")} className={styles.group}>
          {navigation.map(({ to, label, icon: Icon }) => (
            <Command.Item key={to} value={text(label)} className={styles.item} onSelect={() => goTo(to)}>
              <Icon />
              {text(label)}
            </Command.Item>
          ))}
        </Command.Group>
        <Command.Group heading={text("palette.actions")} className={styles.group}>
          {themes.map((each) => {
            const label = `${text("shell.theme")}: ${text(`shell.theme.${each}`)}`;
            return (
              <Command.Item key={each} value={label} className={styles.item} onSelect={() => theme(each)}>
                {label}
              </Command.Item>
            );
          })}
          <Command.Item
            value={text("shell.help")}
            className={styles.item}
            onSelect={() => {
              onClose();
              openShellDialog("help");
            }}
          >
            {text("shell.help")}
          </Command.Item>
        </Command.Group>
      </Command.List>
    </Command>
  );
}
