// A menu that a button opens, and a popover for anything that is no list of actions.
import { Check } from "lucide-react";
import { DropdownMenu, Popover as PopoverPrimitive } from "radix-ui";
import { type ReactElement, type ReactNode, useState } from "react";
import { createPortal } from "react-dom";
import { Link } from "wouter";
import { classes } from "./classes.ts";
import { useLayer } from "./layer.ts";
import styles from "./Menu.module.css";

interface MenuProps {
  /** The button. */
  readonly trigger: ReactElement;
  readonly children: ReactNode;
  readonly align?: "start" | "end";
  readonly side?: "bottom" | "right";
}

export function Menu({ trigger, children, align = "end", side = "bottom" }: MenuProps) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <MenuSurface align={align} side={side}>
        {children}
      </MenuSurface>
    </DropdownMenu.Root>
  );
}

interface PointMenuProps {
  /** Pixels of the window. */
  readonly at: { readonly left: number; readonly top: number };
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A menu where the pointer asked for it. */
export function PointMenu({ at, onClose, children }: PointMenuProps) {
  return (
    <DropdownMenu.Root open modal={false} onOpenChange={(open) => !open && onClose()}>
      {createPortal(
        // Outside whatever contains the pointer: there `fixed` may mean another box than the window.
        <DropdownMenu.Trigger aria-hidden="true" tabIndex={-1} className={styles.point} style={at} />,
        document.body,
      )}
      <MenuSurface align="start" side="bottom">
        {children}
      </MenuSurface>
    </DropdownMenu.Root>
  );
}

function MenuSurface({ children, ...place }: Required<Pick<MenuProps, "align" | "side" | "children">>) {
  return (
    <DropdownMenu.Portal {...useLayer()}>
      <DropdownMenu.Content
        {...place}
        sideOffset={4}
        collisionPadding={8}
        className={classes(styles.surface, styles.menu)}
      >
        {children}
      </DropdownMenu.Content>
    </DropdownMenu.Portal>
  );
}

interface MenuItemProps {
  readonly onSelect: () => void;
  readonly icon?: ReactNode;
  readonly danger?: boolean;
  readonly disabled?: boolean;
  /** Why it cannot be chosen, below its name; null when it can. */
  readonly reason?: string | null;
  readonly children: ReactNode;
}

export function MenuItem(props: MenuItemProps) {
  const { onSelect, icon, danger = false, reason = null, disabled = reason !== null, children } = props;
  return (
    <DropdownMenu.Item
      onSelect={onSelect}
      disabled={disabled}
      className={classes(styles.item, danger && styles.danger)}
    >
      {icon}
      {reason === null ? (
        children
      ) : (
        <span>
          {children}
          <small className={styles.reason}>{reason}</small>
        </span>
      )}
    </DropdownMenu.Item>
  );
}

interface MenuLinkProps {
  /** Of ours, below the root path; or, with `file`, a document that the router does not know. */
  readonly to: string;
  readonly file?: boolean;
  /** It leads to what is shown. */
  readonly current?: boolean;
  readonly icon?: ReactNode;
  readonly children: ReactNode;
}

export function MenuLink({ to, file = false, current = false, icon, children }: MenuLinkProps) {
  return (
    <DropdownMenu.Item asChild className={styles.item}>
      {file ? (
        <a href={to}>
          {icon}
          {children}
        </a>
      ) : (
        <Link href={to} {...(current ? { "aria-current": "true" as const } : {})}>
          {icon}
          {children}
        </Link>
      )}
    </DropdownMenu.Item>
  );
}

interface MenuChoiceProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly choices: readonly { readonly value: Value; readonly label: string }[];
  readonly onChange: (value: Value) => void;
}

/** One of several, as a labelled group of a menu. */
export function MenuChoice<Value extends string>({ label, value, choices, onChange }: MenuChoiceProps<Value>) {
  return (
    <DropdownMenu.RadioGroup value={value} onValueChange={(next) => onChange(next as Value)}>
      <DropdownMenu.Label className={styles.label}>{label}</DropdownMenu.Label>
      {choices.map((choice) => (
        <DropdownMenu.RadioItem key={choice.value} value={choice.value} className={styles.item}>
          <span className={styles.mark}>
            <DropdownMenu.ItemIndicator>
              <Check />
            </DropdownMenu.ItemIndicator>
          </span>
          {choice.label}
        </DropdownMenu.RadioItem>
      ))}
    </DropdownMenu.RadioGroup>
  );
}

export function MenuSeparator() {
  return <DropdownMenu.Separator className={styles.separator} />;
}

export function MenuLabel({ children }: { readonly children: ReactNode }) {
  return <DropdownMenu.Label className={styles.label}>{children}</DropdownMenu.Label>;
}

interface PopoverProps {
  readonly trigger: ReactElement;
  readonly label: string;
  readonly children: ReactNode | ((close: () => void) => ReactNode);
  readonly align?: "start" | "end";
  /** Where something else than the trigger opens it, too. */
  readonly state?: readonly [open: boolean, onOpenChange: (open: boolean) => void];
}

export function Popover({ trigger, label, children, align = "end", state }: PopoverProps) {
  const own = useState(false);
  const [open, onOpenChange] = state ?? own;
  return (
    <PopoverPrimitive.Root open={open} onOpenChange={onOpenChange}>
      <PopoverPrimitive.Trigger asChild>{trigger}</PopoverPrimitive.Trigger>
      <PopoverPrimitive.Portal {...useLayer()}>
        <PopoverPrimitive.Content
          align={align}
          sideOffset={4}
          collisionPadding={8}
          aria-label={label}
          className={classes(styles.surface, styles.popover)}
        >
          {typeof children === "function" ? children(() => onOpenChange(false)) : children}
        </PopoverPrimitive.Content>
      </PopoverPrimitive.Portal>
    </PopoverPrimitive.Root>
  );
}
