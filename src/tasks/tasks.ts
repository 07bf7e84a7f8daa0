// The front door of tasks/: the check boxes of notes and outlines as one list of
// tasks, with the fields of the Tasks plugin and of Dataview, and changes to them.
export { type TaskChange } from "./changes.ts";

export { listTasks, type ShownTask, type TaskGroup, type TaskQuestion } from "./list.ts";
export { tickingTasks } from "./ticked-text.ts";
export { updateTask } from "./update.ts";
