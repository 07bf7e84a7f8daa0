// The bundler defines this in a build; here the modules of src/ run as they are,
// so this is imported before them.
import packageJson from "../../package.json" with { type: "json" };

Object.assign(globalThis, { COMMONPLACE_VERSION: packageJson.version });
