"use strict";
// Sentences that were made in English, in another language: what phrases.rs does, for pages. A phrase is English
// and its translation; a name in braces is a value.
globalThis.phraseBook = (phrases) => {
  const plain = new Map(), patterns = [];
  for (const [from, to] of Object.entries(phrases)) {
    if (!/\{\w+\}/.test(from)) { plain.set(from, to); continue; }
    const values = [];
    const source = from.replace(/[.*+?^$()|[\]\\]/g, "\\$&").replace(/\{(\w+)\}/g, (_, name) => { values.push(name); return "((?:(?!; ).)+?)"; });
    patterns.push({ pattern: new RegExp("^" + source + "$"), values, to, length: from.replace(/\{\w+\}/g, "").length });
  }
  // The longest first: it says most.
  patterns.sort((a, b) => b.length - a.length);
  const listed = (said) => {
    const parts = said.split("; ");
    const others = parts.length > 1 ? parts.map(translated) : [];
    return others.some((other) => other !== null) ? others.map((other, at) => other ?? parts[at]).join("；") : null;
  };
  function translated(text) {
    const said = text.trim().replace(/\s+/g, " ");
    if (!/[A-Za-z]{2}/.test(said)) return null;
    const found = plain.get(said);
    if (found !== undefined) return found;
    for (const { pattern, values, to } of patterns) {
      const match = pattern.exec(said);
      if (match) return to.replace(/\{(\w+)\}/g, (_, name) => { const value = match[values.indexOf(name) + 1]; return translated(value) ?? value; });
    }
    return listed(said);
  }
  return translated;
};
