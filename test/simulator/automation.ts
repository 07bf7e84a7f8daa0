// Omni Automation as OmniOutliner documents it: a separate JavaScript context with
// `document` and `State`. Undocumented names throw, so that no script relies on one.
import { createContext, runInContext } from "node:vm";
import type { Model, Location } from "./model.ts";
import type { SimulatedRow, SimulatedState } from "./state.ts";

/** About what the application accepts. */
const MAX_SCRIPT_LENGTH = 260_000;

export function evaluateAutomation(source: string, model: Model, state: SimulatedState): unknown {
  if (source.length > MAX_SCRIPT_LENGTH) throw new Error("The script is too long.");
  const context = createContext({ document: documentOf(model, state), State });
  return model.event(() => runInContext(source, context));
}

const State = strict("State", { Checked: Symbol("Checked"), Unchecked: Symbol("Unchecked"), Mixed: Symbol("Mixed") });
const STATES = new Map<unknown, SimulatedRow["state"]>([
  [State["Checked"], "checked"],
  [State["Unchecked"], "unchecked"],
  [State["Mixed"], "mixed"],
  [null, null],
]);
const VALUES = new Map([...STATES].map(([value, name]) => [name, value]));

function documentOf(model: Model, state: SimulatedState) {
  const { document } = model;
  const positions = new WeakMap<object, Location>();
  const position = (location: Location) => {
    const made = Object.freeze({});
    positions.set(made, location);
    return made;
  };
  const locationOf = (made: unknown) => {
    const location = positions.get(made as object);
    if (location === undefined) throw new TypeError("Not a position");
    return location;
  };
  const rowOfItem = new WeakMap<object, SimulatedRow>();
  const items = new Map<string, object>();
  const statusColumn = strict("Column", {});

  const set = (change: () => void) => {
    model.changing();
    change();
  };

  const itemOf = (row: SimulatedRow): object => {
    const known = items.get(row.id);
    if (known !== undefined) return known;
    const siblingsOf = () => model.childrenOf(model.all.get(row.id)!.parent);
    const setState = (value: unknown) => {
      if (!STATES.has(value)) throw new TypeError("Not a State");
      if (state.takesStates) set(() => (row.state = STATES.get(value)!));
    };
    const item = strict("Item", {
      identifier: row.id,
      get topic() {
        return row.topic;
      },
      set topic(text: string) {
        set(() => (row.topic = String(text)));
      },
      get note() {
        return row.note;
      },
      set note(text: string) {
        set(() => (row.note = String(text)));
      },
      // A parent's own value, which is not what the window shows.
      get state() {
        return VALUES.get(row.state);
      },
      set state(value: unknown) {
        setState(value);
      },
      setValueForColumn: (value: unknown, column: unknown) => {
        if (column === statusColumn) setState(value);
      },
      get level() {
        return model.levelOf(row.id);
      },
      get index() {
        return siblingsOf().indexOf(row);
      },
      get parent() {
        const { parent } = model.all.get(row.id)!;
        return parent === null ? rootItem : itemOf(parent);
      },
      get children() {
        return row.children.map(itemOf);
      },
      get hasChildren() {
        return row.children.length > 0;
      },
      addChild: (at: unknown, change?: (item: object) => void) => added(at, row, change),
      remove: () => void model.remove(row.id),
      get beginning() {
        return position({ parent: row, before: row.children[0] ?? null });
      },
      get end() {
        return position({ parent: row, before: null });
      },
      get before() {
        return position({ parent: model.all.get(row.id)!.parent, before: row });
      },
      get after() {
        const siblings = siblingsOf();
        return position({ parent: model.all.get(row.id)!.parent, before: siblings[siblings.indexOf(row) + 1] ?? null });
      },
    });
    items.set(row.id, item);
    rowOfItem.set(item, row);
    return item;
  };

  const added = (at: unknown, parent: SimulatedRow | null, change?: (item: object) => void) => {
    const row = model.newRow();
    model.insert(row, at === null || at === undefined ? { parent, before: null } : locationOf(at));
    const item = itemOf(row);
    change?.(item);
    return item;
  };

  const rootItem: object = strict("Item", {
    identifier: "root",
    level: 0,
    parent: null,
    get children() {
      return document.rows.map(itemOf);
    },
    get hasChildren() {
      return document.rows.length > 0;
    },
    get descendants() {
      return [...model.all.values()].map(({ row }) => itemOf(row));
    },
    addChild: (at: unknown, change?: (item: object) => void) => added(at, null, change),
    get beginning() {
      return position({ parent: null, before: document.rows[0] ?? null });
    },
    get end() {
      return position({ parent: null, before: null });
    },
  });

  const outline = strict("Outline", {
    rootItem,
    statusColumn,
    itemWithIdentifier: (id: string) => {
      const found = model.all.get(id);
      return found === undefined ? null : itemOf(found.row);
    },
    moveItems: (moved: object[], at: unknown) => {
      for (const item of moved) model.move(rowOfItem.get(item)!.id, locationOf(at));
    },
  });

  const step = (name: "undo" | "redo") => {
    model.step(name);
    items.clear();
  };

  return strict("Document", {
    name: document.name,
    outline,
    get canUndo() {
      return document.undo.length > 0;
    },
    get canRedo() {
      return document.redo.length > 0;
    },
    undo: () => step("undo"),
    redo: () => step("redo"),
  });
}

/** An object with the documented names, which throws on any other. */
function strict<T extends object>(name: string, members: T): T & Record<string, unknown> {
  return new Proxy(members, {
    get: (target, key, receiver) => {
      if (typeof key === "string" && !(key in target)) throw new Error(`${name} has no ${key}`);
      return Reflect.get(target, key, receiver) as unknown;
    },
    set: (target, key, value, receiver) => {
      if (!(key in target)) throw new Error(`${name} has no ${String(key)}`);
      return Reflect.set(target, key, value, receiver);
    },
  }) as T & Record<string, unknown>;
}
