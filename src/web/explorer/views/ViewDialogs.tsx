// Saves, renames and deletes a view.
import type { ViewTab } from "../../../model/saved-view.ts";
import { viewNameProblem } from "../../../modules/tracing/views/view-address.rules.ts";
import { changeView, createView, deleteView, type SavedView } from "../../domain/views/views.queries.ts";
import { Checkbox, TextField } from "../../kit/Field.tsx";
import { ConfirmDialog } from "../../kit/form/ConfirmDialog.tsx";
import { FormDialog } from "../../kit/form/FormDialog.tsx";
import { useForm } from "../../kit/form/use-form.ts";
import { showToast } from "../../kit/Toast.tsx";
import { askGraphql } from "../../lib/graphql.ts";
import { useRights } from "../../lib/viewer.ts";
import { text } from "../../texts/texts.ts";

/** One at a time. */
export type OpenDialog = "save" | "rename" | "delete";

interface ViewDialogProps {
  readonly dialog: OpenDialog;
  readonly projectId: string;
  readonly tab: ViewTab;
  /** What the list is asked for now. */
  readonly query: string;
  /** The one that is shown. */
  readonly view: SavedView | null;
  /** The address names it from now on; null for none. */
  readonly onOpened: (id: string | null) => void;
  readonly onClose: () => void;
}

export default function ViewDialog({ dialog, view, ...rest }: ViewDialogProps) {
  if (dialog === "save") return <SaveDialog {...rest} />;
  if (view === null) return null;
  return dialog === "rename" ? <RenameDialog view={view} {...rest} /> : <DeleteDialog view={view} {...rest} />;
}

function problemOf(name: string): string | null {
  if (name.trim() === "") return text("views.name.empty");
  return viewNameProblem(name) === null ? null : text("views.name.long");
}

type SaveDialogProps = Omit<ViewDialogProps, "dialog" | "view">;

function SaveDialog({ projectId, tab, query, onOpened, onClose }: SaveDialogProps) {
  const { mayKeepOwn, mayWrite } = useRights();
  const form = useForm(
    { name: "", isShared: !mayKeepOwn },
    {
      send: ({ name, isShared }) =>
        askGraphql(createView, { input: { projectId, tab, query, name: name.trim(), isShared } }),
      changes: ["savedViews"],
      check: ({ name }) => ({ name: problemOf(name) }),
      refusalAt: "name",
      done({ createSavedView: { savedView } }) {
        onOpened(savedView.id);
        showToast(text("views.saved", { name: savedView.name }));
      },
      onClose,
    },
  );
  const { value, onChange } = form.field("isShared");
  return (
    <FormDialog open form={form} title={text("views.save.title")} submit={text("views.save.do")}>
      <TextField label={text("views.name")} autoComplete="off" {...form.field("name")} />
      {mayKeepOwn && mayWrite && (
        <Checkbox
          label={text("views.share")}
          hint={text("views.share.hint")}
          checked={value}
          onChange={(checked) => onChange(checked)}
        />
      )}
    </FormDialog>
  );
}

interface OwnDialogProps {
  readonly view: SavedView;
  readonly onOpened: (id: string | null) => void;
  readonly onClose: () => void;
}

function RenameDialog({ view, onOpened, onClose }: OwnDialogProps) {
  const form = useForm(
    { name: view.name },
    {
      send: ({ name }) => askGraphql(changeView, { input: { id: view.id, name: name.trim() } }),
      changes: ["savedViews"],
      check: ({ name }) => ({ name: problemOf(name) }),
      refusalAt: "name",
      done: () => onOpened(view.id),
      onClose,
    },
  );
  return (
    <FormDialog open form={form} title={text("views.rename.title")} submit={text("views.rename.do")}>
      <TextField label={text("views.name")} autoComplete="off" {...form.field("name")} />
    </FormDialog>
  );
}

function DeleteDialog({ view, onOpened, onClose }: OwnDialogProps) {
  const { name } = view;
  return (
    <ConfirmDialog
      title={text("views.delete.title", { name })}
      confirm={text("views.delete.do")}
      send={() => askGraphql(deleteView, { id: view.id })}
      changes={["savedViews"]}
      done={text("views.deleted", { name })}
      onDone={() => onOpened(null)}
      onClose={onClose}
    >
      <p>{text(view.isShared ? "views.delete.shared" : "views.delete.own")}</p>
    </ConfirmDialog>
  );
}
