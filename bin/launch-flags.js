// Node's options for the server: what `connect`, the bundle and `npm start`
// write, and what tests and benchmarks of memory start it with.
//
// By itself V8 lets young objects take up to 100 MB, and garbage up to three
// times what is in use: 176 MB of memory after some hundred searches of 10,000 notes,
// against 126 with these. A smaller limit of the heap makes V8 collect garbage
// sooner; nothing that the server does comes near to it.
"use strict";

exports.LAUNCH_FLAGS = ["--max-semi-space-size=4", "--max-old-space-size=1024"];
