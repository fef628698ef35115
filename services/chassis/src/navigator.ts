/**
 * Imported before the database's library, which asks by `navigator` whether it runs on another kind of machine, and where there is
 * none makes a `Response` to see: that loads all of `fetch`, a tenth of a process's start and 2 MB for as long as it runs.
 * Node has had a navigator since 21.
 */
if (!('navigator' in globalThis))
  Object.defineProperty(globalThis, 'navigator', {
    value: { userAgent: `Node.js/${process.versions.node.split('.', 1)[0]}` },
    configurable: true,
    writable: true,
  });
