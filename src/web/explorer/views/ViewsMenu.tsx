// The saved views of a project, beside the filter: named after the one that is shown, with a dot when its filters were changed.
import { Bookmark, Check, House, Lock, Pencil, Plus, Save, Trash2, Users } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { ViewTab } from "../../../model/saved-view.ts";
import { viewQuery } from "../../../modules/tracing/views/view-address.rules.ts";
import { useViews } from "../../domain/views/use-views.ts";
import { changeView, type SavedView, setStartView } from "../../domain/views/views.queries.ts";
import { linkToView, OPENED_VIEW, type ShownView, shownView } from "../../domain/views/views.ts";
import { Button } from "../../kit/Button.tsx";
import { Menu, MenuItem, MenuLabel, MenuLink, MenuSeparator } from "../../kit/Menu.tsx";
import { showToast } from "../../kit/Toast.tsx";
import { useAddress } from "../../lib/address.ts";
import { Late, late } from "../../lib/late.tsx";
import { useGraphqlMutation } from "../../lib/queries.ts";
import { useRights } from "../../lib/viewer.ts";
import { text } from "../../texts/texts.ts";
import type { OpenDialog } from "./ViewDialogs.tsx";
import styles from "./ViewsMenu.module.css";

const { Part: ViewDialog } = late(() => import("./ViewDialogs.tsx"));

interface ViewsMenuProps {
  readonly projectId: string;
  readonly tab: ViewTab;
}

export function ViewsMenu({ projectId, tab }: ViewsMenuProps) {
  const views = useViews(projectId);
  const address = useAddress();
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const { mayKeepOwn, mayWrite } = useRights();
  const shown = shownView(views ?? [], tab, address.parameters);
  const query = viewQuery(address.parameters);
  const changes = useViewChanges(projectId, query);
  const mayKeep = mayKeepOwn || mayWrite;
  // Nothing to choose from, and nothing to be kept.
  if (!mayKeep && views?.length === 0) return null;
  const openAt = (id: string | null) => address.set({ [OPENED_VIEW]: id }, "replace");
  return (
    <>
      <Menu
        align="start"
        trigger={
          <Button icon={<Bookmark />} aria-label={labelOf(shown)} title={shown?.view.name}>
            <ButtonText shown={shown} />
          </Button>
        }
      >
        <List projectId={projectId} views={views ?? []} shown={shown} />
        {mayKeep && (
          <MenuItem icon={<Plus />} onSelect={() => setDialog("save")}>
            {text("views.save")}
          </MenuItem>
        )}
        {shown !== null && <Changes shown={shown} changes={changes} onDialog={setDialog} />}
      </Menu>
      <Late keys="page">
        {dialog !== null && (
          <ViewDialog
            dialog={dialog}
            projectId={projectId}
            tab={tab}
            query={query}
            view={shown?.view ?? null}
            onOpened={openAt}
            onClose={() => setDialog(null)}
          />
        )}
      </Late>
    </>
  );
}

function labelOf(shown: ShownView | null): string {
  if (shown === null) return text("views.title");
  return text(shown.changed ? "views.shown.changed" : "views.shown", { name: shown.view.name });
}

function ButtonText({ shown }: { readonly shown: ShownView | null }) {
  if (shown === null) return text("views.title");
  return (
    <span className={styles.shown}>
      <span className={styles.name}>{shown.view.name}</span>
      {shown.changed && <span className={styles.dot} />}
    </span>
  );
}

interface ViewChanges {
  /** The view asks for what the list is asked for now. */
  readonly replace: (view: SavedView) => void;
  /** For everybody, or private again. */
  readonly share: (view: SavedView) => void;
  /** The project opens with the view, or no longer. */
  readonly setStart: (view: SavedView) => void;
}

