// The bundler defines this in a build; here the modules run as they are. To be
// imported before any of them.
import packageJson from "../package.json" with { type: "json" };

Object.assign(globalThis, { COMMONPLACE_VERSION: packageJson.version });
