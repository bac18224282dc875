// The type of a .wasm file that is imported as a module, which workerd compiles.
declare module '*.wasm' {
  const module: object;
  export default module;
}