/** They outlast the menu, which is closed by the choice. */
function useViewChanges(projectId: string, query: string): ViewChanges {
  const replacing = useGraphqlMutation(changeView, ["savedViews"]);
  const starting = useGraphqlMutation(setStartView, ["savedViews"]);
  const confirmed = (message: string) => ({
    onSuccess: () => showToast(message),
    onError: (error: Error) => showToast(error.message, "error"),
  });
  return {
    replace: ({ id, name }) => replacing.mutate({ input: { id, query } }, confirmed(text("views.replaced", { name }))),
    share: ({ id, name, isShared }) =>
      replacing.mutate(
        { input: { id, isShared: !isShared } },
        confirmed(text(isShared ? "views.unshared" : "views.shared.now", { name })),
      ),
    setStart: ({ id, name, isStart }) =>
      starting.mutate(
        { input: { projectId, viewId: isStart ? null : id } },
        confirmed(text(isStart ? "views.start.ended" : "views.start.begun", { name })),
      ),
  };
}

interface ListProps {
  readonly projectId: string;
  readonly views: readonly SavedView[];
  readonly shown: ShownView | null;
}

function List({ projectId, views, shown }: ListProps) {
  const links = (given: readonly SavedView[]) =>
    given.map((view) => (
      <MenuLink
        key={view.id}
        to={linkToView(projectId, view)}
        current={view.id === shown?.view.id}
        icon={<span className={styles.mark}>{view.id === shown?.view.id && <Check />}</span>}
      >
        <span className={styles.name}>{view.name}</span>
        <small className={styles.tab}>
          {view.isStart && <House aria-label={text("views.start.is")} />}
          {text(`explorer.tab.${view.tab}`)}
        </small>
      </MenuLink>
    ));
  const group = (label: string, given: readonly SavedView[]): ReactNode =>
    given.length > 0 && (
      <>
        <MenuLabel>{label}</MenuLabel>
        {links(given)}
      </>
    );
  return (
    <>
      {group(
        text("views.own"),
        views.filter(({ isShared }) => !isShared),
      )}
      {group(
        text("views.shared"),
        views.filter(({ isShared }) => isShared),
      )}
      {views.length === 0 ? <p className={styles.none}>{text("views.none")}</p> : <MenuSeparator />}
    </>
  );
}

interface ChangesProps {
  readonly shown: ShownView;
  readonly changes: ViewChanges;
  readonly onDialog: (dialog: OpenDialog) => void;
}

/** What can be done with the view that is shown: one for everybody is changed by who saved it and by administrators. */
function Changes({ shown: { view, changed }, changes, onDialog }: ChangesProps) {
  const { mayWrite, mayKeepOwn, mayAdminister } = useRights();
  const mayChange = view.isShared ? mayAdminister || (mayWrite && view.isOwn) : mayKeepOwn;
  const mayStart = view.isShared && mayWrite;
  if (!mayChange && !mayStart) return null;
  return (
    <>
      <MenuSeparator />
      {mayChange && changed && (
        <MenuItem icon={<Save />} onSelect={() => changes.replace(view)}>
          <span className={styles.name}>{text("views.replace", { name: view.name })}</span>
        </MenuItem>
      )}
      {mayChange && (
        <MenuItem icon={<Pencil />} onSelect={() => onDialog("rename")}>
          {text("views.rename")}
        </MenuItem>
      )}
      {mayWrite && view.isOwn && !view.isStart && (
        <MenuItem icon={view.isShared ? <Lock /> : <Users />} onSelect={() => changes.share(view)}>
          {text(view.isShared ? "views.unshare" : "views.share.do")}
        </MenuItem>
      )}
      {mayStart && (
        <MenuItem icon={<House />} onSelect={() => changes.setStart(view)}>
          {text(view.isStart ? "views.start.end" : "views.start")}
        </MenuItem>
      )}
      {mayChange && (
        <MenuItem danger icon={<Trash2 />} onSelect={() => onDialog("delete")}>
          {text("views.delete")}
        </MenuItem>
      )}
    </>
  );
}
