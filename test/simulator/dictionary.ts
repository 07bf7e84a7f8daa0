// OmniOutliner's scripting dictionary as JavaScript for Automation shows it:
// specifiers that are evaluated by calling them. Every evaluation and every command
// is an Apple Event, refused if the person has not allowed it.
import { evaluateAutomation } from "./automation.ts";
import { AppleEventError, Model, noSuchObject, notUnderstood, type Location } from "./model.ts";
import type { SimulatedDocument, SimulatedRow, SimulatedState } from "./state.ts";

/** What `Application("OmniOutliner")` returns, and the models of its documents. */
export function applicationOf(state: SimulatedState) {
  const models = new Map<SimulatedDocument, Model>();
  const modelOf = (document: SimulatedDocument) => {
    const model = models.get(document) ?? new Model(document, state);
    models.set(document, model);
    return model;
  };
  const event = <T>(work: () => T): T => {
    if (!state.isRunning) {
      state.wasLaunched = true;
      throw new AppleEventError(-600, "Application isn't running.");
    }
    if (!state.isAllowed) throw new AppleEventError(-1743, "Not authorized to send Apple events to OmniOutliner.");
    if (!state.isPro) throw new AppleEventError(-10000, "AppleScript support is a Pro feature.");
    return work();
  };
  const rows = new WeakMap<object, { model: Model; row: () => SimulatedRow }>();
  const places = new WeakMap<object, { model: Model; location: () => Location }>();
  const placeOf = (made: unknown) => {
    const place = places.get(made as object);
    if (place === undefined) throw new AppleEventError(-1700, "Can't convert types.");
    return place;
  };
  const place = (model: Model, location: () => Location) => {
    const made = {};
    places.set(made, { model, location });
    return made;
  };

  const rowSpecifier = (model: Model, id: string): object => {
    const row = () => {
      const found = model.all.get(id);
      if (found === undefined) throw noSuchObject();
      return found.row;
    };
    const parent = () => {
      row();
      return model.all.get(id)!.parent;
    };
    const members = {
      ...properties(model, ROW_PROPERTIES, row, event),
      children: elements(
        model,
        () => row().children,
        () => row(),
      ),
      get before() {
        return place(model, () => ({ parent: parent(), before: row() }));
      },
    };
    const specifier = specified("row", members, (name, value) =>
      event(() =>
        model.event(() => {
          const set = SETTERS[name];
          if (set === undefined) throw notUnderstood();
          if (name === "state" && !state.takesStates) return;
          const target = row();
          model.changing();
          set(target, value);
        }),
      ),
    );
    rows.set(specifier, { model, row });
    return specifier;
  };

  /** Elements: calling them returns a list of specifiers; a property returns all its values in one event. */
  const elements = (model: Model, list: () => SimulatedRow[], parent: () => SimulatedRow | null): object => {
    const all = () => event(() => list().map(({ id }) => rowSpecifier(model, id)));
    Object.defineProperty(all, "length", { get: () => event(() => list().length) });
    const bulk = Object.fromEntries(
      Object.entries(ROW_PROPERTIES).map(([name, get]) => [
        name,
        () => event(() => list().map((row) => get(row, model))),
      ]),
    );
    return specified(
      "elements",
      Object.assign(all, bulk, {
        byId: (id: string) => rowSpecifier(model, id),
        get end() {
          return place(model, () => ({ parent: parent(), before: null }));
        },
      }),
    );
  };

  const documentSpecifier = (document: SimulatedDocument): object => {
    const model = modelOf(document);
    return specified("document", {
      name: () => event(() => document.name),
      file: () => event(() => (document.path === null ? null : { toString: () => document.path })),
      modified: () => event(() => document.undo.length > 0),
      undo: () => event(() => model.step("undo")),
      redo: () => event(() => model.step("redo")),
      rows: elements(
        model,
        () => [...model.all.values()].map(({ row }) => row),
        () => null,
      ),
      children: elements(
        model,
        () => document.rows,
        () => null,
      ),
    });
  };

  const application = specified("application", {
    running: () => state.isRunning,
    version: () => event(() => "5.14"),
    documents: () => event(() => state.documents.map(documentSpecifier)),
    evaluateJavascript: (source: string) =>
      event(() => {
        const [front] = state.documents;
        if (!state.answersAutomation || front === undefined) throw notUnderstood();
        return evaluateAutomation(source, modelOf(front), state);
      }),
    make: ({
      new: what,
      at,
      withProperties = {},
    }: {
      new: string;
      at: unknown;
      withProperties?: Record<string, unknown>;
    }) =>
      event(() => {
        if (what !== "row") throw notUnderstood();
        const { model, location } = placeOf(at);
        return model.event(() => {
          const row = model.newRow();
          for (const [name, value] of Object.entries(withProperties)) SETTERS[name]!(row, value);
          model.insert(row, location());
          return rowSpecifier(model, row.id);
        });
      }),
    delete: (specifier: object) =>
      event(() => {
        const { model, row } = rows.get(specifier)!;
        model.event(() => model.remove(row().id));
      }),
    move: (specifier: object, { to }: { to: unknown }) =>
      event(() => {
        if (!state.movesRows) throw notUnderstood();
        const { model, row } = rows.get(specifier)!;
        model.event(() => model.move(row().id, placeOf(to).location()));
      }),
    duplicate: (specifier: object, { to }: { to: unknown }) =>
      event(() => {
        const { model, row } = rows.get(specifier)!;
        return model.event(() => {
          const copy = model.copyOf(row());
          model.insert(copy, placeOf(to).location());
          return rowSpecifier(model, copy.id);
        });
      }),
  });
  return { application, models };
}

const NAMES = { checked: "checked", unchecked: "unchecked", mixed: "indeterminate" } as const;

const ROW_PROPERTIES: Readonly<Record<string, (row: SimulatedRow, model: Model) => unknown>> = {
  id: ({ id }) => id,
  topic: ({ topic }) => topic,
  note: ({ note }) => note,
  level: ({ id }, model) => model.levelOf(id),
  state: ({ state }) => state && NAMES[state],
  hasSubtopics: ({ children }) => children.length > 0,
};

const SETTERS: Readonly<Record<string, (row: SimulatedRow, value: unknown) => void>> = {
  topic: (row, value) => (row.topic = String(value)),
  note: (row, value) => (row.note = String(value)),
  state: (row, value) => {
    const found = Object.entries(NAMES).find(([, name]) => name === value);
    if (found === undefined) throw new AppleEventError(-1700, "Can't convert types.");
    row.state = found[0] as SimulatedRow["state"];
  },
};

function properties(
  model: Model,
  all: typeof ROW_PROPERTIES,
  row: () => SimulatedRow,
  event: <T>(work: () => T) => T,
): Record<string, () => unknown> {
  return Object.fromEntries(Object.entries(all).map(([name, get]) => [name, () => event(() => get(row(), model))]));
}

/** A specifier with the documented names; any other is an Apple Event that is not understood. */
function specified<T extends object>(kind: string, members: T, set?: (name: string, value: unknown) => void): T {
  return new Proxy(members, {
    get: (target, key, receiver) => {
      if (typeof key === "string" && !(key in target))
        throw new AppleEventError(-1708, `Message not understood: ${kind} ${key}.`);
      return Reflect.get(target, key, receiver) as unknown;
    },
    set: (_target, key, value) => {
      if (set === undefined) throw notUnderstood();
      set(String(key), value);
      return true;
    },
  });
}
