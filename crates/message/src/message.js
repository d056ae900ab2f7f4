"use strict";
// Renders messages as value.rs writes and renders them: a text, or a text with its values, which may be messages themselves.
// `translations` are by the English text.
globalThis.renderer = (translations) => {
  const other = new Map(Object.entries(translations));
  const place = /\{\{|\}\}|\{(\w*)(?::[^{}]*)?\}/g;
  function rendered(message, isEnglish) {
    const { text, values } = typeof message === "string" ? { text: message } : message;
    const translated = isEnglish ? undefined : other.get(text), whole = translated ?? text;
    if (!values) return whole;
    // It is not mixed.
    const staysEnglish = translated === undefined && (isEnglish || /\p{L}/u.test(text.replace(place, "")));
    const isDoubled = whole.includes("{{");
    let number = 0;
    return whole.replace(place, (found, name) => {
      if (name === undefined) return isDoubled ? found[0] : found;
      const value = values[name || number++];
      return typeof value === "object" ? rendered(value, staysEnglish) : value ?? "";
    });
  }
  return (message) => rendered(message, false);
};
