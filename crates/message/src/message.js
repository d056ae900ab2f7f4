"use strict";
// Renders messages in the JSON form of value.rs: a text, or a text with its values, some of which may be messages.
// The keys of `translations` are English texts; if it is empty, the language is English.
globalThis.renderer = (translations) => {
  const other = new Map(Object.entries(translations));
  // These are the rules of template.rs and chinese.rs.
  const place = /\{\{|\}\}|\{(\w*)(?::[^{}]*|\|([^{}|]*)\|([^{}|]*))?\}/g;
  const punctuation = [[": ", "："], ["; ", "；"], [", ", "，"], [" (", "（"], [")", "）"]];
  const punctuated = (text) => punctuation.reduce((text, [from, to]) => text.replaceAll(from, to), text);
  const han = "[\u3400-\u9fff]", sign = "[\u3001-\u3011\uff01-\uff1f]", latin = "[0-9A-Za-z]";
  const isBlankDue = new RegExp(`^(${han}${latin}|${latin}${han})$`, "u"), isBlankWrong = new RegExp(`^(${han}${han}|${sign}.|.${sign})$`, "su");
  function join(text, next, isOfMessages) {
    const before = text.replace(/ +$/, ""), after = next.replace(/^ +/, "");
    if (!before || !after) return text + next;
    const both = [...before.slice(-2)].pop() + String.fromCodePoint(after.codePointAt(0));
    const hasBlank = before.length < text.length || after.length < next.length;
    if (hasBlank && isBlankWrong.test(both) && isOfMessages) return before + after;
    return isBlankDue.test(both) && !hasBlank ? `${text} ${next}` : text + next;
  }
  function rendered(message, isEnglish) {
    const { text, values } = typeof message === "string" ? { text: message } : message;
    const hasWords = () => /\p{L}/u.test(text.replace(place, ""));
    const translated = isEnglish ? undefined : other.get(text) ?? (hasWords() ? undefined : punctuated(text));
    const whole = translated ?? text;
    if (!values) return whole;
    // A text without a translation keeps its values English, too.
    const staysEnglish = translated === undefined, isDoubled = whole.includes("{{");
    let out = "", number = 0, from = 0, wasMessage = false;
    const put = (part, isMessage) => {
      out = staysEnglish ? out + part : join(out, part, wasMessage || isMessage);
      if (part) wasMessage = isMessage;
    };
    for (const { 0: found, 1: name, 2: one, 3: several, index } of whole.matchAll(place)) {
      put(whole.slice(from, index), false);
      from = index + found.length;
      if (one !== undefined) {
        put(String(values[name]) === "1" ? one : several, false);
        continue;
      }
      const value = name === undefined ? (isDoubled ? found[0] : found) : values[name || number++] ?? "";
      if (typeof value === "object") put(rendered(value, staysEnglish), true);
      else put(String(value), false);
    }
    put(whole.slice(from), false);
    return out;
  }
  return (message) => rendered(message, other.size === 0);
};
