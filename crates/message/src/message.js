"use strict";
// Renders messages as value.rs writes them: a text, or a text with its values, which may be messages themselves.
// `translations` are by the English text.
globalThis.renderer = (translations) => {
  const other = new Map(Object.entries(translations));
  return function rendered(message) {
    const { text, values } = typeof message === "string" ? { text: message } : message;
    const whole = other.get(text) ?? text;
    if (!values) return whole;
    const doubled = whole.includes("{{");
    let number = 0;
    return whole.replace(/\{\{|\}\}|\{(\w*)[^{}]*\}/g, (place, name) => {
      if (name === undefined) return doubled ? place[0] : place;
      const value = values[name || number++];
      return typeof value === "object" ? rendered(value) : value ?? "";
    });
  };
};
