/* Which addresses may stand in HTML: those that no browser takes for a program, however their scheme is hidden. */

// Browsers skip some of these inside a scheme's name, so none may hide one.
export const INVISIBLE = /[\s\p{C}\p{Z}]/gu;

/** Whether the address is relative or has one of the schemes; white space and invisible characters do not hide one. */
export function isSafeUrl(url: string, schemes: Set<string>): boolean {
  const bare = url.replace(INVISIBLE, '');
  const scheme = schemeOf(bare);
  return scheme === undefined || (schemes.has(scheme) && !hidesScript(bare));
}

/** What stands before the first colon, unless that is part of a path, query or fragment. */
function schemeOf(bare: string): string | undefined {
  const colon = bare.indexOf(':');
  const head = colon === -1 ? undefined : bare.slice(0, colon);
  return head === undefined || /[/?#]/.test(head) ? undefined : head.toLowerCase();
}

const SCRIPT_SCHEMES = new Set(['javascript', 'vbscript', 'data', 'livescript', 'mocha']);

/** `feed:javascript:…`: programs for the outer scheme have followed the inner one. Takes one without white space. */
export function hidesScript(url: string): boolean {
  let rest = url;
  for (let scheme = schemeOf(rest); scheme !== undefined; scheme = schemeOf(rest)) {
    if (SCRIPT_SCHEMES.has(scheme)) return true;
    rest = rest.slice(scheme.length + 1).replace(/^\/+/, '');
  }
  return false;
}
