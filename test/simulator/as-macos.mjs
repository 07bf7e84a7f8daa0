// Loaded before the program by tests of what happens on macOS only. Nothing in
// the program itself knows of it.
Object.defineProperty(process, "platform", { value: "darwin" });
