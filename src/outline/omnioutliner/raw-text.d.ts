// Scripts imported as text, which the bundler and the test runner support.
declare module "*?raw" {
  const text: string;
  export default text;
}
