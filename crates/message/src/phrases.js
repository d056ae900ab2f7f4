"use strict";
// Sentences that were made in English, in another language: what phrases.rs does, for pages. A phrase is English
// and its translation; a name in braces is a value, which is not empty and holds no "; ", and with # it is a
// number or a list of them. A bot may have written some of a text, so that what is looked at of one is limited.
globalThis.phraseBook = (phrases) => {
  // Characters of a text, and characters that are searched to translate it.
  const LONGEST = 5000, MOST = 2000000;
  const plain = new Map(), patterns = [];
  for (const [from, to] of Object.entries(phrases)) {
    // What stands around the values, and between them the names of the values.
    const parts = from.split(/\{(\w+)\}/);
    const literals = parts.filter((_, at) => at % 2 === 0), names = parts.filter((_, at) => at % 2 === 1);
    if (names.length) patterns.push({ literals, names, to, length: literals.join("").length });
    else plain.set(from, to);
  }
  // The longest first: it says most.
  patterns.sort((a, b) => b.length - a.length);
  let left = 0;
  function find(text, part, from) {
    const at = left > 0 ? text.indexOf(part, from) : -1;
    left -= (at < 0 ? text.length : at) - from + part.length + 1;
    return at;
  }
  // The values of a phrase whose literals up to this one are the text up to `at`, if the others are its rest.
  function values(literals, number, text, at) {
    const next = literals[number + 1], list = find(text, "; ", at);
    const most = list < 0 ? text.length : list;
    if (number + 2 === literals.length) {
      const end = text.length - next.length;
      return end > at && end <= most && text.endsWith(next) ? [text.slice(at, end)] : null;
    }
    for (let end = find(text, next, at + 1); end >= 0 && end <= most; end = find(text, next, end + 1)) {
      const others = values(literals, number + 1, text, end + next.length);
      if (others) return [text.slice(at, end), ...others];
    }
    return null;
  }
  function matched({ literals, names, to }, text) {
    left -= 1;
    const found = left > 0 && text.startsWith(literals[0]) ? values(literals, 0, text, literals[0].length) : null;
    if (!found) return null;
    let isKnown = true;
    const other = to.replace(/\{(\w+)(#?)\}/g, (_, name, isNumber) => {
      const value = found[names.indexOf(name)];
      isKnown &&= !isNumber || /^(–|[\d.+, -]+)$/.test(value);
      return said(value) ?? value;
    });
    return isKnown ? other : null;
  }
  function listed(text) {
    const parts = text.split("; ");
    const others = parts.length > 1 ? parts.map(said) : [];
    return others.some((other) => other !== null) ? others.map((other, at) => other ?? parts[at]).join("；") : null;
  }
  function said(text) {
    const trimmed = text.trim().replace(/\s+/g, " ");
    if (!/[A-Za-z]{2}/.test(trimmed)) return null;
    const found = plain.get(trimmed);
    if (found !== undefined) return found;
    for (const phrase of patterns) {
      const whole = matched(phrase, trimmed);
      if (whole !== null) return whole;
    }
    return listed(trimmed);
  }
  return (text) => {
    if (text.length > LONGEST) return null;
    left = MOST;
    return said(text);
  };
};
