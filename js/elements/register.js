// Registers elements, where there are custom elements.

/**
 * Registers elements, unless their names are taken. Without a DOM it does nothing.
 *
 * @param {Record<string, CustomElementConstructor>} elements  by name
 */
export function register(elements) {
  const registry = globalThis.customElements;
  for (const [name, element] of Object.entries(elements))
    if (registry && !registry.get(name)) registry.define(name, element);
}
