// The command palette: whatever an id names, projects (found by the server), tabs, views, pages, settings, actions. Loaded when it is
// opened for the first time.
import { Command } from "cmdk";
import { type ReactNode, useState } from "react";
import { useLocation } from "wouter";
import { Dialog } from "../kit/Dialog.tsx";
import { useDebounced } from "../lib/debounced.ts";
import { linkToOpening } from "../lib/project-tab.ts";
import { useGraphql } from "../lib/queries.ts";
import { chooseTheme, type Theme, themes } from "../lib/theme.ts";
import { text } from "../texts/texts.ts";
import { openShellDialog } from "./dialogs.ts";
import { navigation } from "./navigation.ts";
import styles from "./Palette.module.css";
import { foundProjects } from "./palette.queries.ts";
import { useFoundById } from "./palette-ids.ts";
import { useSettingsPlaces, useTabPlaces, useViewPlaces } from "./palette-places.ts";

const FOUND_AT_ONCE = 8;

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
  const byId = useFoundById(search);
  const tabs = useTabPlaces();
  const views = useViewPlaces();
  const settings = useSettingsPlaces();
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
        {byId.length > 0 && (
          <Group heading={text("palette.ids")}>
            {byId.map(({ key, label, project, to }) => (
              // What was typed is an id, which need not stand in the label.
              <Item key={key} value={`${search} ${key}`} onSelect={() => goTo(to)}>
                <span className={styles.label}>{label}</span>
                <span className={styles.aside}>{project}</span>
              </Item>
            ))}
          </Group>
        )}
        {tabs.length > 0 && (
          <Group heading={text("palette.tabs")}>
            {tabs.map(({ label, to }) => (
              <Item key={to} value={`${label} ${text("palette.tabs")}`} onSelect={() => goTo(to)}>
                {label}
              </Item>
            ))}
          </Group>
        )}
        {views.length > 0 && (
          <Group heading={text("palette.views")}>
            {views.map(({ id, label, tab, to }) => (
              <Item key={id} value={`${label} ${text("palette.views")} ${id}`} onSelect={() => goTo(to)}>
                <span className={styles.label}>{label}</span>
                <span className={styles.aside}>{tab}</span>
              </Item>
            ))}
          </Group>
        )}
        <Group heading={text("projects.title")}>
          {projects.data?.projects.edges.map(({ node }) => (
            <Item key={node.id} value={`${node.name} ${node.id}`} onSelect={() => goTo(linkToOpening(node.id))}>
              {node.name}
            </Item>
          ))}
        </Group>
        <Group heading={text("palette.pages")}>
          {navigation.map(({ to, label, icon: Icon }) => (
            <Item key={to} value={text(label)} onSelect={() => goTo(to)}>
              <Icon />
              {text(label)}
            </Item>
          ))}
          {settings.map(({ label, to }) => (
            <Item key={to} value={label} onSelect={() => goTo(to)}>
              {label}
            </Item>
          ))}
        </Group>
        <Group heading={text("palette.actions")}>
          {themes.map((each) => {
            const label = `${text("shell.theme")}: ${text(`shell.theme.${each}`)}`;
            return (
              <Item key={each} value={label} onSelect={() => theme(each)}>
                {label}
              </Item>
            );
          })}
          <Item
            value={text("shell.help")}
            onSelect={() => {
              onClose();
              openShellDialog("help");
            }}
          >
            {text("shell.help")}
          </Item>
        </Group>
      </Command.List>
    </Command>
  );
}

function Group({ heading, children }: { readonly heading: string; readonly children: ReactNode }) {
  return (
    <Command.Group heading={heading} className={styles.group}>
      {children}
    </Command.Group>
  );
}

interface ItemProps {
  /** What the typed words are held against. */
  readonly value: string;
  readonly onSelect: () => void;
  readonly children: ReactNode;
}

function Item({ value, onSelect, children }: ItemProps) {
  return (
    <Command.Item value={value} className={styles.item} onSelect={onSelect}>
      {children}
    </Command.Item>
  );
}
