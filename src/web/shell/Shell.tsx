// The shell around every page: the sidebar, the page, toasts, the palette and the help.
import { useEffect, useState } from "react";
import { useLocation } from "wouter";
import { publicPages } from "../declared-pages.ts";
import { listenToKeys, useShortcut } from "../kit/keys.ts";
import { Notice } from "../kit/States.tsx";
import { Toasts } from "../kit/Toast.tsx";
import { Late, late } from "../lib/late.tsx";
import { start } from "../lib/start.ts";
import { CurrentPage, pageAt } from "../router.tsx";
import { text } from "../texts/texts.ts";
import { ConnectionNotice } from "./ConnectionNotice.tsx";
import { openShellDialog, useShellDialog } from "./dialogs.ts";
import { KeyHelp } from "./KeyHelp.tsx";
import { LeaveDialog } from "./LeaveDialog.tsx";
import styles from "./Shell.module.css";
import { Sidebar } from "./Sidebar.tsx";
import { SignInAgain } from "./SignInAgain.tsx";
import { SignInGate } from "./SignInGate.tsx";
import { TimeZoneDialog } from "./TimeZoneDialog.tsx";
import { useUpgrade } from "./use-upgrade.ts";

const { Part: Palette } = late(() => import("./Palette.tsx"));

export function Shell() {
  const [path] = useLocation();
  const page = pageAt(path);
  if (page !== null && publicPages.has(page)) {
    return (
      <>
        <CurrentPage />
        <Toasts />
      </>
    );
  }
  return (
    <SignInGate>
      <SignedIn />
      <SignInAgain />
    </SignInGate>
  );
}

function SignedIn() {
  const open = useShellDialog();
  // Once opened, it stays: the browser closes it with what it holds.
  const [paletteWanted, setPaletteWanted] = useState(false);
  useEffect(listenToKeys, []);
  useUpgrade();
  useEffect(() => {
    if (open === "palette") setPaletteWanted(true);
  }, [open]);
  const group = "keys.anywhere" as const;
  useShortcut({ keys: "mod+k", label: "keys.palette", group, inFields: true, run: () => openShellDialog("palette") });
  useShortcut({ keys: "?", label: "keys.help", group, run: () => openShellDialog("help") });
  return (
    <div className={styles.shell}>
      <button type="button" className={styles.skip} onClick={skip}>
        {text("shell.skip")}
      </button>
      <Sidebar />
      <div className={styles.main}>
        <ConnectionNotice />
        {start.readOnly && <Notice tone="warn">{text("shell.readonly")}</Notice>}
        <CurrentPage />
      </div>
      <Toasts />
      <LeaveDialog />
      <KeyHelp open={open === "help"} onClose={() => openShellDialog(null)} />
      <TimeZoneDialog open={open === "zone"} onClose={() => openShellDialog(null)} />
      {paletteWanted && (
        <Late keys="fields">
          <Palette open={open === "palette"} onClose={() => openShellDialog(null)} />
        </Late>
      )}
    </div>
  );
}

function skip(): void {
  document.getElementById("content")?.focus();
}
