// A script as the text that it is: the bundler and the test runner give it so.
declare module "*?raw" {
  const text: string;
  export default text;
}
